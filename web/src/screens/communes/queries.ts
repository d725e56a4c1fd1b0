import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query'
import type { components, operations } from '../../api/api.generated.ts'
import { api, got } from '../../api/client.ts'
import { atVersion } from '../../api/versions.ts'
import { saveNewest } from '../../shell/editing/save.ts'
import type { CommunesSearch } from './search.ts'

export type ListedCommune = components['schemas']['ManagedCommune']
export type Commune = components['schemas']['CommuneRead']
export type Elu = Commune['elus'][number]
export type Collecte = Commune['collectes'][number]
export type Info = Commune['commune_infos'][number]
export type Preview = components['schemas']['CollectePreview']
type BodyOf<Name extends 'updateCommune' | 'previewCollecte'> =
  operations[Name]['requestBody']['content']['application/json']
type Patch = BodyOf<'updateCommune'>
export type PreviewBody = BodyOf<'previewCollecte'>
export const perPage = 50

/** Returns the query of the list in the API. */
export const queryOf = ({ q, departement, incomplete, sort, after }: CommunesSearch) => ({
  per_page: perPage,
  ...(q && { q }),
  ...(departement && { departement }),
  ...(incomplete && { incomplete }),
  ...(sort && { sort }),
  ...(after && { after }),
})

export const communesQuery = (search: CommunesSearch) => {
  const query = queryOf(search)
  return queryOptions({
    queryKey: ['communes', 'list', query],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => got(api.GET('/api/v1/admin/communes', { signal, params: { query } })),
  })
}

export const communeQuery = (id: string) =>
  queryOptions({
    queryKey: ['communes', 'one', id],
    queryFn: async ({ signal }) =>
      (await got(api.GET('/api/v1/admin/communes/{id}/full', { signal, params: { path: { id } } }))).data,
  })

async function patchCommune(id: string, version: number, body: Patch) {
  const params = atVersion({ id, version })
  return (await got(api.PATCH('/api/v1/admin/communes/{id}', { params, body }))).data
}

/**
 * Saves a part of the commune. `make` returns the change for the newest version that is known, or throws
 * `Overtaken` if that part is no longer what the user saw.
 */
export async function saveCommune(client: QueryClient, id: string, make: (now: Commune) => Patch) {
  const query = communeQuery(id)
  return saveNewest(client, query, async (now) => {
    const saved = await patchCommune(id, now.version, make(now))
    await client.cancelQueries(query)
    client.setQueryData(query.queryKey, { ...saved, present: now.present })
    void client.invalidateQueries({ queryKey: ['communes', 'list'] })
    return saved
  })
}

export const previewQuery = (body: PreviewBody) =>
  queryOptions({
    queryKey: ['collecte-preview', body],
    queryFn: async ({ signal }) =>
      (await got(api.POST('/api/v1/admin/communes/collectes/preview', { signal, body }))).data,
    placeholderData: keepPreviousData,
    staleTime: 60_000,
    retry: false,
  })
