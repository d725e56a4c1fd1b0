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
  preview: async (commune_id, schedule, signal) => {
    const body = { ...schedule, commune_id }
    return (await got(api.POST('/api/v1/admin/communes/collectes/preview', { signal, body }))).data
  },
}
