import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { components, operations } from '../../../api/api.generated.ts'
import { api, got } from '../../../api/client.ts'
import { ifMatch } from '../../../api/versions.ts'

export type Secteur = components['schemas']['ManagedSecteur']
type Creation = operations['createMairieSecteur']['requestBody']['content']['application/json']
type Changes = operations['updateMairieSecteur']['requestBody']['content']['application/json']

const path = '/api/v1/mairie/communes/{communeId}/secteurs'

/** The secteurs of a commune, with their streets. Named by its collections, so that they are read again with it. */
export const secteursQuery = (communeId: string) =>
  queryOptions({
    queryKey: ['communes', 'secteurs', communeId],
    queryFn: async ({ signal }): Promise<Secteur[]> =>
      (await got(api.GET(path, { signal, params: { path: { communeId } } }))).data,
  })

/** Where the map of a commune begins; null: nobody knows. */
export const centreQuery = (communeId: string) =>
  queryOptions({
    queryKey: ['communes', 'centre', communeId],
    queryFn: async ({ signal }) => {
      const params = { path: { slug: communeId } }
      const { latitude, longitude } = (await got(api.GET('/api/v1/communes/{slug}', { signal, params }))).data
      return latitude === null || longitude === null ? null : { latitude, longitude }
    },
  })

/** How many addresses of a commune an area holds that is not saved yet. */
export const addressesInQuery = (communeId: string, zone: NonNullable<Secteur['zone']>) =>
  queryOptions({
    queryKey: ['communes', 'addresses', communeId, zone],
    queryFn: async ({ signal }) => {
      const params = { path: { communeId } }
      const body = { zone: zone as never }
      return (await got(api.POST(`${path}/addresses`, { signal, params, body }))).data
    },
    placeholderData: keepPreviousData,
  })

/** Parameters of a change of a secteur in the version that the user saw. */
const at = ({ id, commune_id: communeId, version }: Secteur) => ({
  path: { communeId, id },
  header: ifMatch(version),
})

/** Creates a secteur. `key`: idempotency key, so that a retry does not create a second one. */
export async function createSecteur(communeId: string, key: string, body: Creation): Promise<Secteur> {
  const params = { path: { communeId }, header: { 'Idempotency-Key': key } }
  return (await got(api.POST(path, { params, body }))).data
}

export async function updateSecteur(secteur: Secteur, body: Changes): Promise<Secteur> {
  return (await got(api.PATCH(`${path}/{id}`, { params: at(secteur), body }))).data
}

export async function deleteSecteur(secteur: Secteur): Promise<void> {
  await got(api.DELETE(`${path}/{id}`, { params: at(secteur) }))
}
