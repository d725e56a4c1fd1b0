import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { components } from '../../api/api.generated.ts'
import { api, got } from '../../api/client.ts'
import { atVersion, seenRows } from '../../api/versions.ts'
import type { ChoicesQuery } from '../../shell/choices/choices.ts'
import type { Why } from '../../shell/deciding/why.ts'
import { readMatching } from '../../shell/lists/chosen.ts'
import type { Choice } from '../../ui/combo.tsx'
import type { ActeursSearch } from './search.ts'

export type ListedActeur = components['schemas']['Acteur']
export type Acteur = components['schemas']['ActeurRead']
export type BulkResult = components['schemas']['ActeurBulkResult']

const perPage = 50
const is = (value: 'yes' | 'no' | undefined) => value && [value === 'yes']

/** Returns the filters and the sort of the list in the API. */
export const queryOf = ({ q, type, commune, valide, state, publishes, badge, sort }: ActeursSearch) => ({
  sort: sort ?? 'created_at_desc',
  ...(q && { q }),
  ...(type && { type: [type] }),
  ...(commune && { commune_id: commune }),
  ...(valide && { valide: is(valide) }),
  ...(publishes && { can_publish: is(publishes) }),
  ...(badge && { badge }),
  ...(state === 'deleted' ? { deleted: 'only' } : state && { active: [state === 'active'] }),
})

/** Pages of the list by cursor. */
export const acteursQuery = (search: ActeursSearch) =>
  infiniteQueryOptions({
    queryKey: ['acteurs', 'list', queryOf(search)],
    initialPageParam: '',
    queryFn: ({ signal, pageParam: after }) => {
      const query = { ...queryOf(search), per_page: perPage, ...(after !== '' && { after }) }
      return got(api.GET('/api/v1/admin/acteurs', { signal, params: { query: query as never } }))
    },
    getNextPageParam: ({ meta }) => meta.next,
    placeholderData: keepPreviousData,
  })

/** Reads the first acteurs that match the filters, to select them. */
export const readMatchingActeurs = (search: ActeursSearch) =>
  readMatching((page) => {
    const query = { ...queryOf(search), ...page }
    return got(api.GET('/api/v1/admin/acteurs', { params: { query: query as never } }))
  })

const pollMs = 1_000

/** Reloaded every second while lists follow a decision: the steps of that job are no events. */
export const acteurQuery = (id: string) =>
  queryOptions({
    queryKey: ['acteurs', 'one', id],
    queryFn: async ({ signal }): Promise<Acteur> =>
      (await got(api.GET('/api/v1/admin/acteurs/{id}', { signal, params: { path: { id } } }))).data,
    refetchInterval: ({ state }) => (state.data?.refreshing ? pollMs : false),
  })

export const yearQuery = (id: string) =>
  queryOptions({
    queryKey: ['acteurs', 'year', id],
    queryFn: async ({ signal }) =>
      (await got(api.GET('/api/v1/admin/acteurs/{id}/record', { signal, params: { path: { id } } }))).data,
  })

const latest = 5

/** The latest publications, and how many there are. */
export const publicationsQuery = (acteur_id: string) =>
  queryOptions({
    queryKey: ['publications', 'of-acteur', acteur_id],
    queryFn: ({ signal }) => {
      const params = { query: { acteur_id, per_page: latest } as never }
      return got(api.GET('/api/v1/admin/publications', { signal, params }))
    },
  })

export const claimsQuery = (acteur_id: string) =>
  queryOptions({
    queryKey: ['claims', 'of-acteur', acteur_id],
    queryFn: async ({ signal }) => {
      const params = { query: { acteur_id, per_page: latest } as never }
      return (await got(api.GET('/api/v1/admin/claims', { signal, params }))).data
    },
  })

export const subscriptionsQuery = (acteur_id: string) =>
  queryOptions({
    queryKey: ['subscriptions', 'of-acteur', acteur_id],
    queryFn: async ({ signal }) => {
      const params = { query: { acteur_id, per_page: latest } as never }
      return (await got(api.GET('/api/v1/admin/subscriptions', { signal, params }))).data
    },
  })

