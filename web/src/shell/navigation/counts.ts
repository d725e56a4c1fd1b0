import { queryOptions } from '@tanstack/react-query'
import type { components } from '../../api/api.generated.ts'
import { api, got } from '../../api/client.ts'

type Counts = components['schemas']['WaitingCounts']

/** Waiting work in the areas that the user's roles open. Invalidated together with the dashboard. */
export const countsQuery = queryOptions({
  queryKey: ['dashboard', 'counts'],
  queryFn: async ({ signal }) => (await got(api.GET('/api/v1/admin/counts', { signal }))).data,
})

/** Name of the count for each screen. */
const waitsBehind: Readonly<Record<string, keyof Counts>> = {
  queue: 'publications',
  reports: 'reports',
  complaints: 'complaints',
  claims: 'claims',
  messages: 'threads',
  imports: 'runs',
  subscriptions: 'payment_events',
  mails: 'mails',
}

/** Returns how many items wait on a screen, and since when; null if there are none. */
export function waitingAt(counts: Counts | undefined, screen: string) {
  const key = waitsBehind[screen]
  const found = key === undefined ? undefined : counts?.[key]
  return found === undefined || found.count === 0 ? null : found
}

const lateAfterDays = 14

/** Whether an open complaint waits longer than it should. */
export const isLate = (since: string) => Date.now() - new Date(since).getTime() >= lateAfterDays * 86_400_000

/** Number of open complaints that are late. */
export const lateComplaintsQuery = queryOptions({
  queryKey: ['complaints', 'late'],
  queryFn: async ({ signal }) => {
    const query = { state: 'open', older_than_days: lateAfterDays, per_page: 1 } as const
    return (await got(api.GET('/api/v1/admin/complaints', { signal, params: { query } }))).meta.total
  },
})
