import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query'
import type { components } from '../../../api/api.generated.ts'
import { api, got } from '../../../api/client.ts'
import { atVersion } from '../../../api/versions.ts'
import { type ListedPublication, publicationQuery } from '../queries.ts'
import type { Content } from './content.ts'
import type { MineSearch } from './search.ts'

type Corrected = components['schemas']['CorrectedPublication']
export type Member = components['schemas']['MemberPublication']

export const typesQuery = queryOptions({
  queryKey: ['publication-types'],
  staleTime: 600_000,
  queryFn: async ({ signal }) => (await got(api.GET('/api/v1/publications/types', { signal }))).data,
})

/** Saves a correction. `seen`: the version on which it is based. */
export async function correct(id: string, seen: number, body: Record<string, string | null>) {
  const params = atVersion({ id, version: seen })
  return (await got(api.PATCH('/api/v1/admin/publications/{id}', { params, body }))).data
}

/** Updates a changed record in all cached lists without reloading them, so that nothing moves. */
export function showChanged(client: QueryClient, changed: Corrected): void {
  client.setQueryData(publicationQuery(changed.id).queryKey, (before) => before && { ...before, ...changed })
  const lists = { queryKey: ['publications'], predicate: isList }
  client.setQueriesData<{ data: ListedPublication[] }>(
    lists,
    (page) =>
      page && {
        ...page,
        data: page.data.map((row) => (row.id === changed.id ? { ...row, ...changed } : row)),
      },
  )
  for (const kind of ['history', 'similar', 'duplicates'])
    void client.invalidateQueries({ queryKey: ['publications', kind] })
}

const isList = ({ queryKey }: { queryKey: readonly unknown[] }) =>
  ['queue', 'reports', 'list'].includes(String(queryKey[1]))

export type Creation = {
  content: Content
  acteur: string | null
  commune: string | null
  publie_le: string | null
}

/** Creates a publication. `key`: idempotency key, so that a retry does not create a second one. */
export async function create(key: string, { content, acteur, commune, publie_le }: Creation) {
  const { title, body, ...others } = content
  const optional = Object.entries(others).filter(([, value]) => value !== '')
  const params = { header: { 'Idempotency-Key': key } }
  const given = {
    ...(acteur !== null && { acteur_id: acteur }),
    title,
    body,
    ...Object.fromEntries(optional),
    ...(commune !== null && { commune_id: commune }),
    ...(publie_le !== null && { publie_le }),
  }
  return (await got(api.POST('/api/v1/publications', { params, body: given as never }))).data
}

export const perPage = 25

/** Publications of the user's acteurs, newest first. */
export const mineQuery = ({ q, status, page = 1 }: MineSearch) =>
  queryOptions({
    queryKey: ['publications', 'mine', { q, status, page }],
    queryFn: ({ signal }) => {
      const filters = { ...(q && { q }), ...(status && { moderation_status: [status] }) }
      const query = { page, per_page: perPage, ...filters }
      return got(api.GET('/api/v1/me/publications', { signal, params: { query: query as never } }))
    },
    placeholderData: keepPreviousData,
  })

/** Publication, in any state, of an acteur of which the user is a member. */
export const ownQuery = (id: string) =>
  queryOptions({
    queryKey: ['publications', 'own', id],
    queryFn: async ({ signal }): Promise<Member> => {
      const params = { path: { id } }
      return (await got(api.GET('/api/v1/me/publications/{id}', { signal, params }))).data
    },
  })

/** Saves a member's changes. `seen`: the version on which they are based. */
export async function edit(id: string, seen: number, body: Record<string, string | null>): Promise<Member> {
  const params = atVersion({ id, version: seen })
  return (await got(api.PATCH('/api/v1/publications/{id}', { params, body }))).data
}

export async function deleteOwn(publication: Pick<Member, 'id' | 'version'>): Promise<Member> {
  return (await got(api.DELETE('/api/v1/publications/{id}', { params: atVersion(publication) }))).data
}
