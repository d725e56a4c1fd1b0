import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { components } from '../../../api/api.generated.ts'
import { api, got } from '../../../api/client.ts'

export type Device = components['schemas']['ManagedDefibrillateur']
export type Sync = components['schemas']['DefibrillateurSync']
export const perPage = 25

export const ofCommuneQuery = (id: string, page: number) =>
  queryOptions({
    queryKey: ['defibrillateurs', 'commune', id, page],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => {
      const params = { path: { id }, query: { page, per_page: perPage } }
      return got(api.GET('/api/v1/admin/communes/{id}/defibrillateurs', { signal, params }))
    },
  })

/** The last syncs of a commune; null: of France. */
export const syncsQuery = (communeId: string | null) =>
  queryOptions({
    queryKey: ['defibrillateurs', 'syncs', communeId],
    queryFn: async ({ signal }) => {
      const params = { query: { per_page: 10, ...(communeId !== null && { commune_id: communeId }) } }
      return (await got(api.GET('/api/v1/admin/defibrillateurs-france/syncs', { signal, params }))).data
    },
  })

export function startSync(communeId: string | null, acceptFall: boolean) {
  const query = acceptFall ? { accept_fall: true } : {}
  return communeId === null
    ? got(api.POST('/api/v1/admin/defibrillateurs-france/sync', { params: { query } }))
    : got(
        api.POST('/api/v1/admin/communes/{id}/defibrillateurs/sync', {
          params: { path: { id: communeId }, query },
        }),
      )
}
