import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, got } from '../../../api/client.ts'
import { filterQuery } from '../queries.ts'
import type { ListSearch } from './search.ts'

export const perPage = 25

export const listQuery = (search: ListSearch) =>
  queryOptions({
    queryKey: ['publications', 'list', search],
    queryFn: ({ signal }) =>
      got(api.GET('/api/v1/admin/publications', { signal, params: { query: queryOf(search) as never } })),
    placeholderData: keepPreviousData,
  })

export function queryOf({ q, status, only, sort = 'created_at_desc', page = 1, ...shared }: ListSearch) {
  return {
    page,
    per_page: perPage,
    sort,
    ...(q && { q }),
    ...filterQuery(shared),
    ...(status === 'deleted' ? { deleted: 'only' } : status && { moderation_status: [status] }),
    ...(only === 'reported' && { reported: [true] }),
    ...(only === 'featured' && { en_avant: [true] }),
    ...(only === 'hidden' && { visible: [false] }),
  }
}
