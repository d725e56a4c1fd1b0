import { queryOptions } from '@tanstack/react-query'
import { api, got } from '../../api/client.ts'

export const dashboardQuery = queryOptions({
  queryKey: ['dashboard'],
  queryFn: ({ signal }) => got(api.GET('/api/v1/admin/dashboard', { signal })),
})
