/** Kinds of records in the filter. */
export const entities = [
  'publication',
  'claim',
  'acteur',
  'commune',
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
  'export',
] as const

/** Filters of the audit log, as they are in the URL. Days are in Paris time, both included. */
export type AuditSearch = {
  q?: string
  entity?: (typeof entities)[number]
  action?: string
  record?: string
  person?: string
  request?: string
  since?: string
  until?: string
  page?: number
}

const isDay = /^\d{4}-\d\d-\d\d$/

export function auditSearch(given: Record<string, unknown>): AuditSearch {
  const entity = entities.find((known) => known === given.entity)
  const page = Number(given.page)
  const found: AuditSearch = {}
  for (const name of ['q', 'action', 'record', 'person', 'request'] as const) {
    const value = given[name]
    // The router parses an all-digit value as a number.
    if ((typeof value === 'string' || typeof value === 'number') && value !== '') found[name] = String(value)
  }
  for (const name of ['since', 'until'] as const) {
    const value = given[name]
    if (typeof value === 'string' && isDay.test(value)) found[name] = value
  }
  if (entity !== undefined) found.entity = entity
  if (Number.isInteger(page) && page > 1) found.page = page
  return found
}
