import { type ReactNode, useRef, useState } from 'react'
import { Button as AriaButton, Dialog, Popover } from 'react-aria-components'
import { useTranslations } from 'use-intl'
import { Button } from './button.tsx'
import styles from './filters.module.css'
import { Icon } from './icon.tsx'
import { Menu, MenuItem } from './menu.tsx'

/** A filter that a list can have. */
export type Filter = {
  id: string
  label: string
  /** The chosen value, as text; undefined if none is chosen. */
  value: string | undefined
  /** Its values, of which one closes the popover. */
  choices: (close: () => void) => ReactNode
  onClear: () => void
}

type FiltersProps = {
  /** The search field, before the filters. */
  search: ReactNode
  filters: readonly Filter[]
  /** Removes all filters. */
  onClear: () => void
  /** The order of the list, after the filters. */
  sort?: ReactNode
}

/**
 * The filters of a list in one line: those that are set, each as a chip to change or remove, and a button that adds
 * another.
 */
export function Filters({ search, filters, onClear, sort }: FiltersProps) {
  const words = useTranslations('ui.filter')
  /** The filter whose values are shown. One that is being added has a chip already. */
  const [open, setOpen] = useState<string | null>(null)
  const shown = filters.filter(({ id, value }) => value !== undefined || id === open)
  const others = filters.filter(({ value }) => value === undefined)
  return (
    <search className={styles.filters}>
      <div className={styles.search}>{search}</div>
      {shown.length > 0 && (
        <ul className={styles.chips} aria-label={words('title')}>
          {shown.map((filter) => (
            <Chip
              key={filter.id}
              filter={filter}
              isOpen={open === filter.id}
              onOpen={(isOpen) => setOpen(isOpen ? filter.id : null)}
            />
          ))}
        </ul>
      )}
      {others.length > 0 && (
        <Menu
          label={words('add')}
          trigger={
            <Button small look="quiet" icon="plus">
              {words('add')}
            </Button>
          }
        >
          {others.map(({ id, label }) => (
            <MenuItem key={id} onAction={() => setOpen(id)}>
              {label}
            </MenuItem>
          ))}
        </Menu>
      )}
      {filters.length - others.length > 1 && (
        <Button small look="quiet" onPress={onClear}>
          {words('clear')}
        </Button>
      )}
      {sort && <div className={styles.sort}>{sort}</div>}
    </search>
  )
}

type ChipProps = { filter: Filter; isOpen: boolean; onOpen: (isOpen: boolean) => void }

function Chip({ filter: { label, value, choices, onClear }, isOpen, onOpen }: ChipProps) {
  const words = useTranslations('ui.filter')
  const chip = useRef<HTMLLIElement>(null)
  return (
    <li ref={chip} className={styles.chip}>
      <AriaButton className={styles.value} aria-expanded={isOpen} onPress={() => onOpen(!isOpen)}>
        <span className={styles.label}>{words('of', { label })}</span>
        <span className={styles.words}>{value ?? '…'}</span>
      </AriaButton>
      {value !== undefined && (
        <AriaButton className={styles.remove} aria-label={words('remove', { label })} onPress={onClear}>
          <Icon name="close" />
        </AriaButton>
      )}
      <Popover
        triggerRef={chip}
        isOpen={isOpen}
        onOpenChange={onOpen}
        offset={4}
        placement="bottom start"
        className={styles.popover}
      >
        <Dialog aria-label={label} className={styles.dialog}>
          {choices(() => onOpen(false))}
        </Dialog>
      </Popover>
    </li>
  )
}
