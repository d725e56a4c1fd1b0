import { type QueryClient, queryOptions } from '@tanstack/react-query'
import type { components } from '../../../api/api.generated.ts'
import { api, got } from '../../../api/client.ts'
import { type Listed, publicationQuery } from '../queries.ts'
import type { Content } from './content.ts'

type Corrected = components['schemas']['CorrectedPublication']
export type Member = components['schemas']['MemberPublication']

export const typesQuery = queryOptions({
  queryKey: ['publication-types'],
  staleTime: 600_000,
  queryFn: async ({ signal }) => (await got(api.GET('/api/v1/publications/types', { signal }))).data,
})

/** Saves a correction. `seen`: the version on which it is based. */
export async function correct(id: string, seen: number, body: Record<string, string | null>) {
  const params = { path: { id }, header: { 'If-Match': `"${seen}"` } }
  return (await got(api.PATCH('/api/v1/admin/publications/{id}', { params, body }))).data
}

/** Updates a changed record in all cached lists without reloading them, so that nothing moves. */
export function showChanged(client: QueryClient, changed: Corrected): void {
  client.setQueryData(publicationQuery(changed.id).queryKey, (before) => before && { ...before, ...changed })
  const lists = { queryKey: ['publications'], predicate: isList }
  client.setQueriesData<{ data: Listed[] }>(
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

/** Option of a combo box: an acteur or a commune. */
export type Choice = { id: string; nom: string; note?: string }
/** `canPublish`: the acteur publishes without moderation. */
export type ActeurChoice = Choice & { canPublish: boolean }

export type Search<Item> = (q: string) => {
  queryKey: string[]
  queryFn: (context: { signal: AbortSignal }) => Promise<Item[]>
}

/** Searches the active, validated acteurs by the beginning of their name. */
export const searchActeurs: Search<ActeurChoice> = (q) => ({
  queryKey: ['acteurs', 'choice', q],
  async queryFn({ signal }) {
    const query = { sort: 'nom_asc', valide: [true], active: [true], per_page: 20, ...(q !== '' && { q }) }
    const { data } = await got(
      api.GET('/api/v1/admin/acteurs', { signal, params: { query: query as never } }),
    )
    return data.map(({ id, nom, commune, can_publish }) => ({
      id,
      nom,
      ...(commune && { note: commune.nom }),
      canPublish: can_publish,
    }))
  },
})

export const searchCommunes: Search<Choice> = (q) => ({
  queryKey: ['communes', 'choice', q],
  async queryFn({ signal }) {
    const query = { per_page: 20, ...(q !== '' && { q }) }
    const { data } = await got(api.GET('/api/v1/communes', { signal, params: { query } }))
    return data.map(({ id, nom, departement }) => ({ id, nom, note: departement }))
  },
})

export type Creation = {
  content: Content
  acteur: string | null
  commune: string | null
  source_url: string
  image_url: string
  publie_le: string | null
}

/** Creates a publication. `key`: idempotency key, so that a retry does not create a second one. */
export async function create(key: string, { content, acteur, commune, publie_le, ...urls }: Creation) {
  const { title, body, ...others } = content
  const optional = Object.entries({ ...others, ...urls }).filter(([, value]) => value !== '')
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

/** Publication, in any state, of an acteur of which the user is a member. */
export const ownQuery = (id: string) =>
  queryOptions({
    queryKey: ['publications', 'own', id],
    queryFn: async ({ signal }): Promise<Member> => {
      const params = { path: { id } }
      return (await got(api.GET('/api/v1/me/publications/{id}', { signal, params }))).data
    },
  })
