import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { useDecisions } from '../deciding/decisions.ts'
import { type Listed, publicationQuery, type ReviewKind, reviewQuery } from '../queries.ts'

const few = 10
const sizes = [50, 100] as const

type Options = {
  kind: ReviewKind
  q: string
  decisions: ReturnType<typeof useDecisions>
  current: string | null
}

/** Publications left to decide on. More are loaded before they run out, and never while that would move the list. */
export function useQueue({ kind, q, decisions, current }: Options) {
  const [size, setSize] = useState<number>(sizes[0])
  const loaded = useQuery(reviewQuery(kind, q, size))
  const { refetch, isFetching } = loaded
  const rows = loaded.data?.data ?? []
  const items = rows.filter(decisions.isOpen)
  const total = (loaded.data?.meta.total ?? 0) - (rows.length - items.length)
  const index = items.findIndex(({ id }) => id === current)
  // An address may lead to one that the list does not hold.
  const alone = useQuery({ ...publicationQuery(current ?? ''), enabled: current !== null && index < 0 })
  const isShown = alone.data?.id === current && waits(kind, alone.data) && decisions.isOpen(alone.data)
  const isLow = items.length < few && total > items.length
  const { pending, settled } = decisions
  const refilledAfter = useRef(0)
  useEffect(() => {
    // Once for each decision at most: what it decided is not in the list any more then.
    if (!isLow || isFetching || refilledAfter.current === settled.count) return
    refilledAfter.current = settled.count
    void refetch()
  }, [isLow, isFetching, refetch, settled.count])
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
    knownSince: pending > 0 || isFetching ? null : Math.max(settled.at, loaded.dataUpdatedAt),
  }
}

const waits = (kind: ReviewKind, { moderation_status, reports_open }: Listed) =>
  kind === 'queue' ? moderation_status === 'pending' : reports_open > 0
