import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, got } from '../../api/client.ts'
import { atVersion } from '../../api/versions.ts'
import type { AlertesSearch, Niveau } from './search.ts'
import type { AlerteStore } from './store.ts'

export const perPage = 25

export const filtersOf = ({ niveau, when }: AlertesSearch) => ({
  ...(niveau && { niveau: [niveau] }),
  ...(when && { en_cours: [when === 'current'] }),
})

export const alertesQuery = ({ page = 1, ...filters }: AlertesSearch) =>
  queryOptions({
    queryKey: ['alertes', { ...filters, page }],
    queryFn: ({ signal }) => {
      const query = { page, per_page: perPage, ...filtersOf(filters) }
      return got(api.GET('/api/v1/admin/alertes', { signal, params: { query: query as never } }))
    },
    placeholderData: keepPreviousData,
  })

/** Alertes of all communes and mairies, as administrators change them. */
export const allAlertes: AlerteStore = {
  query: ({ id }) => ({
    queryKey: ['alertes', 'one', id],
    queryFn: async ({ signal }) => {
      const { data } = await got(
        api.GET('/api/v1/admin/alertes', { signal, params: { query: { ids: [id] } } }),
      )
      return data[0] ?? null
    },
  }),
  update: async (alerte, body) =>
    (await got(api.PATCH('/api/v1/admin/alertes/{id}', { params: atVersion(alerte), body }))).data,
  remove: (alerte) => got(api.DELETE('/api/v1/admin/alertes/{id}', { params: atVersion(alerte) })),
  restore: ({ id }) => got(api.PATCH('/api/v1/admin/alertes/{id}/restore', { params: { path: { id } } })),
}

/** The alertes that were deleted last, and can be restored. */
export const deletedAlertesQuery = {
  queryKey: ['alertes', 'deleted'],
  queryFn: async ({ signal }: { signal: AbortSignal }) => {
    const query = { per_page: 100 }
    return (await got(api.GET('/api/v1/admin/alertes/deleted', { signal, params: { query } }))).data
  },
}

type Creation = {
  titre: string
  message: string
  niveau: Niveau
  debut: string | null
  fin: string | null
}

/** Creates an alerte of a commune. `key`: idempotency key, so that a retry does not create a second one. */
export const createAlerte = async (key: string, communeId: string, body: Creation) => {
  const params = { path: { communeId }, header: { 'Idempotency-Key': key } }
  return (await got(api.POST('/api/v1/mairie/communes/{communeId}/alertes', { params, body }))).data
}
