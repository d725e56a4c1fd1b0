import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { useDecisions } from '../deciding/decisions.ts'
import { type Listed, newestReviewQuery, publicationQuery, type ReviewKind, reviewQuery } from '../queries.ts'

const few = 10
const sizes = [50, 100] as const

type Options = {
  kind: ReviewKind
  q: string
  decisions: ReturnType<typeof useDecisions>
  current: string | null
}

/**
 * Publications left to decide on. More are loaded before they run out, and never while that would move the list. What a
 * colleague decides goes, but for the one that is shown.
 */
export function useQueue({ kind, q, decisions, current }: Options) {
  const [size, setSize] = useState<number>(sizes[0])
  const loaded = useQuery(reviewQuery({ kind, q, size }))
  const isLoaded = loaded.isSuccess && !loaded.isPlaceholderData
  const newest = useQuery({ ...newestReviewQuery({ kind, q, size }), enabled: isLoaded })
  const { refetch, isFetching } = loaded
  const rows = loaded.data?.data ?? []
  const now = isLoaded && newest.dataUpdatedAt > loaded.dataUpdatedAt ? newest.data : undefined
  const open = rows.filter(decisions.isOpen)
  const waiting = open.filter((row) => now === undefined || stillWaits(row, now))
  const items = open.filter((row) => row.id === current || waiting.includes(row))
  const total = (loaded.data?.meta.total ?? 0) - (rows.length - waiting.length)
  const index = items.findIndex(({ id }) => id === current)
  // An address may lead to one that the list does not hold.
  const alone = useQuery({ ...publicationQuery(current ?? ''), enabled: current !== null && index < 0 })
  const isShown = alone.data?.id === current && waits(kind, alone.data) && decisions.isOpen(alone.data)
  const isLow = items.length < few && total > items.length
  const { pending, settled } = decisions
  const changedAt = Math.max(settled.at, now ? newest.dataUpdatedAt : 0)
  const refilledAfter = useRef(0)
  useEffect(() => {
    // Once for each decision and each change at most: what was decided is not in the list any more then.
    if (!isLow || isFetching || refilledAfter.current >= changedAt) return
    refilledAfter.current = changedAt
    void refetch()
  }, [isLow, isFetching, refetch, changedAt])
  const isNearEnd = index >= rows.length - few && total > items.length
  useEffect(() => {
    if (isNearEnd) setSize(sizes[1])
  }, [isNearEnd])
  return {
    items,
    index,
    /** Publications that can be decided on now. */
    row: items[index] ?? (isShown ? alone.data : null) ?? null,
    total,
    isReady: loaded.data !== undefined,
    error: loaded.isError ? loaded.error : null,
    refresh: () => void refetch(),
    /** How many came in. Figures from before a decision say nothing about it. */
    arrived: now && pending === 0 && newest.dataUpdatedAt > settled.at ? now.meta.total - total : 0,
  }
}

/** One page tells nothing of what comes after its last row. */
function stillWaits(row: Listed, { data, meta }: { data: readonly Listed[]; meta: { total: number } }) {
  const last = data.at(-1)
  const isBeyond = last !== undefined && meta.total > data.length && row.created_at >= last.created_at
  return isBeyond || data.some(({ id }) => id === row.id)
}

const waits = (kind: ReviewKind, { moderation_status, reports_open }: Listed) =>
  kind === 'queue' ? moderation_status === 'pending' : reports_open > 0
