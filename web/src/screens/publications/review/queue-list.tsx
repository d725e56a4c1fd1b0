import type { RefObject } from 'react'
import { useTranslations } from 'use-intl'
import type { useCurrent } from '../../../shell/current.ts'
import { Arrivals } from '../../../shell/lists/arrivals.tsx'
import { ShownFailure } from '../../../shell/shown-failure.tsx'
import { Skeleton } from '../../../ui/empty.tsx'
import type { ListedPublication, ReviewKind } from '../queries.ts'
import { ReviewList } from './list.tsx'
import type { useQueue } from './use-queue.ts'
import type { Selection } from './use-selection.ts'

type QueueListProps = {
  kind: ReviewKind
  isSearch: boolean
  queue: ReturnType<typeof useQueue>
  position: ReturnType<typeof useCurrent>
  selection: Selection
  conflicts: ReadonlyMap<string, ListedPublication>
  listRef: RefObject<HTMLDivElement | null>
}

/** The rows of the queue with what has arrived since, or the reason why there are none. */
export function QueueList({
  kind,
  isSearch,
  queue,
  position,
  selection,
  conflicts,
  listRef,
}: QueueListProps) {
  const words = useTranslations('queue')
  /** The next rows could not be read: an empty list would say that nothing is left. */
  const isMissingRest = queue.items.length === 0 && queue.total > 0 && queue.error !== null
  return (
    <>
      <Arrivals
        count={queue.arrived}
        label={words('arrived', { count: queue.arrived })}
        onShow={queue.refresh}
      />
      {queue.error !== null && <ShownFailure error={queue.error} onRetry={queue.refresh} />}
      {((!queue.isReady && queue.error === null) || queue.isRefilling) && <Skeleton lines={9} />}
      {queue.isReady && !queue.isRefilling && !isMissingRest && (
        <ReviewList
          kind={kind}
          label={words(`titles.${kind}`)}
          isSearch={isSearch}
          items={queue.items}
          current={position.current}
          selected={selection.chosen}
          conflicts={conflicts}
          onOpen={position.show}
          onSelect={selection.setChosen}
          listRef={listRef}
        />
      )}
    </>
  )
}
