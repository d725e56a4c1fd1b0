import { queryOptions } from '@tanstack/react-query'
import { lookKinds, namesOf, pictureKinds } from '../../../../src/modules/communes/fields.ts'
import type { components } from '../../api/api.generated.ts'
import { api, got } from '../../api/client.ts'
import { ifMatch } from '../../api/versions.ts'
import type { CommuneEditing } from '../communes/editing.ts'

type CommuneOfMairie = components['schemas']['CommuneOfMairie']

const readCommune = async (communeId: string, signal: AbortSignal) =>
  (await got(api.GET('/api/v1/mairie/communes/{communeId}', { signal, params: { path: { communeId } } })))
    .data

export const communeOfMairieQuery = (communeId: string) =>
  queryOptions({
    queryKey: ['communes', 'own', communeId],
    queryFn: ({ signal }) => readCommune(communeId, signal),
  })

/** What the mairie changes itself. */
const ofMairie = ['infos', 'collectes', 'elus', ...namesOf(...lookKinds, ...pictureKinds)] as const

/** Edits a commune by the routes of its mairie. */
export const asMairie: CommuneEditing<CommuneOfMairie> = {
  query: (id) => ({
    queryKey: communeOfMairieQuery(id).queryKey,
    queryFn: ({ signal }) => readCommune(id, signal),
  }),
  patch: async (communeId, version, patch) => {
    const params = { path: { communeId }, header: ifMatch(version) }
    const body = Object.fromEntries(ofMairie.flatMap((name) => (name in patch ? [[name, patch[name]]] : [])))
    return (await got(api.PATCH('/api/v1/mairie/communes/{communeId}', { params, body }))).data
  },
  deleted: (communeId) => ({
    queryKey: ['communes', 'deleted', communeId],
    queryFn: async ({ signal }) => {
      const params = { path: { communeId }, query: { per_page: 100 } }
      return (await got(api.GET('/api/v1/mairie/communes/{communeId}/deleted', { signal, params }))).data
    },
  }),
  restore: async (communeId, id) => {
    const params = { path: { communeId, id } }
    return (await got(api.PATCH('/api/v1/mairie/communes/{communeId}/deleted/{id}/restore', { params }))).data
  },
  preview: async (communeId, body, signal) => {
    const params = { path: { communeId } }
    const path = '/api/v1/mairie/communes/{communeId}/collectes/preview'
    return (await got(api.POST(path, { signal, params, body }))).data
  },
}
