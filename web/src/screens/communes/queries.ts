import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { components, operations } from '../../api/api.generated.ts'
import { api, got } from '../../api/client.ts'
import type { CommunesSearch } from './search.ts'

export type ListedCommune = components['schemas']['ManagedCommune']
export type Commune = components['schemas']['CommuneRead']
export type Elu = Commune['elus'][number]
export type Collecte = Commune['collectes'][number]
export type Info = Commune['commune_infos'][number]
export type Preview = components['schemas']['CollectePreview']
export type PreviewBody = Omit<
  operations['previewCollecte']['requestBody']['content']['application/json'],
  'commune_id'
>
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

export const readCommune = async (id: string, signal: AbortSignal) =>
  (await got(api.GET('/api/v1/admin/communes/{id}/full', { signal, params: { path: { id } } }))).data

export const communeQuery = (id: string) =>
  queryOptions({
    queryKey: ['communes', 'one', id],
    queryFn: ({ signal }) => readCommune(id, signal),
  })

export type NewCommune = operations['createCommune']['requestBody']['content']['application/json']

/** `key`: idempotency key, so that a retry does not create a second one. */
export const createCommune = async (key: string, body: NewCommune) => {
  const params = { header: { 'Idempotency-Key': key } }
  return (await got(api.POST('/api/v1/admin/communes', { params, body }))).data
}

export type MairieOpening = operations['openMairie']['requestBody']['content']['application/json']

/** Opens the mairie of a commune. `key`: idempotency key, so that a retry invites nobody twice. */
export const openMairie = async (id: string, key: string, body: MairieOpening) => {
  const params = { path: { id }, header: { 'Idempotency-Key': key } }
  return (await got(api.POST('/api/v1/admin/communes/{id}/mairie', { params, body }))).data
}
