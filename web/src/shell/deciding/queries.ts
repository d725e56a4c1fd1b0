import { queryOptions } from '@tanstack/react-query'
import type { components } from '../../api/api.generated.ts'
import { api, got } from '../../api/client.ts'
import { atVersion } from '../../api/versions.ts'

export type Template = components['schemas']['Template']
export type Decision = components['schemas']['Decision']

export type Ground = components['schemas']['PublicGround']

export type TemplateKind = Template['kind']

export const templatesQuery = (kind: TemplateKind) =>
  queryOptions({
    queryKey: ['templates', kind],
    staleTime: 60_000,
    queryFn: async ({ signal }) =>
      (await got(api.GET('/api/v1/admin/templates', { signal, params: { query: { kind } } }))).data,
  })

/** Active grounds, in their order; members of a mairie may read them too. */
export const groundsQuery = queryOptions({
  queryKey: ['grounds'],
  staleTime: 60_000,
  queryFn: async ({ signal }) => (await got(api.GET('/api/v1/grounds', { signal }))).data,
})

/** Returns the template's text with its placeholders filled in for a record. */
export async function fillIn(template: string, record: string): Promise<string> {
  const params = { path: { id: template } }
  const body = { id: record }
  return (await got(api.POST('/api/v1/admin/templates/{id}/preview', { params, body }))).data.body
}

export async function createTemplate(template: Pick<Template, 'kind' | 'name' | 'body' | 'ground'>) {
  const { kind, name, body, ground } = template
  return got(api.POST('/api/v1/admin/templates', { body: { kind, name, body, ground } }))
}

export async function updateTemplate(template: Template, body: { name: string; body: string }) {
  return got(api.PATCH('/api/v1/admin/templates/{id}', { params: atVersion(template), body }))
}

export async function deleteTemplate(template: Template) {
  return got(api.DELETE('/api/v1/admin/templates/{id}', { params: atVersion(template) }))
}

/** Decisions of the signed-in user, newest first. */
export const decisionsQuery = queryOptions({
  queryKey: ['decisions'],
  staleTime: 0,
  queryFn: async ({ signal }) => (await got(api.GET('/api/v1/admin/decisions', { signal }))).data,
})

export async function undoDecision(id: string) {
  return got(api.POST('/api/v1/admin/decisions/{id}/undo', { params: { path: { id } } }))
}
