// biome-ignore-all lint/a11y/useSemanticElements: its rows are not those of a table
// biome-ignore-all lint/a11y/useFocusableInteractive: the focus is on rows and checkboxes

import {
  type ChangeEvent,
  type FocusEvent,
  type KeyboardEvent,
  type MouseEvent,
  memo,
  type ReactNode,
  type RefObject,
  useRef,
} from 'react'
import { useTranslations } from 'use-intl'
import { cx } from './cx.ts'
import styles from './opening-list.module.css'

type ListProps<Item> = {
  label: string
  items: readonly Item[]
  /** The item on the screen. */
  current: string | null
  selected: ReadonlySet<string>
  /** Values besides the items that the rows show: a row renders again only when these or its item change. */
  dependencies?: readonly unknown[]
  empty: ReactNode
  textOf: (item: Item) => string
  onOpen: (id: string) => void
  onSelect: (ids: Set<string>) => void
  listRef: RefObject<HTMLDivElement | null>
  children: (item: Item) => ReactNode
}

/** Rows that Shift selects: all from one row to another, besides those selected before. */
type Range = {
  from: string
  before: ReadonlySet<string>
  /** The open row and the selection after its last change. The range ends once either changes in another way. */
  opened: string | null
  selected: ReadonlySet<string>
}

/**
 * List whose focused row is opened on the screen. Checkboxes select several. Letter keys stay free for shortcuts.
 *
 * A grid of plain elements instead of React Aria's `GridList`, which renders every row again whenever one changes: with
 * fifty rows, that takes longer than a decision may.
 */
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
  const words = useTranslations('ui')
  const ids = items.map(({ id }) => id)
  const { toggle, selectTo, endRange } = useRange(ids, current, selected, onSelect)
  const stop = current !== null && ids.includes(current) ? current : ids[0]
  const selectToPressed = (row: HTMLElement, id: string) => {
    // The focus on the row itself would open it.
    row.querySelector('input')?.focus()
    selectTo(id, current !== null && ids.includes(current) ? current : id, current)
  }
  const press = (event: KeyboardEvent<HTMLElement>) => {
    const row = rowOf(event.target)
    const id = row?.dataset.key
    if (row === null || id === undefined) return
    const box = row.querySelector('input')
    const isInBox = event.target === box
    const target = targetOf(event, row)
    if (target) {
      target.focus()
      if (event.shiftKey && target.dataset.key !== undefined)
        selectTo(target.dataset.key, id, target.dataset.key)
      else endRange()
    } else if (event.key === 'ArrowRight') box?.focus()
    else if (event.key === 'ArrowLeft') row.focus()
    else if (event.key === 'a' && (event.ctrlKey || event.metaKey)) onSelect(new Set(ids))
    else if (event.key === 'Escape' && selected.size > 0) onSelect(new Set())
    else if (event.key === 'Enter') onOpen(id)
    else if (event.key === ' ' && !isInBox) toggle(id)
    else return
    event.preventDefault()
  }
  const click = (event: MouseEvent<HTMLElement>) => {
    const row = rowOf(event.target)
    const id = row?.dataset.key
    if (row === null || id === undefined) return
    if (event.target instanceof HTMLElement && event.target.closest('label')) return
    if (event.shiftKey) return selectToPressed(row, id)
    endRange()
    onOpen(id)
  }
  const check = ({ target, nativeEvent }: ChangeEvent<HTMLElement>) => {
    const row = rowOf(target)
    const id = row?.dataset.key
    if (row === null || id === undefined) return
    if (nativeEvent instanceof globalThis.MouseEvent && nativeEvent.shiftKey) selectToPressed(row, id)
    else toggle(id)
  }
  const openFocused = ({ target, relatedTarget, currentTarget }: FocusEvent<HTMLElement>) => {
    // Ignores focus from outside the list: a closing dialog or toast restores it and must not open a row.
    if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) return
    // Ignores focus on checkboxes: on a small screen, opening a row would hide the list during selection.
    const { key } = target.dataset
    if (key !== undefined) onOpen(key)
  }
  return (
    <div
      ref={listRef}
      role="grid"
      aria-label={label}
      aria-multiselectable="true"
      className={styles.list}
      onKeyDown={press}
      // With Shift, it would focus and so open the row, and select text.
      onMouseDown={(event) => event.shiftKey && event.preventDefault()}
      onClick={click}
      onFocus={openFocused}
      onChange={check}
    >
      {items.length === 0 && (
        <div role="row">
          <div role="gridcell">{empty}</div>
        </div>
      )}
      {items.map((item) => (
        <Row
          key={item.id}
          id={item.id}
          item={item}
          text={textOf(item)}
          select={words('selectOne', { name: textOf(item) })}
          isCurrent={item.id === current}
          isStop={item.id === stop}
          isSelected={selected.has(item.id)}
          dependencies={dependencies}
          content={children as (item: unknown) => ReactNode}
        />
      ))}
    </div>
  )
}

