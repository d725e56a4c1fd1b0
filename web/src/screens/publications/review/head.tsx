import { lazy, Suspense } from 'react'
import { useTranslations } from 'use-intl'
import { ExportButton } from '../../../shell/lists/export-button.tsx'
import { ModerationTabs } from '../../../shell/navigation/moderation-tabs.tsx'
import { changeSettings } from '../../../shell/settings.ts'
import { Button } from '../../../ui/button.tsx'
import { Filters } from '../../../ui/filters.tsx'
import { Soft } from '../../../ui/layout.tsx'
import { Search } from '../../../ui/search.tsx'
import { noFilters, usePublicationFilters } from '../filters.tsx'
import { type ReviewFilter, type ReviewKind, reviewFilters } from '../queries.ts'
import styles from './review.module.css'
import { hasFilters, reviewSearch } from './search.ts'
import type { useQueue } from './use-queue.ts'

// The queue draws it at once: its texts are in fr-first.ts.
const Views = lazy(async () => ({ default: (await import('../../../shell/lists/views/views.tsx')).Views }))

type ReviewSearch = ReturnType<typeof reviewSearch>
type HeadProps = {
  kind: ReviewKind
  /** The search in the URL, and the filter that it and the settings make. */
  inUrl: ReviewSearch
  filter: ReviewFilter
  queue: ReturnType<typeof useQueue>
  onNarrow: (changed: ReviewFilter) => void
  onView: (view: ReviewSearch) => void
  onLatest: () => void
}

/** Head of the list: how many publications there are, the filters and the saved views. */
export function ReviewHead({ kind, inUrl, filter, queue, onNarrow, onView, onLatest }: HeadProps) {
  const words = useTranslations('queue')
  const { q = '' } = filter
  const isOldestFirst = filter.sort === 'created_at_asc'
  const filters = usePublicationFilters(filter, onNarrow)
  return (
    <header className={styles.head}>
      <div className={styles.tabs}>
        <ModerationTabs />
      </div>
      <Soft as="span">
        {hasFilters(filter) &&
          queue.isReady &&
          words('total', { count: queue.total, isMore: String(queue.meta.total_is_at_least) })}
      </Soft>
      <ExportButton
        small
        list="publications"
        query={reviewFilters({ kind, filter })}
        meta={queue.isReady ? queue.meta : undefined}
      />
      <Button small look="quiet" icon="clock" onPress={onLatest}>
        {words('latest')}
      </Button>
      <Button small look="quiet" icon="refresh" onPress={queue.refresh}>
        {words('refresh')}
      </Button>
      <div className={styles.search}>
        <Filters
          search={
            <Search label={words('search')} q={q} onSearch={(next) => onNarrow({ q: next || undefined })} />
          }
          filters={filters}
          onClear={() => onNarrow(noFilters)}
          sort={
            kind === 'queue' && (
              <Button
                small
                look={isOldestFirst ? 'primary' : 'plain'}
                aria-pressed={isOldestFirst}
                onPress={() => {
                  changeSettings({ oldestFirst: !isOldestFirst })
                  onNarrow({ sort: isOldestFirst ? 'created_at_desc' : 'created_at_asc' })
                }}
              >
                {words('oldestFirst')}
              </Button>
            )
          }
        />
        <Suspense>
          <Views
            list={kind}
            read={({ selected: _, ...saved }) => reviewSearch(saved)}
            search={hasFilters(inUrl) ? filter : inUrl}
            onOpen={onView}
          />
        </Suspense>
      </div>
    </header>
  )
}
