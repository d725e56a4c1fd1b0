import type { FocusEvent, RefObject } from 'react'
import { GridList, GridListItem, type Selection } from 'react-aria-components'
import { useTranslations } from 'use-intl'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/choice.tsx'
import { cx } from '../../ui/cx.ts'
import { Empty } from '../../ui/empty.tsx'
import { Ago } from '../../ui/time.tsx'
import { Flag } from './flag.tsx'
import styles from './list.module.css'
import type { Thread } from './queries.ts'

type ListProps = {
  label: string
  isFiltered: boolean
  items: readonly Thread[]
  current: string | null
  selected: ReadonlySet<string>
  onOpen: (id: string) => void
  onSelect: (ids: Set<string>) => void
  /** Loads the rows that follow; null at the end of the list. */
  onMore: (() => void) | null
  isLoadingMore: boolean
  listRef: RefObject<HTMLDivElement | null>
}

/** List whose focused row is the thread on the screen. Checkboxes select several for one change. */
export function ThreadList(props: ListProps) {
  const { label, isFiltered, items, current, selected, onOpen, onSelect, onMore, isLoadingMore, listRef } =
    props
  const words = useTranslations('messages')
  const select = (keys: Selection) =>
    onSelect(keys === 'all' ? new Set(items.map(({ id }) => id)) : new Set([...keys].map(String)))
  const openFocused = ({ target, relatedTarget, currentTarget }: FocusEvent<HTMLElement>) => {
    // Ignores focus from outside the list: a closing dialog or toast restores it and must not open a row.
    if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) return
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
        // Letter keys are shortcuts.
        disallowTypeAhead
        selectionMode="multiple"
        selectedKeys={selected}
        onSelectionChange={select}
        onAction={(id) => onOpen(String(id))}
        dependencies={[current, items]}
        renderEmptyState={() => (
          <Empty
            icon={isFiltered ? 'search' : 'check'}
            title={words(isFiltered ? 'notFound.title' : 'empty.title')}
          >
            <p>{words(isFiltered ? 'notFound.text' : 'empty.text')}</p>
          </Empty>
        )}
      >
        {(item) => (
          <GridListItem
            textValue={item.subject}
            className={cx(styles.row, item.id === current && styles.current, item.unread && styles.unread)}
          >
            <Checkbox slot="selection" />
            <div className={styles.words}>
              <span className={styles.line}>
                <span className={styles.who}>{item.nom ?? item.email ?? words('erased')}</span>
                <Ago at={item.last_message_at} />
              </span>
              <span className={styles.subject}>{item.subject}</span>
              <span className={styles.excerpt}>{item.excerpt}</span>
              <span className={styles.state}>
                {item.unread && <Badge tone="accent">{words('unread')}</Badge>}
                {item.status === 'closed' && <Badge>{words('status.closed')}</Badge>}
                {item.flag && <Flag colour={item.flag} />}
                {item.assignee_user && <Badge>{item.assignee_user.nom ?? words('somebody')}</Badge>}
              </span>
            </div>
          </GridListItem>
        )}
      </GridList>
      {onMore !== null && (
        <div className={styles.more}>
          <Button small wide look="quiet" isPending={isLoadingMore} onPress={onMore}>
            {words('more')}
          </Button>
        </div>
      )}
    </div>
  )
}