/** Acteurs of the same type, by the beginning of their name. The address tells namesakes apart. */
export const targetChoices = (q: string, acteur: ListedActeur): ChoicesQuery<Choice> => ({
  queryKey: ['acteurs', 'target', acteur.id, q],
  async queryFn({ signal }) {
    const query = { type: [acteur.type], sort: 'nom_asc' as const, per_page: 20, ...(q !== '' && { q }) }
    const { data } = await got(api.GET('/api/v1/admin/acteurs', { signal, params: { query } }))
    const others = data.filter(({ id }) => id !== acteur.id)
    return others.map(({ id, nom, commune, adresse }) => {
      const note = [commune?.nom, adresse].filter(Boolean).join(' · ')
      return { id, nom, ...(note && { note }) }
    })
  },
  placeholderData: keepPreviousData,
})

type One = Pick<ListedActeur, 'id' | 'version'>

export type Values = Partial<
  Pick<
    ListedActeur,
    'nom' | 'type' | 'commune_id' | 'description' | 'adresse' | 'telephone' | 'email' | 'site_web'
  >
>

export const updateActeur = async (one: One, body: Values) =>
  (await got(api.PATCH('/api/v1/admin/acteurs/{id}', { params: atVersion(one), body: body as never }))).data

/** `key`: idempotency key, so that a retry does not create a second one. */
export const createActeur = async (key: string, body: Values) => {
  const params = { header: { 'Idempotency-Key': key } }
  return (await got(api.POST('/api/v1/admin/acteurs', { params, body: body as never }))).data
}

export const validate = (one: One, valide: boolean) =>
  got(api.PATCH('/api/v1/admin/acteurs/{id}/validate', { params: atVersion(one), body: { valide } }))
export const setActive = (one: One, active: boolean, why: Why) =>
  got(api.PATCH('/api/v1/admin/acteurs/{id}/active', { params: atVersion(one), body: { active, ...why } }))
export const setCanPublish = (one: One, can_publish: boolean) =>
  got(api.POST('/api/v1/admin/acteurs/{id}/can-publish', { params: atVersion(one), body: { can_publish } }))
export const setBadge = (one: One, badge: string | null) =>
  got(api.PATCH('/api/v1/admin/acteurs/{id}/badge', { params: atVersion(one), body: { badge } }))
export const deleteActeur = (one: One) =>
  got(api.DELETE('/api/v1/admin/acteurs/{id}', { params: atVersion(one) }))
export const restoreActeur = (one: One) =>
  got(api.DELETE('/api/v1/admin/acteurs/{id}/restore', { params: atVersion(one) }))

export const mergeActeur = async (one: One, into: string) =>
  (await got(api.POST('/api/v1/admin/acteurs/{id}/merge', { params: atVersion(one), body: { into } }))).data

export type Decision = { validate?: boolean; active?: boolean; can_publish?: boolean; badge?: string | null }

const maxConcurrent = 100

/** Decides on any number of acteurs, up to a hundred in one request. `results`: also of what was decided before one failed. */
export async function decideMany(
  rows: readonly One[],
  decision: Decision,
  why: Why = {},
  results: BulkResult[] = [],
): Promise<BulkResult[]> {
  for (let from = 0; from < rows.length; from += maxConcurrent) {
    const body = { ...seenRows(rows.slice(from, from + maxConcurrent)), ...decision, ...why }
    results.push(...(await got(api.PATCH('/api/v1/admin/acteurs/bulk', { body }))).data)
  }
  return results
}

/**
 * Returns changed acteurs to their former state, with one request for each distinct state. `versions`: those that the
 * decision left; the service skips acteurs that have a newer one.
 */
export async function undoMany(
  results: readonly BulkResult[],
  decision: Decision,
  versions: ReadonlyMap<string, number>,
): Promise<BulkResult[]> {
  const groups = new Map<string, { rows: One[]; former: Decision }>()
  for (const { id, result, previous } of results) {
    if (result !== 'updated' || previous === null) continue
    const all: Required<Decision> = { ...previous, validate: previous.valide }
    const names = Object.keys(decision) as (keyof Decision)[]
    const former: Decision = Object.fromEntries(names.map((name) => [name, all[name]]))
    const key = JSON.stringify(former)
    const group = groups.get(key) ?? { former, rows: [] }
    group.rows.push({ id, version: versions.get(id) ?? 0 })
    groups.set(key, group)
  }
  const undone: BulkResult[] = []
  for (const { rows, former } of groups.values()) undone.push(...(await decideMany(rows, former)))
  return undone
}
