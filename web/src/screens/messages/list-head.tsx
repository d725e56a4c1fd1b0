import { useTranslations } from 'use-intl'
import { ExportButton } from '../../shell/lists/export-button.tsx'
import { IconButton } from '../../ui/button.tsx'
import { Soft } from '../../ui/layout.tsx'
import { ThreadFilters } from './filters.tsx'
import styles from './messages.module.css'
import { type Filters, queryOf } from './queries.ts'
import type { MessagesSearch } from './search.ts'
import type { useThreads } from './use-threads.ts'

type HeadProps = {
  me: string
  search: MessagesSearch
  filters: Filters
  threads: ReturnType<typeof useThreads>
  onFilter: (change: Partial<MessagesSearch>) => void
}

/** Head of the list: how many threads there are, and the filters. */
export function ListHead({ me, search, filters, threads, onFilter }: HeadProps) {
  const words = useTranslations('messages')
  const { isReady, meta, refresh } = threads
  return (
    <header className={styles.head}>
      <span className={styles.title} aria-hidden="true">
        {words('title')}
      </span>
      <Soft as="span">
        {isReady &&
          words('total', {
            count: meta.total,
            isMore: String(meta.total_is_at_least === true),
          })}
      </Soft>
      <ExportButton list="messages/threads" query={queryOf(filters)} meta={meta} small />
      <IconButton icon="refresh" label={words('refresh')} onPress={refresh} />
      <ThreadFilters me={me} search={search} onChange={onFilter} />
    </header>
  )
}
