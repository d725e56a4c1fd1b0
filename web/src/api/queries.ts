import { QueryClient, queryOptions } from '@tanstack/react-query'
import { api, got } from './client.ts'
import { connection } from './connection.ts'
import { ApiFailure } from './failure.ts'

declare module '@tanstack/react-query' {
  interface Register {
    /** `stays`: a list that is loaded again when somebody asks for it, so that nothing moves under the cursor. */
    queryMeta: { stays?: boolean }
  }
}

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      // An error that a retry will not change is shown at once.
      retry: (failures, error) => error instanceof ApiFailure && error.isPassing && failures < 4,
      retryDelay: (failures) => Math.min(8_000, 500 * 2 ** failures),
    },
  },
})

// Queries that failed while the service was unavailable are loaded again once it is back.
let before = connection.get()
connection.subscribe(() => {
  const now = connection.get()
  if (now === 'ok' && before !== 'ok')
    void queryClient.invalidateQueries({
      predicate: ({ meta, state }) => meta?.stays !== true || state.status === 'error',
    })
  before = now
})

/** The signed-in user; null before sign-in. */
export const meQuery = queryOptions({
  queryKey: ['me'],
  staleTime: 60_000,
  queryFn: async ({ signal }) => {
    const { data, error, response } = await api.GET('/api/v1/me', { signal })
    // Also while a second factor has yet to be set up: signing in goes on with that.
    const isBefore = response.status === 401 || (error as { error?: string })?.error === 'enrolment_required'
    if (isBefore) return null
    return (await got(Promise.resolve({ data, error, response }))).data
  },
})
export type Me = NonNullable<Awaited<ReturnType<NonNullable<typeof meQuery.queryFn>>>>
