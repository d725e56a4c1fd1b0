import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { components } from '../../../api/api.generated.ts'
import { api, got } from '../../../api/client.ts'

export type Import = components['schemas']['CollecteImportFull']
export type ListedImport = components['schemas']['CollecteImport']
export type PlannedCommune = Import['communes'][number]
export type CalendarOf = components['schemas']['CollecteImportCalendar']['collectes'][number]

export const perPage = 25
export const key = ['collectes']

/** The communes of a group with the state of their collections. */
export const membersQuery = (acteurId: string, page: number) =>
  queryOptions({
    queryKey: [...key, acteurId, 'members', { page }],
    queryFn: ({ signal }) => readMembers(acteurId, { page, per_page: perPage }, signal),
    placeholderData: keepPreviousData,
  })

const readMembers = (
  acteurId: string,
  query: { page: number; per_page: number },
  signal: AbortSignal | null = null,
) =>
  got(
    api.GET('/api/v1/mairie/acteurs/{acteurId}/collectes', { signal, params: { path: { acteurId }, query } }),
  )

/** The last imports that were applied. */
export const importsQuery = (acteurId: string) =>
  queryOptions({
    queryKey: [...key, acteurId, 'imports'],
    queryFn: async ({ signal }) => {
      const params = { path: { acteurId }, query: { per_page: 10 } }
      return (await got(api.GET('/api/v1/mairie/acteurs/{acteurId}/collecte-imports', { signal, params })))
        .data
    },
  })

export const importQuery = (acteurId: string, id: string) =>
  queryOptions({
    queryKey: [...key, acteurId, 'import', id],
    queryFn: async ({ signal }): Promise<Import> => {
      const params = { path: { acteurId, id } }
      return (
        await got(api.GET('/api/v1/mairie/acteurs/{acteurId}/collecte-imports/{id}', { signal, params }))
      ).data
    },
  })

export const calendarQuery = (acteurId: string, id: string, communeId: string) =>
  queryOptions({
    queryKey: [...key, acteurId, 'import', id, communeId],
    queryFn: async ({ signal }) => {
      const path = '/api/v1/mairie/acteurs/{acteurId}/collecte-imports/{id}/communes/{communeId}'
      return (await got(api.GET(path, { signal, params: { path: { acteurId, id, communeId } } }))).data
    },
  })

/** What a calendar does not say itself. `communeIds`: null: all; `others`: the collections of other kinds of waste. */
export type OfMembers = {
  communeIds: readonly string[] | null
  secteur: string
  others: 'kept' | 'removed'
}
export type Given = { file: File } & Partial<OfMembers>

/** Sends a file to be checked. `key`: idempotency key, so that a retry is no second check. */
export async function checkFile({
  acteurId,
  key,
  file,
  communeIds,
  secteur,
  others,
}: Given & { acteurId: string; key: string }): Promise<Import> {
  const form = new FormData()
  const ids = communeIds === null ? await readMemberIds(acteurId) : communeIds
  if (ids !== undefined) form.append('commune_ids', ids.join(','))
  if (secteur) form.append('secteur', secteur)
  if (others) form.append('others', others)
  form.append('file', file, file.name)
  const sent = api.POST('/api/v1/mairie/acteurs/{acteurId}/collecte-imports', {
    params: { path: { acteurId }, header: { 'Idempotency-Key': key } },
    body: form as never,
    bodySerializer: (body: unknown) => body,
  })
  return (await got(sent)).data
}

export type Proposal = components['schemas']['ProposedCalendar']

/** Has the PDF of a calendar read. Nothing is stored. */
export async function readPdf(acteurId: string, file: File): Promise<Proposal> {
  const form = new FormData()
  form.append('file', file, file.name)
  const sent = api.POST('/api/v1/mairie/acteurs/{acteurId}/collectes/proposal', {
    params: { path: { acteurId } },
    body: form as never,
    bodySerializer: (body: unknown) => body,
  })
  return (await got(sent)).data
}

async function readMemberIds(acteurId: string): Promise<string[]> {
  const ids: string[] = []
  for (let page = 1; ; page++) {
    const { data, meta } = await readMembers(acteurId, { page, per_page: 100 })
    ids.push(...data.map(({ commune_id }) => commune_id))
    if (page >= meta.last_page) return ids
  }
}

export type Deed = 'apply' | 'undo'

/** Applies an import, or undoes it. A retry answers the same. */
export async function carryOut(acteurId: string, id: string, deed: Deed): Promise<Import> {
  const params = { path: { acteurId, id } }
  const sent =
    deed === 'apply'
      ? api.POST('/api/v1/mairie/acteurs/{acteurId}/collecte-imports/{id}/apply', { params })
      : api.POST('/api/v1/mairie/acteurs/{acteurId}/collecte-imports/{id}/undo', { params })
  return (await got(sent)).data
}

/** Reads the table that can be filled in. */
export async function readTable(acteurId: string): Promise<Blob> {
  const sent = api.GET('/api/v1/mairie/acteurs/{acteurId}/collectes/table', {
    params: { path: { acteurId } },
    parseAs: 'blob',
  })
  return (await got(sent as never)) as unknown as Blob
}
