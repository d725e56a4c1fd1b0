import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { components } from '../../api/api.generated.ts'
import { api, got } from '../../api/client.ts'
import { atVersion } from '../../api/versions.ts'
import type { AlertesSearch, Niveau } from './search.ts'

export type Alerte = components['schemas']['ListedAlerte']
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

/** One alerte by its id; null if it was deleted. */
export const alerteQuery = (id: string) =>
  queryOptions({
    queryKey: ['alertes', 'one', id],
    queryFn: async ({ signal }): Promise<Alerte | null> => {
      const { data } = await got(
        api.GET('/api/v1/admin/alertes', { signal, params: { query: { ids: [id] } } }),
      )
      return data[0] ?? null
    },
  })

type Changed = {
  titre?: string
  message?: string
  niveau?: Niveau
  debut?: string | null
  fin?: string | null
}

export const updateAlerte = (alerte: Alerte, body: Changed) =>
  got(api.PATCH('/api/v1/admin/alertes/{id}', { params: atVersion(alerte), body }))

export const deleteAlerte = (alerte: Alerte) =>
  got(api.DELETE('/api/v1/admin/alertes/{id}', { params: atVersion(alerte) }))
