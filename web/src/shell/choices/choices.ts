import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, got } from '../../api/client.ts'
import type { Choice } from '../../ui/combo.tsx'

/** Query of the options that a combo box offers for a typed text. */
export type ChoicesQuery<Item extends Choice> = {
  queryKey: readonly unknown[]
  queryFn: (context: { signal: AbortSignal }) => Promise<Item[]>
  placeholderData: typeof keepPreviousData
}

/** A commune in a choice; `note` is its département. */
export type CommuneChoice = Required<Choice>

export const communeChoices = (q: string): ChoicesQuery<CommuneChoice> => ({
  queryKey: ['communes', 'choice', q],
  async queryFn({ signal }) {
    const query = { per_page: 20, ...(q !== '' && { q }) }
    const { data } = await got(api.GET('/api/v1/communes', { signal, params: { query } }))
    return data.map(({ id, nom, departement }) => ({ id, nom, note: departement }))
  },
  placeholderData: keepPreviousData,
})

/** The commune that an address names by its id. */
export const communeNameQuery = (id: string) =>
  queryOptions({
    queryKey: ['communes', 'name', id],
    queryFn: async ({ signal }): Promise<Choice> => {
      const { data } = await got(
        api.GET('/api/v1/communes/{slug}', { signal, params: { path: { slug: id } } }),
      )
      return { id: data.id, nom: data.nom }
    },
  })

/** An acteur in a choice; `note` is its commune. `canPublish`: it publishes without moderation. */
export type ActeurChoice = Choice & { canPublish: boolean }

type ActeurFilter = { type?: ['mairie'] | ['intercommunalite']; valide?: [true]; active?: [true] }

/** Acteurs by the beginning of their name. */
export const acteurChoices = (q: string, filter: ActeurFilter = {}): ChoicesQuery<ActeurChoice> => ({
  queryKey: ['acteurs', 'choice', filter, q],
  async queryFn({ signal }) {
    const query = { ...filter, sort: 'nom_asc' as const, per_page: 20, ...(q !== '' && { q }) }
    const { data } = await got(api.GET('/api/v1/admin/acteurs', { signal, params: { query } }))
    return data.map(({ id, nom, commune, can_publish }) => ({
      id,
      nom,
      ...(commune && { note: commune.nom }),
      canPublish: can_publish,
    }))
  },
  placeholderData: keepPreviousData,
})

/** The types of publications, for choices and filters. */
export const publicationTypesQuery = queryOptions({
  queryKey: ['publication-types', 'choice'],
  staleTime: 600_000,
  queryFn: async ({ signal }) => (await got(api.GET('/api/v1/publications/types', { signal }))).data,
})
