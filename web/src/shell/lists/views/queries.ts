import { queryOptions } from '@tanstack/react-query'
import type { components } from '../../../api/api.generated.ts'
import { api, got } from '../../../api/client.ts'

export const viewsQuery = (list: string) =>
  queryOptions({
    queryKey: ['views', list],
    queryFn: async ({ signal }) =>
      (await got(api.GET('/api/v1/me/views', { signal, params: { query: { list } } }))).data,
  })

export type View = components['schemas']['SavedView']

/** `role`: colleagues with it see the view too. */
export const saveView = (view: Pick<View, 'list' | 'name' | 'query'> & Partial<Pick<View, 'role'>>) =>
  got(api.POST('/api/v1/me/views', { body: view }))

export const deleteView = (id: string) =>
  got(api.DELETE('/api/v1/me/views/{id}', { params: { path: { id } } }))
