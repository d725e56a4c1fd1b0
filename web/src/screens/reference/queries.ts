import { queryOptions } from '@tanstack/react-query'
import type { components } from '../../api/api.generated.ts'
import { api, got } from '../../api/client.ts'
import { atVersion, ifMatch } from '../../api/versions.ts'

export type PublicationType = components['schemas']['AdminPublicationType']
export type AppSource = components['schemas']['AppSource']
export type SearchTerm = components['schemas']['SearchTerm']

/** The pages to which a term can lead, in the order of the menu. */
export const searchTopics = [
  ...(['collectes', 'mairie', 'elus', 'agenda', 'alertes'] as const),
  ...(['acteurs', 'defibrillateurs', 'abonnement'] as const),
] satisfies SearchTerm['topic'][]

export const typesQuery = queryOptions({
  queryKey: ['publication-types'],
  queryFn: async ({ signal }) => (await got(api.GET('/api/v1/admin/publication-types', { signal }))).data,
})

export const sourcesQuery = queryOptions({
  queryKey: ['app-sources'],
  queryFn: async ({ signal }) => (await got(api.GET('/api/v1/admin/app-sources', { signal }))).data,
})

export const termsQuery = queryOptions({
  queryKey: ['search-terms'],
  queryFn: async ({ signal }) => (await got(api.GET('/api/v1/admin/search-terms', { signal }))).data,
})

export async function saveType(
  before: PublicationType | null,
  body: { libelle: string; position: number },
): Promise<void> {
  if (before === null) await got(api.POST('/api/v1/admin/publication-types', { body }))
  else {
    const params = atVersion(before)
    await got(api.PATCH('/api/v1/admin/publication-types/{id}', { params, body }))
  }
}

export async function saveSource(
  before: AppSource | null,
  { code, ...body }: { code: string; label: string; active?: boolean; commune_ids?: string[] | null },
): Promise<void> {
  if (before === null) await got(api.POST('/api/v1/admin/app-sources', { body: { code, ...body } }))
  else {
    const params = { path: { code: before.code }, header: ifMatch(before.version) }
    await got(api.PATCH('/api/v1/admin/app-sources/{code}', { params, body }))
  }
}

export async function saveTerm(
  before: SearchTerm | null,
  body: Pick<SearchTerm, 'term' | 'topic'>,
): Promise<void> {
  if (before === null) await got(api.POST('/api/v1/admin/search-terms', { body }))
  else {
    const params = atVersion(before)
    await got(api.PATCH('/api/v1/admin/search-terms/{id}', { params, body }))
  }
}

export async function deleteTerm(term: SearchTerm): Promise<void> {
  await got(api.DELETE('/api/v1/admin/search-terms/{id}', { params: atVersion(term) }))
}
