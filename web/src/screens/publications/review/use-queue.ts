import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { useDecisions } from '../deciding/decisions.ts'
import {
  firstSize,
  type ListedPublication,
  newestReviewQuery,
  publicationQuery,
  type ReviewFilter,
  type ReviewKind,
  readMatchingPublications,
  reviewFilters,
  reviewQuery,
} from '../queries.ts'

/** Fewer rows than this are filled up: somebody fast decides several while the next ones load. */
const few = 20

type Options = {
  kind: ReviewKind
  filter: ReviewFilter
  decisions: ReturnType<typeof useDecisions>
  current: string | null
}

/**
 * Publications that are still to be decided. Loads more before they run out, but never when that would move
 * the list. Removes those that a colleague has decided, except the one on the screen.
 */
export function useQueue({ kind, filter, decisions, current }: Options) {
  const [size, setSize] = useState<number>(firstSize)
  const loaded = useQuery(reviewQuery({ kind, filter, size }))
  const isLoaded = loaded.isSuccess && !loaded.isPlaceholderData
  const newest = useQuery({ ...newestReviewQuery({ kind, filter, size }), enabled: isLoaded })
  const { refetch, isFetching } = loaded
  const all = loaded.data?.data ?? []
  // Newest first, rows that arrive while the list refills would come before the open one: they are announced instead.
  const isNewestFirst = kind === 'queue' && filter.sort !== 'created_at_asc'
  const listed = JSON.stringify([kind, filter])
  const [top, setTop] = useState({ listed: '', at: '' })
  const first = isLoaded ? all[0]?.created_at : undefined
  useEffect(() => {
    if (first !== undefined && top.listed !== listed) setTop({ listed, at: first })
  }, [first, top, listed])
  const isLater = ({ id, created_at }: ListedPublication) =>
    isNewestFirst && top.listed === listed && created_at > top.at && id !== current
  const isWhollyLater = all.every(isLater)
  const rows = isWhollyLater ? all : all.filter((row) => !isLater(row))
  const later = all.length - rows.length
  const refresh = async () => {
    const { data } = await refetch()
    setTop({ listed, at: data?.data[0]?.created_at ?? '' })
  }
  const now = isLoaded && newest.dataUpdatedAt > loaded.dataUpdatedAt ? newest.data : undefined
  const open = rows.filter(decisions.isOpen)
  const waiting = now === undefined ? open : stillWaiting(open, rows, now, isNewestFirst)
  const items = open.filter((row) => row.id === current || waiting.includes(row))
  const total = (loaded.data?.meta.total ?? 0) - later - (rows.length - waiting.length)
  const index = items.findIndex(({ id }) => id === current)
  // The URL may name a publication that is not in the list.
  const alone = useQuery({ ...publicationQuery(current ?? ''), enabled: current !== null && index < 0 })
  const isShown = alone.data?.id === current && waits(kind, alone.data) && decisions.isOpen(alone.data)
  const isLow = items.length < few && total > items.length
  const { pending, settled } = decisions
  const changedAt = Math.max(settled.at, now ? newest.dataUpdatedAt : 0)
  const refilledAfter = useRef(0)
  // Refetches at most once per decision or change: the result no longer contains decided publications.
  const isDue = isLow && refilledAfter.current < changedAt
  useEffect(() => {
    if (!isDue || isFetching) return
    refilledAfter.current = changedAt
    void refetch()
  }, [isDue, isFetching, refetch, changedAt])
  const isNewer = now !== undefined && pending === 0 && newest.dataUpdatedAt > settled.at
  const isNearEnd = index >= rows.length - few && total > items.length
  useEffect(() => {
    if (isNearEnd) setSize(2 * firstSize)
  }, [isNearEnd])
  return {
    items,
    index,
    /** Publication on the screen, if it can still be decided; null otherwise. */
    row: items[index] ?? (isShown ? alone.data : null) ?? null,
    total,
    /** The total as the API says it: of a search, perhaps a lower bound. */
    meta: { total, total_is_at_least: loaded.data?.meta.total_is_at_least === true },
    isReady: loaded.data !== undefined,
    /** Whether all loaded rows are decided and the next ones are about to arrive. */
    isRefilling: items.length === 0 && total > 0 && (isFetching || pending > 0 || isDue),
    error: loaded.isError ? loaded.error : null,
    refresh: () => void refresh(),
    /** Reads what matches the filter and was not announced as new, at most as much as can be selected. */
    async readAll() {
      const all = await readMatchingPublications(reviewFilters({ kind, filter }))
      return all.filter((one) => !isLater(one) && decisions.isOpen(one))
    },
    /** Number of new publications. Ignores totals from before the latest decision. */
    arrived: isNewer && now ? now.meta.total - total : later,
  }
}

/** Rows that the newest page has too, or that it does not reach: they come after its last one. */
function stillWaiting(
  open: readonly ListedPublication[],
  rows: readonly ListedPublication[],
  { data, meta }: NewestPage,
  isNewestFirst: boolean,
) {
  const ids = new Set(data.map(({ id }) => id))
  const last = meta.total > data.length ? data.at(-1) : undefined
  const end = rows.findIndex(({ id }) => id === last?.id)
  // Newest first, more rows than a page has may have come before all of these.
  const after = ({ created_at }: ListedPublication) =>
    isNewestFirst && last !== undefined && created_at < last.created_at
  const beyond = new Set(end < 0 ? rows.filter(after) : rows.slice(end + 1))
  return open.filter((row) => ids.has(row.id) || beyond.has(row))
}

type NewestPage = { data: readonly ListedPublication[]; meta: { total: number } }

const waits = (kind: ReviewKind, { moderation_status, reports_open }: ListedPublication) =>
  kind === 'queue' ? moderation_status === 'pending' : reports_open > 0
