import { queryOptions } from '@tanstack/react-query'
import { api, got } from '../../../api/client.ts'

const kind = 'publication'

export const notesQuery = (id: string) =>
  queryOptions({
    queryKey: ['notes', kind, id],
    queryFn: async ({ signal }) => {
      const params = { query: { kind, id, per_page: 100 } } as const
      return (await got(api.GET('/api/v1/admin/notes', { signal, params }))).data
    },
  })

export const addNote = (id: string, body: string) =>
  got(api.POST('/api/v1/admin/notes', { body: { kind, id, body } }))

export const deleteNote = (id: string) =>
  got(api.DELETE('/api/v1/admin/notes/{id}', { params: { path: { id } } }))
