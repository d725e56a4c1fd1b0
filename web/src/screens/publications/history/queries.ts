import { queryOptions } from '@tanstack/react-query'
import type { components } from '../../../api/api.generated.ts'
import { api, got } from '../../../api/client.ts'

export type Version = components['schemas']['PublicationVersion']

/** Largest page size; the service keeps 100 versions. */
const perPage = 100

/** Versions of a publication, newest first. */
export const historyQuery = (id: string) =>
  queryOptions({
    queryKey: ['publications', 'history', id],
    queryFn: async ({ signal }) => {
      const params = { path: { id }, query: { per_page: perPage } }
      return (await got(api.GET('/api/v1/admin/publications/{id}/history', { signal, params }))).data
    },
  })