/** The selection of rows. Shift changes the end of the range that the latest toggle began. */
function useRange(
  ids: readonly string[],
  current: string | null,
  selected: ReadonlySet<string>,
  onSelect: (ids: Set<string>) => void,
) {
  const range = useRef<Range | null>(null)
  return {
    toggle(id: string) {
      const next = new Set(selected)
      if (!next.delete(id)) next.add(id)
      range.current = { from: id, before: next, opened: current, selected: next }
      onSelect(next)
    },
    /** Changes the end of the range, or begins one at `start`. */
    selectTo(id: string, start: string, opened: string | null) {
      const last = range.current
      const goesOn = last?.opened === current && last.selected === selected && ids.includes(last.from)
      const { from, before } = goesOn ? last : { from: start, before: selected }
      const [begin = 0, end = 0] = [ids.indexOf(from), ids.indexOf(id)].sort((a, b) => a - b)
      const next = new Set([...before, ...ids.slice(begin, end + 1)])
      range.current = { from, before, opened, selected: next }
      onSelect(next)
    },
    endRange() {
      range.current = null
    },
  }
}

type RowProps = {
  id: string
  item: unknown
  text: string
  /** Name of the checkbox. */
  select: string
  isCurrent: boolean
  /** Whether Tab leads to it. */
  isStop: boolean
  isSelected: boolean
  dependencies: readonly unknown[]
  content: (item: unknown) => ReactNode
}

const Row = memo(function Row({ id, item, text, select, isCurrent, isStop, isSelected, content }: RowProps) {
  return (
    <div
      role="row"
      data-key={id}
      aria-label={text}
      aria-selected={isSelected}
      tabIndex={isStop ? 0 : -1}
      className={cx(styles.row, isCurrent && styles.current)}
    >
      <div role="gridcell" className={styles.cell}>
        <label className={styles.check}>
          <input type="checkbox" tabIndex={-1} aria-label={select} checked={isSelected} readOnly />
        </label>
        {content(item)}
      </div>
    </div>
  )
}, isSameRow)

/** Compares all but the function that renders the content: it is another one each time. */
function isSameRow(before: RowProps, after: RowProps): boolean {
  const names = ['item', 'text', 'select', 'isCurrent', 'isStop', 'isSelected'] as const
  return (
    names.every((name) => before[name] === after[name]) &&
    before.dependencies.length === after.dependencies.length &&
    before.dependencies.every((value, index) => value === after.dependencies[index])
  )
}

const rowOf = (target: EventTarget) =>
  target instanceof Element ? target.closest<HTMLElement>('[data-key]') : null

/** Returns the row to which a key leads. */
function targetOf({ key, ctrlKey, metaKey, altKey }: KeyboardEvent, row: HTMLElement) {
  if (ctrlKey || metaKey || altKey) return null
  if (key === 'ArrowDown') return row.nextElementSibling as HTMLElement | null
  if (key === 'ArrowUp') return row.previousElementSibling as HTMLElement | null
  if (key === 'Home') return row.parentElement?.firstElementChild as HTMLElement
  if (key === 'End') return row.parentElement?.lastElementChild as HTMLElement
  return null
}
