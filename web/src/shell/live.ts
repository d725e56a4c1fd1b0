import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { isLive, receiveEvents } from '../api/events/shared.ts'
import { isDeciding } from './deciding/one-by-one.ts'

/** Queries that a topic touches besides those of its own name, and the dashboard. */
const others: Readonly<Record<string, readonly string[]>> = {
  publications: ['decisions'],
  reports: ['publications', 'decisions'],
  claims: ['decisions'],
}

const settleMs = 250
const pollMs = 30_000

/** Keeps what is shown up to date: by events while they flow, by asking again twice a minute while they do not. */
export function useLive(isOn: boolean): void {
  const client = useQueryClient()
  useEffect(() => {
    if (!isOn) return
    const outdated = collectOutdated(client)
    const leave = receiveEvents((topics) => outdated.add(topics === 'all' ? 'all' : topics.flatMap(keysOf)))
    const poll = setInterval(() => {
      if (!isLive.get()) outdated.add('all')
    }, pollMs)
    return () => {
      leave()
      clearInterval(poll)
      outdated.stop()
    }
  }, [isOn, client])
}

const keysOf = (topic: string) => [topic, 'dashboard', ...(others[topic] ?? [])]

/**
 * Collects what is outdated and has it loaded again once that disturbs nothing: not while a decision is under way, whose
 * own result is shown already; not before a request for the same has been answered, so that frequent changes never
 * keep a slow answer from coming; and not in a tab that nobody sees.
 */
function collectOutdated(client: QueryClient) {
  const keys = new Set<string>()
  let isAll = false
  let timer: ReturnType<typeof setTimeout> | undefined

  function settle(): void {
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
    if (isAll || keys.size > 0) timer = setTimeout(settle, settleMs)
  }
  document.addEventListener('visibilitychange', settle)

  return {
    add(more: readonly string[] | 'all'): void {
      if (more === 'all') isAll = true
      else for (const key of more) keys.add(key)
      timer ??= setTimeout(settle, 0)
    },
    stop(): void {
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', settle)
    },
  }
}

/** All but what stays as it is until somebody asks for it, and failures that are told with a way to try again. */
const reload = (client: QueryClient, key?: string) =>
  void client.invalidateQueries({
    ...(key !== undefined && { queryKey: [key] }),
    predicate: ({ meta, state }) => meta?.stays !== true && state.status !== 'error',
  })
