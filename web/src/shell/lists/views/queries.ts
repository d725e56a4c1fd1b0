import { queryOptions } from '@tanstack/react-query'
import { api, got } from '../../../api/client.ts'

export const viewsQuery = (list: string) =>
  queryOptions({
    queryKey: ['views', list],
    queryFn: async ({ signal }) =>
      (await got(api.GET('/api/v1/me/views', { signal, params: { query: { list } } }))).data,
  })

export const saveView = (list: string, name: string, query: string) =>
  got(api.POST('/api/v1/me/views', { body: { list, name, query } }))

export const deleteView = (id: string) =>
  got(api.DELETE('/api/v1/me/views/{id}', { params: { path: { id } } }))
