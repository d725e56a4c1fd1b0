import type { KeyboardEvent, ReactNode } from 'react'
import {
  Table as AriaTable,
  Cell,
  Column,
  ResizableTableContainer,
  Row,
  type Selection,
  TableBody,
  TableHeader,
} from 'react-aria-components'
import { Checkbox } from './choice.tsx'
import { cx } from './cx.ts'
import { Icon } from './icon.tsx'
import { useNarrow } from './narrow.ts'
import styles from './table.module.css'

export type TableColumn<Item> = {
  id: string
  title: string
  cell: (item: Item) => ReactNode
  /** Aligns numbers at the end of the column. */
  isFigure?: boolean
  sortable?: boolean
}
type Sort = { column: string; direction: 'ascending' | 'descending' }

type TableProps<Item> = {
  label: string
  columns: readonly TableColumn<Item>[]
  /** Content of the only column in a narrow window, below the title of the first; without it the columns stay. */
  narrow?: (item: Item) => ReactNode
  items: readonly Item[]
  /** Values that cells show beside their item. A change of them redraws rows of unchanged items. */
  dependsOn?: unknown
  sort?: Sort
  onSort?: (sort: Sort) => void
  empty: ReactNode
  /** Ids of the selected rows; undefined disables selection. */
  chosen?: ReadonlySet<string>
  onChoose?: (ids: Set<string>) => void
}

/** Width of the checkbox column in pixels, as React Aria requires. */
const boxWidth = 40

/** On Enter, a focused row opens its link, else presses its button, except one with `data-aside`. Otherwise only the arrow keys would reach it. */
function openRow(event: KeyboardEvent<HTMLElement>) {
  if (event.key !== 'Enter' || !(event.target instanceof HTMLElement) || event.target.role !== 'row') return
  const link =
    event.target.querySelector<HTMLElement>('a[href]') ??
    event.target.querySelector<HTMLElement>('button:not([data-aside])')
  if (link === null) return
  event.preventDefault()
  event.stopPropagation()
  link.click()
}

/** Table that scrolls sideways when it is wider than the screen. Its first column is the row header. */
export function Table<Item extends { id: string }>({
  label,
  columns: wide,
  narrow,
  items,
  dependsOn,
  sort,
  onSort,
  empty,
  chosen,
  onChoose,
}: TableProps<Item>) {
  const isNarrow = useNarrow()
  const [first] = wide
  const columns =
    narrow && first && isNarrow
      ? [{ ...first, cell: (item: Item) => <div className={styles.whole}>{narrow(item)}</div> }]
      : wide
  const choose = (keys: Selection) =>
    onChoose?.(keys === 'all' ? new Set(items.map(({ id }) => id)) : new Set([...keys].map(String)))
  return (
    <div role="presentation" className={styles.frame} onKeyDownCapture={openRow}>
      {/* Made again for other columns: React Aria keeps the rows of items that it knows, with as many cells as before. And in
          a narrow window, for which the widths of columns that it has set are too wide. */}
      <ResizableTableContainer
        key={[isNarrow, ...columns.map(({ id }) => id)].join(' ')}
        className={styles.container}
      >
        <AriaTable
          aria-label={label}
          className={styles.table}
          sortDescriptor={sort}
          {...(chosen && {
            selectionMode: 'multiple' as const,
            selectedKeys: chosen,
            onSelectionChange: choose,
          })}
          onSortChange={({ column, direction }) => onSort?.({ column: String(column), direction })}
        >
          <TableHeader>
            {chosen && (
              <Column className={styles.column} width={boxWidth} minWidth={boxWidth}>
                <Checkbox slot="selection" />
              </Column>
            )}
            {columns.map(({ id, title, isFigure, sortable = false }, index) => (
              <Column
                key={id}
                id={id}
                isRowHeader={index === 0}
                defaultWidth={index === 0 ? '2fr' : '1fr'}
                allowsSorting={sortable}
                className={cx(styles.column, isFigure && styles.figure)}
              >
                {title}
                {sort?.column === id && (
                  <span className={cx(styles.arrow, sort.direction === 'ascending' && styles.up)}>
                    <Icon name="down" />
                  </span>
                )}
              </Column>
            ))}
          </TableHeader>
          <TableBody items={items} dependencies={[dependsOn]} renderEmptyState={() => empty}>
            {(item) => (
              <Row className={styles.row}>
                {chosen && (
                  <Cell className={styles.cell}>
                    <Checkbox slot="selection" />
                  </Cell>
                )}
                {columns.map(({ id, cell, isFigure }) => (
                  <Cell key={id} className={cx(styles.cell, isFigure && styles.figure)}>
                    {cell(item)}
                  </Cell>
                ))}
              </Row>
            )}
          </TableBody>
        </AriaTable>
      </ResizableTableContainer>
    </div>
  )
}
