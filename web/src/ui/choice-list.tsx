import { useEffect, useState } from 'react'
import { Autocomplete, Input, ListBox, ListBoxItem, SearchField } from 'react-aria-components'
import { useTranslations } from 'use-intl'
import styles from './choice-list.module.css'
import type { Choice } from './combo.tsx'
import { cx } from './cx.ts'
import { Icon } from './icon.tsx'
import { Soft } from './layout.tsx'
import select from './select.module.css'

type ChoiceListProps<Item extends Choice> = {
  label: string
  items: readonly Item[]
  chosen: string | undefined
  onChoose: (id: string) => void
  /** With it, a field above the list says what is typed; the parent component searches for it. */
  onType?: (text: string) => void
  isSearching?: boolean
}

/**
 * List of choices, with a search field if there are many. Takes the focus: it opens on request. Enter chooses the first
 * result, also if it is pressed before the results have arrived.
 */
export function ChoiceList<Item extends Choice>({ onType, ...props }: ChoiceListProps<Item>) {
  const { label, items, isSearching = false, onChoose } = props
  const [isEntered, setEntered] = useState(false)
  const first = items[0]?.id
  useEffect(() => {
    if (!isEntered || isSearching) return
    setEntered(false)
    if (first !== undefined) onChoose(first)
  }, [isEntered, isSearching, first, onChoose])
  if (onType === undefined) return <Choices {...props} takesFocus />
  return (
    <Autocomplete onInputChange={onType} disableAutoFocusFirst>
      <div
        role="presentation"
        className={styles.box}
        // An option that the arrows have reached is chosen by the list itself.
        onKeyDownCapture={({ key, target }) => {
          const { value, ariaActiveDescendantElement } = target as HTMLInputElement
          setEntered(key === 'Enter' && value.trim() !== '' && !ariaActiveDescendantElement)
        }}
      >
        <SearchField aria-label={label} autoFocus className={styles.field}>
          <Icon name="search" />
          <Input className={styles.input} placeholder={label} />
        </SearchField>
      </div>
      <Choices {...props} />
    </Autocomplete>
  )
}

function Choices<Item extends Choice>({
  label,
  items,
  chosen,
  onChoose,
  isSearching = false,
  takesFocus = false,
}: Omit<ChoiceListProps<Item>, 'onType'> & { takesFocus?: boolean }) {
  const words = useTranslations('ui')
  return (
    <ListBox<Item>
      aria-label={label}
      autoFocus={takesFocus}
      items={items}
      // The rows do not change with the choice otherwise.
      dependencies={[chosen]}
      onAction={(id) => onChoose(String(id))}
      className={styles.list}
      renderEmptyState={() => <p className={styles.empty}>{isSearching ? '…' : words('nothingFound')}</p>}
    >
      {({ id, nom, note }) => (
        <ListBoxItem id={id} textValue={nom} className={select.item}>
          <span className={cx(select.mark, id === chosen && select.marked)}>
            <Icon name="check" />
          </span>
          <span className={styles.words}>
            {nom}
            {note && <Soft as="span">{note}</Soft>}
          </span>
        </ListBoxItem>
      )}
    </ListBox>
  )
}
