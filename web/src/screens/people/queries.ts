import { queryOptions } from '@tanstack/react-query'
import type { components } from '../../api/api.generated.ts'
import { api, got } from '../../api/client.ts'
import { downloadBlob } from '../../ui/download.ts'

type Schemas = components['schemas']
export type FoundPerson = Schemas['FoundPerson']
export type ErasedPerson = Schemas['ErasedPerson']
export type PersonExport = Schemas['PersonExport']

/** The person asked about, with records of other accounts that are theirs. */
export type PersonQuery = { user_id?: string; email?: string; also?: string[] }

export const personQuery = (asked: PersonQuery) =>
  queryOptions({
    queryKey: ['users', 'person', asked],
    queryFn: async ({ signal }) =>
      (await got(api.POST('/api/v1/admin/people/find', { body: asked, signal }))).data,
  })

const pollMs = 1_000

/** Exports of the last day. Reloaded every second while one is in progress: its steps are no events. */
export const exportsQuery = queryOptions({
  queryKey: ['person-exports'],
  queryFn: async ({ signal }) => (await got(api.GET('/api/v1/admin/people/exports', { signal }))).data,
  refetchInterval: ({ state }) => (state.data?.some(isUnderWay) ? pollMs : false),
})

export const isUnderWay = ({ status }: PersonExport) => status === 'queued' || status === 'running'

export async function requestExport(asked: PersonQuery): Promise<PersonExport> {
  return (await got(api.POST('/api/v1/admin/people/export', { body: asked }))).data
}

/** Downloads an export and hands it to the browser as a file. */
export async function downloadExport(id: string): Promise<void> {
  const params = { path: { id } }
  const answer = api.POST('/api/v1/admin/people/exports/{id}/download', { params, parseAs: 'blob' })
  downloadBlob((await got(answer)) as Blob, `parvis-${id.slice(0, 8)}.json`)
}

export const previewQuery = (asked: PersonQuery) =>
  queryOptions({
    queryKey: ['users', 'erasure', asked],
    staleTime: 0,
    gcTime: 0,
    queryFn: async ({ signal }) =>
      (await got(api.POST('/api/v1/admin/people/erase', { body: { ...asked, dry_run: true }, signal }))).data,
  })

export async function erasePerson(asked: PersonQuery): Promise<ErasedPerson> {
  return (await got(api.POST('/api/v1/admin/people/erase', { body: asked }))).data
}
