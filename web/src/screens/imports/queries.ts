import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { components } from '../../api/api.generated.ts'
import { api, got } from '../../api/client.ts'
import { atVersion } from '../../api/versions.ts'
import type { ImportsSearch } from './search.ts'

type Schemas = components['schemas']
export type Source = Schemas['ImportSource']
export type Run = Schemas['ImportRunListed']
export type Inspection = Schemas['ImportInspection']
export type DryRun = Schemas['ImportUnsavedDryRun']
export type Mapping = NonNullable<Source['mapping']>
export type SourceType = Source['type']
export const sourceTypes = [
  'rss',
  'ics',
  'openagenda',
  'csv',
  'json',
] as const satisfies readonly SourceType[]

export const perPage = 25

export const sourcesQuery = ({ q, page = 1 }: ImportsSearch) =>
  queryOptions({
    queryKey: ['runs', 'sources', { q, page }],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => {
      const query = { page, per_page: perPage, sort: 'nom_asc' as const, ...(q && { q }) }
      return got(api.GET('/api/v1/admin/import-sources', { signal, params: { query } }))
    },
  })

export type RunsFilter = {
  sourceId?: string | undefined
  status?: ImportsSearch['status'] | undefined
  held?: boolean | undefined
  page?: number | undefined
}

/** Returns the query of the list of runs in the API. */
export const queryOf = ({ sourceId, status, held, page = 1 }: RunsFilter) => ({
  page,
  per_page: perPage,
  ...(sourceId && { source_id: sourceId }),
  ...(status && { status: [status] }),
  ...(held && { held }),
})

export const runsQuery = (filter: RunsFilter) => {
  const query = queryOf(filter)
  return queryOptions({
    queryKey: ['runs', 'list', query],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => got(api.GET('/api/v1/admin/import-runs', { signal, params: { query } })),
  })
}

export const sourceQuery = (id: string) =>
  queryOptions({
    queryKey: ['runs', 'source', id],
    queryFn: async ({ signal }) =>
      (await got(api.GET('/api/v1/admin/import-sources/{id}', { signal, params: { path: { id } } }))).data,
  })

export const itemsQuery = (runId: string, page: number) =>
  queryOptions({
    queryKey: ['runs', 'items', runId, page],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => {
      const params = { path: { id: runId }, query: { page, per_page: perPage } }
      return got(api.GET('/api/v1/admin/import-runs/{id}/items', { signal, params }))
    },
  })

/** The log of a source on one day in Paris. */
export const logQuery = (id: string, date: string) =>
  queryOptions({
    queryKey: ['runs', 'log', id, date],
    queryFn: async ({ signal }) => {
      const params = { path: { id, date } }
      return (await got(api.GET('/api/v1/admin/import-sources/{id}/logs/{date}', { signal, params }))).data
    },
  })

export const acteurQuery = (id: string | null) =>
  queryOptions({
    queryKey: ['acteurs', 'name', id],
    enabled: id !== null,
    queryFn: async ({ signal }) => {
      const query = { ids: [id ?? ''] }
      return (await got(api.GET('/api/v1/admin/acteurs', { signal, params: { query } }))).data[0] ?? null
    },
  })

export const communeQuery = (id: string | null) =>
  queryOptions({
    queryKey: ['communes', 'name', id],
    enabled: id !== null,
    queryFn: async ({ signal }) => {
      const query = { ids: [id ?? ''] }
      return (await got(api.GET('/api/v1/admin/communes', { signal, params: { query } }))).data[0] ?? null
    },
  })

export type Settings = {
  nom: string
  type: SourceType
  url: string
  acteur_id: string | null
  commune_id: string | null
  type_id: string | null
  moderation_status: 'published' | 'pending'
  skip_duplicates: boolean
  cron: string | null
  mapping: Mapping | null
}

export const inspect = async (url: string): Promise<Inspection> =>
  (await got(api.POST('/api/v1/admin/import-sources/inspect', { body: { url } }))).data

export const tryUnsaved = async (body: Settings): Promise<DryRun> =>
  (await got(api.POST('/api/v1/admin/import-sources/dry-run', { body }))).data

export const createSource = async (key: string, body: Settings): Promise<Source> => {
  const params = { header: { 'Idempotency-Key': key } }
  return (await got(api.POST('/api/v1/admin/import-sources', { params, body }))).data
}

export const updateSource = async (source: Source, body: Partial<Settings> & { actif?: boolean }) =>
  (await got(api.PATCH('/api/v1/admin/import-sources/{id}', { params: atVersion(source), body }))).data

export const deleteSource = async ({ id }: Source) =>
  got(api.DELETE('/api/v1/admin/import-sources/{id}', { params: { path: { id } } }))

export const runNow = async ({ id }: Source) =>
  got(api.POST('/api/v1/admin/import-sources/{id}/run', { params: { path: { id } } }))

export const withdraw = async ({ id }: Source, reason: string): Promise<number> => {
  const body = { since: null, ...(reason !== '' && { reason }) }
  const params = { path: { id } }
  return (await got(api.POST('/api/v1/admin/import-sources/{id}/withdraw', { params, body }))).data
    .publications
}

export const decideHeld = async ({ id }: Run, action: 'accept' | 'refuse'): Promise<number> => {
  const params = { path: { id } }
  const answer =
    action === 'accept'
      ? await got(api.POST('/api/v1/admin/import-runs/{id}/accept', { params }))
      : await got(api.POST('/api/v1/admin/import-runs/{id}/refuse', { params, body: {} }))
  return answer.data.publications
}
