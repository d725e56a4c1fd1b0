import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, got } from '../../api/client.ts'
import { atVersion } from '../../api/versions.ts'
import type { AlertesSearch } from './search.ts'
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
}
