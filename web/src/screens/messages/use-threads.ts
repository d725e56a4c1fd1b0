import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type Filters, newestThreadsQuery, type Thread, threadQuery, threadsQuery } from './queries.ts'

/**
 * Threads of the list. Rows show their latest state without moving. Those that no longer match the filters
 * leave, except the one on the screen; new ones are counted and shown on request.
 */
export function useThreads(filters: Filters, current: string | null) {
  const client = useQueryClient()
  const loaded = useInfiniteQuery(threadsQuery(filters))
  const newest = useQuery({ ...newestThreadsQuery(filters), enabled: loaded.isSuccess })
  /** Results of the user's own changes. */
  const [changed, setChanged] = useState<ReadonlyMap<string, Thread>>(new Map())
  const opened = useQuery({ ...threadQuery(current ?? ''), enabled: current !== null })

  const rows = [
    ...new Map((loaded.data?.pages ?? []).flatMap(({ data }) => data).map((row) => [row.id, row])).values(),
  ]
  const now = newest.data && newest.dataUpdatedAt > loaded.dataUpdatedAt ? newest.data : undefined
  const latest = new Map(now?.data.map((row) => [row.id, row]))
  const items = rows
    .map((row) => newerOf(newerOf(row, latest.get(row.id)), changed.get(row.id)))
    .filter(
      (row) => row.id === current || (matches(row, filters) && (now === undefined || isListed(row, now))),
    )
  const known = new Set(rows.map(({ id }) => id))
  const last = rows.at(-1)
  const arrived = (now?.data ?? []).filter(
    (row) =>
      !known.has(row.id) &&
      (!loaded.hasNextPage || last === undefined || row.last_message_at > last.last_message_at),
  )
  const index = items.findIndex(({ id }) => id === current)
  return {
    items,
    index,
    /** Thread on the screen, which need not be in the list. */
    thread: opened.data ?? null,
    opened,
    row: items[index] ?? null,
    meta: now?.meta ?? loaded.data?.pages.at(-1)?.meta ?? { total: 0, total_is_at_least: false },
    isReady: loaded.data !== undefined,
    error: loaded.isError ? loaded.error : null,
    arrived: arrived.length,
    hasMore: loaded.hasNextPage,
    isLoadingMore: loaded.isFetchingNextPage,
    loadMore: () => void loaded.fetchNextPage(),
    refresh() {
      setChanged(new Map())
      void client.resetQueries({ queryKey: threadsQuery(filters).queryKey })
    },
    /** Shows the result of a change in the list. */
    put(...threads: Thread[]) {
      setChanged((before) => new Map([...before, ...threads.map((one): [string, Thread] => [one.id, one])]))
    },
  }
}

const newerOf = (row: Thread, other: Thread | undefined) =>
  other !== undefined && other.version >= row.version ? other : row

type Page = { data: readonly Thread[]; meta: { total: number } }

/** Whether a row is still in the list. A row after the end of the newest page counts as still there. */
function isListed(row: Thread, { data, meta }: Page): boolean {
  const last = data.at(-1)
  const isBeyond =
    last !== undefined && meta.total > data.length && row.last_message_at <= last.last_message_at
  return isBeyond || data.some(({ id }) => id === row.id)
}

/** Filters that a change may end at once; the service applies the others. */
const matches = (row: Thread, { status, assignee }: Filters) =>
  (status === 'all' || row.status === status) &&
  (assignee === undefined || (row.assignee_id ?? 'none') === assignee)
