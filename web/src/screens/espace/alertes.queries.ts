import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, got } from '../../api/client.ts'
import { ifMatch } from '../../api/versions.ts'
import type { ChoicesQuery, CommuneChoice } from '../../shell/choices/choices.ts'
import type { Niveau } from '../alertes/search.ts'
import type { AlerteStore, Managed } from '../alertes/store.ts'
import type { OwnActeur } from './rights.ts'

/** What an alerte is made for: a commune; or the mairie or the acteur of a group, and so all its communes or some. */
export type Owner = { kind: 'commune' | 'acteur'; id: string; nom: string }

/** Owners for which a mairie, or the acteur of a group, may write alertes; the first is preferred. */
export const ownersOf = ({ acteur_id, nom, mairie_of }: OwnActeur): Owner[] => {
  const communes = mairie_of.map(({ id, nom }) => ({ kind: 'commune' as const, id, nom }))
  const mairie = { kind: 'acteur' as const, id: acteur_id, nom }
  return communes.length === 1 ? [...communes, mairie] : [mairie, ...communes]
}

/** The newest alertes that are read of each owner. */
export const shownAlertes = 50

/** The newest alertes of a mairie and of its communes, in one list. */
export const ownAlertesQuery = (acteur: OwnActeur) => {
  const owners = ownersOf(acteur)
  return queryOptions({
    queryKey: ['alertes', 'own', owners.map(({ id }) => id)],
    queryFn: async ({ signal }) => {
      const pages = await Promise.all(owners.map((owner) => readAlertes(owner, signal)))
      const found = pages.flatMap(({ data }) => data)
      const isWhole = pages.every(({ data, meta }) => data.length >= meta.total)
      return { alertes: found.sort(newestFirst), isWhole }
    },
  })
}

const newestFirst = (one: Managed, other: Managed) => (one.created_at < other.created_at ? 1 : -1)

function readAlertes({ kind, id }: Owner, signal: AbortSignal) {
  const query = { per_page: shownAlertes }
  return kind === 'commune'
    ? got(
        api.GET('/api/v1/mairie/communes/{communeId}/alertes', {
          signal,
          params: { path: { communeId: id }, query },
        }),
      )
    : got(
        api.GET('/api/v1/mairie/acteurs/{acteurId}/alertes', {
          signal,
          params: { path: { acteurId: id }, query },
        }),
      )
}

/** How many residents subscribe to the alertes of a mairie's communes, or of a group's, and how many got each alerte. */
export const reachQuery = ({ acteur_id, mairie_of, groups }: OwnActeur) => {
  const ids = mairie_of.map(({ id }) => id)
  return queryOptions({
    queryKey: ['alertes', 'reach', acteur_id, ids, groups.length],
    queryFn: async ({ signal }) => {
      const [ofCommunes, ofActeur] = await Promise.all([
        Promise.all(ids.map((communeId) => readReach(communeId, signal))),
        groups.length > 0 ? readReachOfActeur(acteur_id, [], signal) : null,
      ])
      const all = [...ofCommunes, ...(ofActeur ? [ofActeur] : [])]
      const ofMairie = ofCommunes
        .flatMap(({ subscribers }) => subscribers)
        .reduce((sum, { kind, count }) => sum + (kind === 'alertes' ? count : 0), 0)
      const subscribers = ofActeur?.subscribers ?? ofMairie
      return {
        subscribers,
        isSending: all.some(({ alertes }) => alertes.some(({ is_sending }) => is_sending)),
        byAlerte: new Map(
          all.flatMap(({ alertes, ...of }) => alertes.map((one) => [one.id, { ...one, owner: ownerOf(of) }])),
        ),
      }
    },
  })
}

const ownerOf = (of: { communeId: string } | { acteurId: string }): Pick<Owner, 'kind' | 'id'> =>
  'communeId' in of ? { kind: 'commune', id: of.communeId } : { kind: 'acteur', id: of.acteurId }

/** How many residents an alerte for some communes of a group reaches. */
export const reachInQuery = ({ acteur_id }: OwnActeur, communeIds: readonly string[]) =>
  queryOptions({
    queryKey: ['alertes', 'reach', acteur_id, 'in', communeIds],
    queryFn: ({ signal }) => readReachOfActeur(acteur_id, communeIds, signal),
    placeholderData: keepPreviousData,
  })

