import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, got } from '../../api/client.ts'
import type { AdminActsSearch } from './search.ts'

export const perPage = 25

/** Acts of all mairies, the newest first. */
export const adminActsQuery = ({ show, page = 1 }: AdminActsSearch) => {
  const query = {
    page,
    per_page: perPage,
    ...(show === 'unstamped' ? { stamped: false as const } : show && { state: [show] }),
  }
  return queryOptions({
    queryKey: ['acts', 'all', query],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => got(api.GET('/api/v1/admin/acts', { signal, params: { query } })),
  })
}

/** What mairies should have published, the longest overdue first. */
export const overdueActsQuery = queryOptions({
  queryKey: ['acts', 'overdue'],
  queryFn: async ({ signal }) => (await got(api.GET('/api/v1/admin/acts/due', { signal }))).data,
})
