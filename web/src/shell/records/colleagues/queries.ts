import { queryOptions } from '@tanstack/react-query'
import type { components } from '../../../api/api.generated.ts'
import { api, got } from '../../../api/client.ts'

export type RecordKind = components['schemas']['Presence']['kind']
export type Note = components['schemas']['Note']

export const notesQuery = (kind: RecordKind, id: string) =>
  queryOptions({
    queryKey: ['notes', kind, id],
    queryFn: async ({ signal }) => {
      const params = { query: { kind, id, per_page: 100 } } as const
      return (await got(api.GET('/api/v1/admin/notes', { signal, params }))).data
    },
  })

export const addNote = (kind: RecordKind, id: string, body: string) =>
  got(api.POST('/api/v1/admin/notes', { body: { kind, id, body } }))

export const deleteNote = (id: string) =>
  got(api.DELETE('/api/v1/admin/notes/{id}', { params: { path: { id } } }))

/** Interval of presence requests. The service drops a viewer after thirty seconds. */
const presentEveryMs = 20_000

export const presenceQuery = (kind: RecordKind, id: string) =>
  queryOptions({
    queryKey: ['presence', kind, id],
    queryFn: async ({ signal }) => {
      const body = { kind, id }
      return (await got(api.PUT('/api/v1/admin/presence', { signal, body }))).data.present
    },
    refetchInterval: presentEveryMs,
    meta: { repeats: true },
    retry: false,
  })
