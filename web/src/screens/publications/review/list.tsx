import type { FocusEvent, RefObject } from 'react'
import { GridList, GridListItem, type Selection } from 'react-aria-components'
import { useTranslations } from 'use-intl'
import { Badge } from '../../../ui/badge.tsx'
import { Checkbox } from '../../../ui/choice.tsx'
import { cx } from '../../../ui/cx.ts'
import { Empty } from '../../../ui/empty.tsx'
import { Ago } from '../../../ui/time.tsx'
import type { Listed, ReviewKind } from '../queries.ts'
import styles from './list.module.css'

type ListProps = {
  kind: ReviewKind
  label: string
  isSearch: boolean
  items: readonly Listed[]
  current: string | null
  selected: ReadonlySet<string>
  conflicts: ReadonlyMap<string, unknown>
  onOpen: (id: string) => void
  onSelect: (ids: Set<string>) => void
  listRef: RefObject<HTMLDivElement | null>
}

/** List whose focused row is the publication on the screen. Checkboxes select several for one decision. */
export function ReviewList({
  kind,
  label,
  isSearch,
  items,
  current,
  selected,
  conflicts,
  onOpen,
  onSelect,
  listRef,
}: ListProps) {
  const words = useTranslations('queue')
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
        // Letter keys are shortcuts for decisions.
        disallowTypeAhead
        selectionMode="multiple"
        selectedKeys={selected}
        onSelectionChange={select}
        onAction={(id) => onOpen(String(id))}
        dependencies={[current, conflicts]}
        renderEmptyState={() => (
          <Empty
            icon={isSearch ? 'search' : 'check'}
            title={words(isSearch ? 'notFound.title' : 'empty.title')}
          >
            <p>{words(isSearch ? 'notFound.text' : 'empty.text')}</p>
          </Empty>
        )}
      >
        {(item) => (
          <GridListItem
            textValue={item.titre}
            className={cx(styles.row, item.id === current && styles.current)}
          >
            <Checkbox slot="selection" />
            <div className={styles.words}>
              <span className={styles.title}>{item.titre}</span>
              <span className={styles.line}>
                <span className={styles.who}>
                  {item.acteur?.nom ?? words('nobody')}
                  {item.commune && <> · {item.commune.nom}</>}
                </span>
                <Ago
                  at={
                    kind === 'reports' ? (item.reports_summary.latest_at ?? item.created_at) : item.created_at
                  }
                />
              </span>
              <span className={styles.state}>
                {conflicts.has(item.id) && <Badge tone="warn">{words('changed.badge')}</Badge>}
                {item.moderation_status !== 'pending' && (
                  <Badge>{words(`status.${item.moderation_status}`)}</Badge>
                )}
                {item.reports_open > 0 && (
                  <Badge tone="bad">{words('reports', { count: item.reports_open })}</Badge>
                )}
                {kind === 'reports' && (
                  <span className={styles.line}>
                    {item.reports_summary.categories.map((name) => words(`category.${name}`)).join(', ')}
                  </span>
                )}
              </span>
            </div>
          </GridListItem>
        )}
      </GridList>
    </div>
  )
}
