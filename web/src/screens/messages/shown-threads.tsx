import type { RefObject } from 'react'
import { useTranslations } from 'use-intl'
import { Arrivals } from '../../shell/lists/arrivals.tsx'
import { ShownFailure } from '../../shell/shown-failure.tsx'
import { Skeleton } from '../../ui/empty.tsx'
import { ThreadList } from './list.tsx'
import type { useThreads } from './use-threads.ts'

type ShownProps = {
  threads: ReturnType<typeof useThreads>
  isFiltered: boolean
  current: string | null
  selected: ReadonlySet<string>
  onOpen: (id: string) => void
  onSelect: (ids: ReadonlySet<string>) => void
  listRef: RefObject<HTMLDivElement | null>
}

/** The threads of the list with how many have arrived since, or the reason why there are none. */
export function ShownThreads({
  threads,
  isFiltered,
  current,
  selected,
  onOpen,
  onSelect,
  listRef,
}: ShownProps) {
  const words = useTranslations('messages')
  return (
    <>
      <Arrivals
        count={threads.arrived}
        label={words('arrived', { count: threads.arrived })}
        onShow={threads.refresh}
      />
      {threads.error !== null && <ShownFailure error={threads.error} onRetry={threads.refresh} />}
      {!threads.isReady && threads.error === null && <Skeleton lines={9} />}
      {threads.isReady && (
        <ThreadList
          label={words('title')}
          isFiltered={isFiltered}
          items={threads.items}
          current={current}
          selected={selected}
          onOpen={onOpen}
          onSelect={onSelect}
          onMore={threads.hasMore ? threads.loadMore : null}
          isLoadingMore={threads.isLoadingMore}
          listRef={listRef}
        />
      )}
    </>
  )
}
