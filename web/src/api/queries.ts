import { type FetchQueryOptions, QueryClient, type QueryKey, queryOptions } from '@tanstack/react-query'
import { api, got, roleRefusals } from './client.ts'
import { connection } from './connection.ts'
import { ApiFailure } from './failure.ts'

declare module '@tanstack/react-query' {
  interface Register {
    /**
     * `stays`: the query is reloaded only on request, so that nothing moves under the cursor. `repeats`: it is sent again by
     * its own interval, even after a failure.
     */
    queryMeta: { stays?: boolean; repeats?: boolean }
  }
}

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      // What the user reads stays when they come back to the tab, too.
      refetchOnWindowFocus: ({ meta }) => meta?.stays !== true,
      refetchOnReconnect: ({ meta }) => meta?.stays !== true,
      // Does not retry permanent errors, so that they are shown immediately.
      retry: (failures, error) => error instanceof ApiFailure && error.isPassing && failures < 4,
      retryDelay: (failures, error) => Math.max(backoffMs(failures), waitOf(error)),
    },
    // Fails at once without a network: a paused mutation would be sent later, even after the user has cancelled it.
    mutations: { networkMode: 'always' },
  },
})

/** Options of a query that nothing but `refetch` reloads. */
export const onlyOnRequest = {
  staleTime: Number.POSITIVE_INFINITY,
  meta: { stays: true },
} as const

/** Reads data again after a change. A request that began before the change would answer with what was before it. */
export async function readAfresh<Data, Key extends QueryKey>(
  client: QueryClient,
  query: FetchQueryOptions<Data, Error, Data, Key>,
): Promise<Data> {
  await client.cancelQueries({ queryKey: query.queryKey, exact: true })
  return client.fetchQuery({ ...query, staleTime: 0 })
}

/** Tabs that failed together do not come back together. */
const backoffMs = (failures: number) => Math.min(8_000, 500 * 2 ** failures) * (0.75 + Math.random() / 2)
const maxWaitMs = 30_000
/** What the service asks for, which knows its load. */
const waitOf = (error: Error) =>
  error instanceof ApiFailure ? Math.min(maxWaitMs, error.retryAfterS * 1_000) : 0

// Reloads once the service is available again: what failed, and after a time without any response all that may have
// changed. Never more while the service is busy, which would be busier for it.
let before = connection.get()
connection.subscribe(() => {
  const now = connection.get()
  const wasAway = before === 'offline' || before === 'unreachable'
  if (now === 'ok' && before !== 'ok')
    void queryClient.invalidateQueries({
      predicate: ({ meta, state }) =>
        meta?.repeats !== true && (state.status === 'error' || (wasAway && meta?.stays !== true)),
    })
  before = now
})

/** The signed-in user; null before sign-in. */
export const meQuery = queryOptions({
  queryKey: ['me'],
  staleTime: 60_000,
  queryFn: async ({ signal }) => {
    const { data, error, response } = await api.GET('/api/v1/me', { signal })
    // A user who still has to set up a second factor counts as signed out: sign-in continues with that step.
    const isBefore = response.status === 401 || (error as { error?: string })?.error === 'enrolment_required'
    if (isBefore) return null
    return (await got(Promise.resolve({ data, error, response }))).data
  },
})
export type Me = NonNullable<Awaited<ReturnType<NonNullable<typeof meQuery.queryFn>>>>

// Roles have changed while the user was signed in: a reload removes what they no longer open.
roleRefusals.subscribe(async () => {
  const before = queryClient.getQueryData(meQuery.queryKey)
  const now = await queryClient.fetchQuery({ ...meQuery, staleTime: 0 }).catch(() => before)
  if (String(now?.areas) !== String(before?.areas)) location.reload()
})
