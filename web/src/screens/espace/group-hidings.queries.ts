import { keepPreviousData, type QueryKey, queryOptions } from '@tanstack/react-query'
import type { components } from '../../api/api.generated.ts'
import { api, got } from '../../api/client.ts'

export type GroupPublication = components['schemas']['GroupPublication']
export type GroupAlerte = components['schemas']['GroupAlerte']

/** What a group shows in a commune, whose mairie may hide it there. */
export type FromGroup = Pick<GroupAlerte, 'id' | 'titre' | 'acteur' | 'hidden_at' | 'may_hide'>

export const perPage = 25

type Listed<Item> = { data: Item[]; meta: { total: number } }

/** Reads what groups show in a commune, newest first, and hides it there or shows it again. */
const hidingsOf = <Item extends FromGroup>(
  key: QueryKey,
  read: (
    communeId: string,
    query: { page: number; per_page: number },
    signal: AbortSignal,
  ) => Promise<Listed<Item>>,
  setHidden: (communeId: string, id: string, isHidden: boolean) => Promise<unknown>,
) => ({
  key,
  list: (communeId: string, page: number) =>
    queryOptions({
      queryKey: [...key, 'groups', communeId, { page }],
      queryFn: ({ signal }) => read(communeId, { page, per_page: perPage }, signal),
      placeholderData: keepPreviousData,
    }),
  setHidden,
})
export type GroupHidings<Item extends FromGroup> = ReturnType<typeof hidingsOf<Item>>

export const groupPublications = hidingsOf(
  ['publications'],
  (communeId, query, signal) => {
    const params = { path: { communeId }, query }
    return got(api.GET('/api/v1/mairie/communes/{communeId}/group-publications', { signal, params }))
  },
  (communeId, publicationId, isHidden) => {
    const path = '/api/v1/mairie/communes/{communeId}/group-publications/{publicationId}/hidden'
    const params = { path: { communeId, publicationId } }
    return got(isHidden ? api.PUT(path, { params }) : api.DELETE(path, { params }))
  },
)

export const groupAlertes = hidingsOf(
  ['alertes'],
  (communeId, query, signal) => {
    const params = { path: { communeId }, query }
    return got(api.GET('/api/v1/mairie/communes/{communeId}/group-alertes', { signal, params }))
  },
  (communeId, id, isHidden) => {
    const path = '/api/v1/mairie/communes/{communeId}/group-alertes/{id}/hidden'
    const params = { path: { communeId, id } }
    return got(isHidden ? api.PUT(path, { params }) : api.DELETE(path, { params }))
  },
)
