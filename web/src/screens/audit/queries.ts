import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { components } from '../../api/api.generated.ts'
import { api, got } from '../../api/client.ts'
import { noonOf } from '../../ui/moment.ts'
import { momentOf } from '../../ui/moment-field.ts'
import type { AuditSearch } from './search.ts'

export type AuditEntry = components['schemas']['AuditRow']
export type AuditChange = components['schemas']['AuditChange']
export type Seals = components['schemas']['Seals']

export const perPage = 25

export const auditQuery = (search: AuditSearch, language: string) =>
  queryOptions({
    queryKey: ['audit', 'list', search, language],
    placeholderData: keepPreviousData,
    // Entries that arrive while somebody reads would move the page; a button shows them.
    meta: { stays: true },
    queryFn: ({ signal }) =>
      got(api.GET('/api/v1/admin/audit', { signal, params: { query: queryOf(search) } })),
  })

export const sealsQuery = queryOptions({
  queryKey: ['audit', 'seals'],
  queryFn: async ({ signal }) => (await got(api.GET('/api/v1/admin/audit/seals', { signal }))).data,
})

/** Returns the query of the list in the API. */
export function queryOf({ page = 1, ...search }: AuditSearch) {
  const { q, entity, action, record, person, acteur, request, since, until } = search
  const [from, to] = [startOf(since), startOf(until, 1)]
  return {
    page,
    per_page: perPage,
    ...(q && { q }),
    ...(entity && { entity: [entity] }),
    ...(action && { action: [action] }),
    ...(record && { entity_id: record }),
    ...(person && { user_id: person }),
    ...(acteur && { acteur_id: acteur }),
    ...(request && { request_id: request }),
    ...(from && { since: from }),
    ...(to && { until: to }),
  }
}

/** The beginning of a day in Paris, some days later; undefined without a valid day. */
function startOf(day: string | undefined, later = 0): string | undefined {
  if (day === undefined) return undefined
  const date = noonOf(day)
  if (Number.isNaN(date.getTime())) return undefined
  date.setUTCDate(date.getUTCDate() + later)
  return momentOf(`${date.toISOString().slice(0, 10)}T00:00`)?.toISOString()
}
