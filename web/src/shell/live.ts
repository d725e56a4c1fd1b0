import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { conflicts } from '../api/client.ts'
import { isLive, receiveEvents } from '../api/events/shared.ts'
import { isDeciding } from './deciding/one-by-one.ts'

/** Further query keys to invalidate for a topic, in addition to its own name and the dashboard. */
const others: Readonly<Record<string, readonly string[]>> = {
  publications: ['decisions'],
  reports: ['publications', 'decisions'],
  claims: ['decisions'],
  // A reversal restores what a decision took.
  complaints: ['publications', 'decisions'],
  // A merge moves them from one acteur to another.
  acteurs: ['publications', 'claims', 'subscriptions'],
  reference: ['publication-types', 'app-sources', 'search-terms'],
}

const retryMs = 250
const pollMs = 30_000

/**
 * Keeps the screen up to date: by events while they arrive, otherwise by polling twice a minute and after a change
 * that was refused because of another one.
 */
export function useLive(isOn: boolean): void {
  const client = useQueryClient()
  useEffect(() => {
    if (!isOn) return
    const outdated = collectOutdated(client)
    const leave = receiveEvents((topics) => outdated.add(topics === 'all' ? 'all' : topics.flatMap(keysOf)))
    const leaveConflicts = conflicts.subscribe(() => {
      if (!isLive.get()) outdated.add('all')
    })
    const poll = setInterval(() => {
      if (!isLive.get()) outdated.add('all')
    }, pollMs)
    return () => {
      leave()
      leaveConflicts()
      clearInterval(poll)
      outdated.stop()
    }
  }, [isOn, client])
}

const keysOf = (topic: string) => [topic, 'dashboard', ...(others[topic] ?? [])]

/**
 * Collects outdated query keys and defers their invalidation: while a decision is in progress, because its
 * result is already shown; while a request for the same key is pending, so that frequent changes never cancel
 * a slow response; and while the tab is hidden.
 */
function collectOutdated(client: QueryClient) {
  const keys = new Set<string>()
  let isAll = false
  let timer: ReturnType<typeof setTimeout> | undefined

  function flush(): void {
    clearTimeout(timer)
    timer = undefined
    if (document.visibilityState === 'hidden') return
    if (!isDeciding()) {
      if (isAll && client.isFetching() === 0) {
        isAll = false
        keys.clear()
        reload(client)
      }
      for (const key of isAll ? [] : keys) {
        if (client.isFetching({ queryKey: [key] }) > 0) continue
        keys.delete(key)
        reload(client, key)
      }
    }
    if (isAll || keys.size > 0) timer = setTimeout(flush, retryMs)
  }
  document.addEventListener('visibilitychange', flush)

  return {
    add(more: readonly string[] | 'all'): void {
      if (more === 'all') isAll = true
      else for (const key of more) keys.add(key)
      timer ??= setTimeout(flush, 0)
    },
    stop(): void {
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', flush)
    },
  }
}

/** Invalidates all queries except those with `stays`, and failed ones, which offer a retry button. */
const reload = (client: QueryClient, key?: string) =>
  void client.invalidateQueries({
    ...(key !== undefined && { queryKey: [key] }),
    predicate: ({ meta, state }) => meta?.stays !== true && state.status !== 'error',
  })
