import { queryOptions } from '@tanstack/react-query'
import type { components } from '../../../api/api.generated.ts'
import { api, got } from '../../../api/client.ts'

export type Version = components['schemas']['PublicationVersion']

/** The service keeps a hundred. */
const perPage = 100

/** Newest first. */
export const historyQuery = (id: string) =>
  queryOptions({
    queryKey: ['publications', 'history', id],
    queryFn: async ({ signal }) => {
      const params = { path: { id }, query: { per_page: perPage } }
      return (await got(api.GET('/api/v1/admin/publications/{id}/history', { signal, params }))).data
    },
  })
