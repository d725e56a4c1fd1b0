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
