import { queryOptions } from '@tanstack/react-query'
import type { components, operations } from '../../../api/api.generated.ts'
import { api, got } from '../../../api/client.ts'
import { queryClient } from '../../../api/queries.ts'
import { ifMatch } from '../../../api/versions.ts'

export type CommunePage = components['schemas']['ManagedPage']
export type ListedPage = components['schemas']['ManagedPageListed']
export type Contact = components['schemas']['PageContact']
type Creation = operations['createMairiePage']['requestBody']['content']['application/json']
type Changes = operations['updateMairiePage']['requestBody']['content']['application/json']

const root = 'commune-pages'

/** Pages of a commune in order, drafts too. */
export const pagesQuery = (communeId: string) =>
  queryOptions({
    queryKey: [root, communeId, 'list'],
    queryFn: async ({ signal }): Promise<ListedPage[]> => {
      const params = { path: { communeId } }
      return (await got(api.GET('/api/v1/mairie/communes/{communeId}/pages', { signal, params }))).data
    },
  })

export const pageQuery = (communeId: string, id: string) =>
  queryOptions({
    queryKey: [root, communeId, 'one', id],
    queryFn: async ({ signal }): Promise<CommunePage> => {
      const params = { path: { communeId, id } }
      return (await got(api.GET('/api/v1/mairie/communes/{communeId}/pages/{id}', { signal, params }))).data
    },
  })

/** Former titles and texts of a page, the latest first. */
export const versionsQuery = (communeId: string, id: string) =>
  queryOptions({
    queryKey: [root, communeId, 'versions', id],
    queryFn: async ({ signal }) => {
      const params = { path: { communeId, id } }
      const path = '/api/v1/mairie/communes/{communeId}/pages/{id}/versions'
      return (await got(api.GET(path, { signal, params }))).data
    },
  })

export const deletedPagesQuery = (communeId: string) => ({
  queryKey: [root, communeId, 'deleted'],
  queryFn: async ({ signal }: { signal: AbortSignal }) => {
    const params = { path: { communeId }, query: { per_page: 100 } }
    return (await got(api.GET('/api/v1/mairie/communes/{communeId}/pages/deleted', { signal, params }))).data
  },
})

type Seen = Pick<ListedPage, 'id' | 'commune_id' | 'version'>

/** Parameters of a change of a page in the version that the user saw. */
const at = ({ id, commune_id: communeId, version }: Seen) => ({
  path: { communeId, id },
  header: ifMatch(version),
})

/** Creates a page. `key`: idempotency key, so that a retry does not create a second one. */
export async function createPage(communeId: string, key: string, body: Creation): Promise<CommunePage> {
  const params = { path: { communeId }, header: { 'Idempotency-Key': key } }
  return (await got(api.POST('/api/v1/mairie/communes/{communeId}/pages', { params, body }))).data
}

export type PagesOfWordPress = components['schemas']['WordPressImport']

/** Imports the pages of a WordPress export, or tells what would come. A retry creates no page twice. */
export async function importWordPress(
  communeId: string,
  file: File,
  isDryRun: boolean,
): Promise<PagesOfWordPress> {
  const form = new FormData()
  form.append('dry_run', `${isDryRun}`)
  form.append('file', file, file.name)
  const sent = api.POST('/api/v1/mairie/communes/{communeId}/pages/wordpress-import', {
    params: { path: { communeId } },
    body: form as never,
    bodySerializer: (body: unknown) => body,
  })
  return (await got(sent)).data
}

export async function updatePage(page: Seen, body: Changes): Promise<CommunePage> {
  const params = at(page)
  return (await got(api.PATCH('/api/v1/mairie/communes/{communeId}/pages/{id}', { params, body }))).data
}

export async function deletePage(page: Seen): Promise<void> {
  await got(api.DELETE('/api/v1/mairie/communes/{communeId}/pages/{id}', { params: at(page) }))
}

export async function restorePage(communeId: string, id: string): Promise<CommunePage> {
  const params = { path: { communeId, id } }
  const { data } = await got(api.PATCH('/api/v1/mairie/communes/{communeId}/pages/{id}/restore', { params }))
  await refreshPages()
  return data
}

export async function restoreVersion(page: Seen, versionId: string): Promise<CommunePage> {
  const { path, header } = at(page)
  const params = { path: { ...path, versionId }, header }
  const address = '/api/v1/mairie/communes/{communeId}/pages/{id}/versions/{versionId}/restore'
  return (await got(api.PATCH(address, { params }))).data
}

/** Keeps a saved page, and reads again what shows it: a move changes the versions of others. */
export function putPage(saved: CommunePage): void {
  const { commune_id, id } = saved
  queryClient.setQueryData(pageQuery(commune_id, id).queryKey, saved)
  void queryClient.invalidateQueries(pagesQuery(commune_id))
  void queryClient.invalidateQueries(versionsQuery(commune_id, id))
}

export const refreshPages = () => queryClient.invalidateQueries({ queryKey: [root] })
