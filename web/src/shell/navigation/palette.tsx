import { useState } from 'react'
import {
  Autocomplete,
  Dialog,
  Input,
  Menu,
  MenuItem,
  Modal,
  ModalOverlay,
  SearchField,
  useFilter,
} from 'react-aria-components'
import { useTranslations } from 'use-intl'
import { Icon, type IconName } from '../../ui/icon.tsx'
import { Soft } from '../../ui/layout.tsx'
import { useFound } from './found.ts'
import styles from './palette.module.css'

export type Command = {
  id: string
  title: string
  /** Further words that find it. */
  also?: string
  hint?: string
  icon: IconName
  run: () => void
}

/** Command palette (Ctrl-K): finds screens and menu actions by a few letters, and records by the search. */
export function Palette({
  isOpen,
  onClose,
  commands,
}: {
  isOpen: boolean
  onClose: () => void
  commands: readonly Command[]
}) {
  const words = useTranslations('palette')
  const { contains } = useFilter({ sensitivity: 'base', ignorePunctuation: true })
  const [typed, setTyped] = useState('')
  const inPublications = commands.some(({ id }) => id === 'screen.publications')
  const found = useFound(isOpen ? typed : '', { inPublications, contains })
  return (
    <ModalOverlay
      data-modal
      className={styles.scrim}
      isOpen={isOpen}
      onOpenChange={(open) => !open && onClose()}
      isDismissable
    >
      <Modal className={styles.modal}>
        <Dialog aria-label={words('title')} className={styles.dialog}>
          <Autocomplete
            // The service has chosen the records already.
            filter={(text, input, { key }) =>
              String(key).startsWith('found.') || input.split(/\s+/).every((word) => contains(text, word))
            }
            onInputChange={setTyped}
          >
            <SearchField aria-label={words('title')} autoFocus className={styles.field}>
              <Icon name="search" />
              <Input className={styles.input} placeholder={words('placeholder')} />
            </SearchField>
            <Menu
              aria-label={words('results')}
              items={[...commands, ...found] as readonly Command[]}
              className={styles.list}
              renderEmptyState={() => <p className={styles.empty}>{words('empty')}</p>}
            >
              {({ id, title, also = '', hint, icon, run }: Command) => (
                <MenuItem
                  id={id}
                  textValue={`${title} ${also}`.trim()}
                  className={styles.item}
                  onAction={() => {
                    onClose()
                    run()
                  }}
                >
                  <Icon name={icon} />
                  <span className={styles.words}>{title}</span>
                  {hint && <Soft as="span">{hint}</Soft>}
                </MenuItem>
              )}
            </Menu>
          </Autocomplete>
        </Dialog>
      </Modal>
    </ModalOverlay>
  )
}
