import type { RefObject } from 'react'
import { useTranslations } from 'use-intl'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { Empty } from '../../ui/empty.tsx'
import { OpeningList } from '../../ui/opening-list.tsx'
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
  const empty = (
    <Empty
      icon={isFiltered ? 'search' : 'check'}
      title={words(isFiltered ? 'notFound.title' : 'empty.title')}
    >
      <p>{words(isFiltered ? 'notFound.text' : 'empty.text')}</p>
    </Empty>
  )
  return (
    <>
      <OpeningList
        {...{ label, items, current, selected, empty, onOpen, onSelect, listRef }}
        dependencies={[words]}
        textOf={({ subject }) => subject}
      >
        {(item) => (
          <div className={cx(styles.words, item.unread && styles.unread)}>
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
        )}
      </OpeningList>
      {onMore !== null && (
        <div className={styles.more}>
          <Button small wide look="quiet" isPending={isLoadingMore} onPress={onMore}>
            {words('more')}
          </Button>
        </div>
      )}
    </>
  )
}
