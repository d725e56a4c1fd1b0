import { defined, oneOf, pageOf, type SearchParams, textOf } from '../../shell/lists/search-params.ts'

/** Kinds of records in the filter. */
export const entities = [
  'publication',
  'claim',
  'acteur',
  'commune',
  'group',
  'alerte',
  'defibrillateur',
  'thread',
  'import_source',
  'import_run',
  'subscription',
  'user',
  'session',
  'person',
  'template',
  'publication_type',
  'app_source',
  'search_term',
  'export',
] as const

/** Filters of the audit log, as they are in the URL. Days are in Paris time, both included. */
export type AuditSearch = {
  q?: string
  entity?: (typeof entities)[number]
  action?: string
  record?: string
  person?: string
  acteur?: string
  request?: string
  since?: string
  until?: string
  page?: number
}

export const auditSearch = (search: SearchParams): AuditSearch =>
  defined({
    q: textOf(search.q),
    entity: oneOf(entities, search.entity),
    action: textOf(search.action),
    record: textOf(search.record),
    person: textOf(search.person),
    acteur: textOf(search.acteur),
    request: textOf(search.request),
    since: dayOf(search.since),
    until: dayOf(search.until),
    page: pageOf(search.page),
  })

const dayOf = (value: unknown) =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value) ? value : undefined
