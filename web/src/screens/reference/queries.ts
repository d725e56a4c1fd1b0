import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { components } from '../../api/api.generated.ts'
import { api, got } from '../../api/client.ts'

export type PublicationType = components['schemas']['AdminPublicationType']
export type AppSource = components['schemas']['AppSource']

export const typesQuery = queryOptions({
  queryKey: ['publication-types'],
  queryFn: async ({ signal }) => (await got(api.GET('/api/v1/admin/publication-types', { signal }))).data,
})

export const sourcesQuery = queryOptions({
  queryKey: ['app-sources'],
  queryFn: async ({ signal }) => (await got(api.GET('/api/v1/admin/app-sources', { signal }))).data,
})

/** A commune in a choice; `note` is its département. */
export type Commune = { id: string; nom: string; note: string }

export const communesQuery = (q: string) =>
  queryOptions({
    queryKey: ['communes', 'choice', q],
    queryFn: async ({ signal }): Promise<Commune[]> => {
      const params = { query: { per_page: 20, ...(q !== '' && { q }) } }
      const { data } = await got(api.GET('/api/v1/communes', { signal, params }))
      return data.map(({ id, nom, departement }) => ({ id, nom, note: departement }))
    },
    placeholderData: keepPreviousData,
  })

export async function saveType(
  before: PublicationType | null,
  body: { libelle: string; position: number },
): Promise<void> {
  if (before === null) await got(api.POST('/api/v1/admin/publication-types', { body }))
  else {
    const params = { path: { id: before.id }, header: { 'If-Match': `"${before.version}"` } }
    await got(api.PATCH('/api/v1/admin/publication-types/{id}', { params, body }))
  }
}

export async function saveSource(
  before: AppSource | null,
  { code, ...body }: { code: string; label: string; active?: boolean; commune_ids?: string[] | null },
): Promise<void> {
  if (before === null) await got(api.POST('/api/v1/admin/app-sources', { body: { code, ...body } }))
  else {
    const params = { path: { code: before.code }, header: { 'If-Match': `"${before.version}"` } }
    await got(api.PATCH('/api/v1/admin/app-sources/{code}', { params, body }))
  }
}