/** More than so many communes are not counted. */
export const maxCounted = 100

const readReachOfActeur = async (acteurId: string, commune_ids: readonly string[], signal: AbortSignal) => {
  const query = commune_ids.length > 0 ? { commune_ids: [...commune_ids] } : {}
  const params = { path: { acteurId }, query }
  const { data } = await got(api.GET('/api/v1/mairie/acteurs/{acteurId}/reach', { signal, params }))
  return { ...data, acteurId }
}

/** The communes of the groups that name an acteur, by the beginning of a word. */
export const memberChoices =
  ({ groups }: OwnActeur) =>
  (q: string): ChoicesQuery<CommuneChoice> => ({
    queryKey: ['communes', 'choice', groups.map(({ id }) => id), q],
    async queryFn({ signal }) {
      const filter = { per_page: 20, ...(q !== '' && { q }) }
      const pages = await Promise.all(
        groups.map(({ id: group_id }) =>
          got(api.GET('/api/v1/communes', { signal, params: { query: { ...filter, group_id } } })),
        ),
      )
      const found = new Map(pages.flatMap(({ data }) => data).map((commune) => [commune.id, commune]))
      return [...found.values()].map(({ id, nom, departement }) => ({ id, nom, note: departement }))
    },
    placeholderData: keepPreviousData,
  })

/** The communes of the groups that name an acteur, all of them. */
export const membersQuery = ({ groups }: OwnActeur) =>
  queryOptions({
    queryKey: ['communes', 'members', groups.map(({ id }) => id)],
    async queryFn({ signal }): Promise<CommuneChoice[]> {
      const read = await Promise.all(
        groups.map(({ id: idOrSlug }) =>
          got(api.GET('/api/v1/groups/{idOrSlug}', { signal, params: { path: { idOrSlug } } })),
        ),
      )
      const found = new Map(read.flatMap(({ data }) => data.communes).map((commune) => [commune.id, commune]))
      return [...found.values()].map(({ id, nom, departement }) => ({ id, nom, note: departement }))
    },
  })

/** How many residents the alertes of a group are for, and what became of each. */
export const groupResultsQuery = ({ acteur_id }: OwnActeur) =>
  queryOptions({
    queryKey: ['alertes', 'results', acteur_id],
    queryFn: ({ signal }) => readReachOfActeur(acteur_id, [], signal),
  })

/** What became of the messages about a mairie's communes, and how their subscribers changed. */
export const resultsQuery = ({ mairie_of }: OwnActeur) =>
  queryOptions({
    queryKey: ['alertes', 'results', mairie_of.map(({ id }) => id)],
    queryFn: ({ signal }) =>
      Promise.all(mairie_of.map(async ({ id, nom }) => ({ ...(await readReach(id, signal)), nom }))),
  })

const readReach = async (communeId: string, signal: AbortSignal) => {
  const params = { path: { communeId } }
  const { data } = await got(api.GET('/api/v1/mairie/communes/{communeId}/reach', { signal, params }))
  return { ...data, communeId }
}

/** Sends an alerte of a commune, its mairie or a group again to the uncertain. */
export const resendAlerte = (owner: Pick<Owner, 'kind' | 'id'>, id: string) =>
  owner.kind === 'commune'
    ? got(
        api.POST('/api/v1/mairie/communes/{communeId}/alertes/{id}/resend', {
          params: { path: { communeId: owner.id, id } },
        }),
      )
    : got(
        api.POST('/api/v1/mairie/acteurs/{acteurId}/alertes/{id}/resend', {
          params: { path: { acteurId: owner.id, id } },
        }),
      )

/** `commune_ids`: of an alerte of a group, if it is for some of its members. */
type Creation = { titre: string; message: string; niveau: Niveau; fin: string | null; commune_ids?: string[] }

