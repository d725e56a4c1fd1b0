import { queryOptions } from '@tanstack/react-query'
import type { components } from '../../api/api.generated.ts'
import { api, got } from '../../api/client.ts'

export const dashboardQuery = queryOptions({
  queryKey: ['dashboard'],
  queryFn: ({ signal }) => got(api.GET('/api/v1/admin/dashboard', { signal })),
})

export type Day = components['schemas']['DashboardDay']

/** Daily figures. Events do not invalidate them: they may be a minute old. */
export const seriesQuery = queryOptions({
  queryKey: ['series'],
  staleTime: 60_000,
  queryFn: async ({ signal }) => {
    const params = { query: { days: 30 } }
    return (await got(api.GET('/api/v1/admin/dashboard/series', { signal, params }))).data
  },
})
