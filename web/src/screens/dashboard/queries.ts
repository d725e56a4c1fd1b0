import { queryOptions } from '@tanstack/react-query'
import { api, got } from '../../api/client.ts'
import { ownFactors } from '../../api/factors.ts'

export const dashboardQuery = queryOptions({
  queryKey: ['dashboard'],
  queryFn: ({ signal }) => got(api.GET('/api/v1/admin/dashboard', { signal })),
})

export const factorsQuery = queryOptions({ queryKey: ['me', 'factors'], queryFn: ownFactors.list })