/** Creates an alerte. `key`: idempotency key, so that a retry does not create a second one. */
export async function createAlerte(key: string, { kind, id }: Owner, body: Creation): Promise<Managed> {
  const header = { 'Idempotency-Key': key }
  const made =
    kind === 'commune'
      ? await got(
          api.POST('/api/v1/mairie/communes/{communeId}/alertes', {
            params: { path: { communeId: id }, header },
            body,
          }),
        )
      : await got(
          api.POST('/api/v1/mairie/acteurs/{acteurId}/alertes', {
            params: { path: { acteurId: id }, header },
            body,
          }),
        )
  return made.data
}

/** Changes alertes by the routes of their mairie. */
export const ownAlertes: AlerteStore = {
  query: (alerte) => ({
    queryKey: ['alertes', 'one', alerte.id],
    queryFn: async ({ signal }) => {
      const { response, data, error } = await readOne(alerte, signal)
      if (response.status === 404) return null
      return (await got(Promise.resolve({ data, error, response }))).data
    },
  }),
  update: async (alerte, body) => {
    const header = ifMatch(alerte.version)
    const { id, commune_id, acteur_id } = alerte
    const saved =
      commune_id !== null
        ? await got(
            api.PATCH('/api/v1/mairie/communes/{communeId}/alertes/{id}', {
              params: { path: { communeId: commune_id, id }, header },
              body,
            }),
          )
        : await got(
            api.PATCH('/api/v1/mairie/acteurs/{acteurId}/alertes/{id}', {
              params: { path: { acteurId: acteur_id ?? '', id }, header },
              body,
            }),
          )
    return saved.data
  },
  remove: ({ id, commune_id, acteur_id, version }) => {
    const header = ifMatch(version)
    return commune_id !== null
      ? got(
          api.DELETE('/api/v1/mairie/communes/{communeId}/alertes/{id}', {
            params: { path: { communeId: commune_id, id }, header },
          }),
        )
      : got(
          api.DELETE('/api/v1/mairie/acteurs/{acteurId}/alertes/{id}', {
            params: { path: { acteurId: acteur_id ?? '', id }, header },
          }),
        )
  },
  restore: ({ id, commune_id, acteur_id }) =>
    commune_id !== null
      ? got(
          api.PATCH('/api/v1/mairie/communes/{communeId}/alertes/{id}/restore', {
            params: { path: { communeId: commune_id, id } },
          }),
        )
      : got(
          api.PATCH('/api/v1/mairie/acteurs/{acteurId}/alertes/{id}/restore', {
            params: { path: { acteurId: acteur_id ?? '', id } },
          }),
        ),
}

/** The alertes of a mairie and of its communes that were deleted, and can be restored. */
export const deletedAlertesQuery = (acteur: OwnActeur) => {
  const owners = ownersOf(acteur)
  return {
    queryKey: ['alertes', 'deleted', owners.map(({ id }) => id)],
    queryFn: async ({ signal }: { signal: AbortSignal }) => {
      const pages = await Promise.all(owners.map((owner) => readDeleted(owner, signal)))
      return pages.flat().sort((one, other) => (one.deleted_at < other.deleted_at ? 1 : -1))
    },
  }
}

async function readDeleted({ kind, id }: Owner, signal: AbortSignal) {
  const query = { per_page: 100 }
  const found =
    kind === 'commune'
      ? await got(
          api.GET('/api/v1/mairie/communes/{communeId}/alertes/deleted', {
            signal,
            params: { path: { communeId: id }, query },
          }),
        )
      : await got(
          api.GET('/api/v1/mairie/acteurs/{acteurId}/alertes/deleted', {
            signal,
            params: { path: { acteurId: id }, query },
          }),
        )
  const of = { commune_id: kind === 'commune' ? id : null, acteur_id: kind === 'acteur' ? id : null }
  return found.data.map((one) => ({ ...one, ...of }))
}

const readOne = ({ id, commune_id, acteur_id }: Managed, signal: AbortSignal) =>
  commune_id !== null
    ? api.GET('/api/v1/mairie/communes/{communeId}/alertes/{id}', {
        signal,
        params: { path: { communeId: commune_id, id } },
      })
    : api.GET('/api/v1/mairie/acteurs/{acteurId}/alertes/{id}', {
        signal,
        params: { path: { acteurId: acteur_id ?? '', id } },
      })
