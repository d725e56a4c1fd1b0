import type { FocusEvent, ReactNode, RefObject } from 'react'
import { GridList, GridListItem, type Selection } from 'react-aria-components'
import { Checkbox } from './choice.tsx'
import { cx } from './cx.ts'
import styles from './opening-list.module.css'

type ListProps<Item> = {
  label: string
  items: readonly Item[]
  /** The item on the screen. */
  current: string | null
  selected: ReadonlySet<string>
  /** Values besides the items that the rows show. */
  dependencies?: readonly unknown[]
  empty: ReactNode
  textOf: (item: Item) => string
  onOpen: (id: string) => void
  onSelect: (ids: Set<string>) => void
  listRef: RefObject<HTMLDivElement | null>
  children: (item: Item) => ReactNode
}

/** List whose focused row is opened on the screen. Checkboxes select several. Letter keys stay free for shortcuts. */
export function OpeningList<Item extends { id: string }>({
  label,
  items,
  current,
  selected,
  dependencies = [],
  empty,
  textOf,
  onOpen,
  onSelect,
  listRef,
  children,
}: ListProps<Item>) {
  const select = (keys: Selection) =>
    onSelect(keys === 'all' ? new Set(items.map(({ id }) => id)) : new Set([...keys].map(String)))
  const openFocused = ({ target, relatedTarget, currentTarget }: FocusEvent<HTMLElement>) => {
    // Ignores focus from outside the list: a closing dialog or toast restores it and must not open a row.
    if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) return
    // Ignores focus on checkboxes: on a small screen, opening a row would hide the list during selection.
    const { key } = target.dataset
    if (key !== undefined) onOpen(key)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only hears of the focus of the rows
    <div onFocus={openFocused}>
      <GridList
        ref={listRef}
        aria-label={label}
        items={items}
        className={styles.list}
        disallowTypeAhead
        selectionMode="multiple"
        selectedKeys={selected}
        onSelectionChange={select}
        onAction={(id) => onOpen(String(id))}
        dependencies={[current, ...dependencies]}
        renderEmptyState={() => empty}
      >
        {(item) => (
          <GridListItem
            textValue={textOf(item)}
            className={cx(styles.row, item.id === current && styles.current)}
          >
            <Checkbox slot="selection" />
            {children(item)}
          </GridListItem>
        )}
      </GridList>
    </div>
  )
}
