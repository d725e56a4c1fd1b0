import { api, got } from '../../api/client.ts'
import { atVersion } from '../../api/versions.ts'
import type { CommuneEditing } from './editing.ts'
import { type Commune, communeQuery, readCommune } from './queries.ts'

/** Edits communes by the routes of administrators. */
export const asAdministrator: CommuneEditing<Commune> = {
  query: (id) => ({
    queryKey: communeQuery(id).queryKey,
    queryFn: ({ signal }) => readCommune(id, signal),
  }),
  patch: async (id, version, body) => {
    const params = atVersion({ id, version })
    return (await got(api.PATCH('/api/v1/admin/communes/{id}', { params, body }))).data
  },
  deleted: (communeId) => ({
    queryKey: ['communes', 'deleted', communeId],
    queryFn: async ({ signal }) => {
      const params = { path: { id: communeId }, query: { per_page: 100 } }
      return (await got(api.GET('/api/v1/admin/communes/{id}/deleted', { signal, params }))).data
    },
  }),
  restore: async (communeId, id) => {
    const params = { path: { communeId, id } }
    return (await got(api.PATCH('/api/v1/admin/communes/{communeId}/deleted/{id}/restore', { params }))).data
  },
  preview: async (commune_id, schedule, signal) => {
    const body = { ...schedule, commune_id }
    return (await got(api.POST('/api/v1/admin/communes/collectes/preview', { signal, body }))).data
  },
}
