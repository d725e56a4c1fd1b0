import { type RawBuilder, sql } from 'kysely'
import { userNameOf } from '../../platform/access/users.ts'
import { type Config, settingsOf } from '../../platform/config/config.ts'
import { columnList } from '../../platform/database/columns.ts'
import { among, equals } from '../../platform/database/conditions.ts'
import type { Database } from '../../platform/database/connect.ts'
import { byId } from '../../platform/database/sort-order.ts'
import type { SignedInScope } from '../../platform/http/http-server.ts'
import { languageOf } from '../../platform/http/language.ts'
import type { List } from '../../platform/http/listing/list.ts'
import { ListPageWith, listPage } from '../../platform/http/listing/list-page.ts'
import { record } from '../../platform/http/validation/schemas.ts'
import type { Deps } from '../../platform/module.ts'
import { AuditQuery, AuditRow, namesCut, Seals, type SelectedAudit, storedAudit } from './schema.ts'
import * as queries from './seals/reading-queries.ts'
import { sealSettings } from './seals/settings.ts'
import { resolveSearch, type SearchTerms, storedId } from './search.ts'
import { readNames } from './sentences/names.ts'
import { changesOf, summaryOf } from './sentences/summary.ts'

/** Reads the state of the seals from what is stored, by lookups in indexes only. */
async function readSeals(db: Database, config: Config): Promise<Seals> {
  const keyIds = settingsOf(config, sealSettings).keys.map(({ id }) => id)
  const [last, unsealedSince, faults, verification, keys] = await Promise.all([
    queries.findLastValid(db),
    queries.findUnsealedSince(db),
    queries.listNewestFaults(db),
    queries.findLastVerification(db),
    queries.listKeys(db),
  ])
  return {
    sealing: keyIds.length > 0,
    sealed_until: last?.sealed_until ?? null,
    unsealed_since: unsealedSince,
    entries: last?.total ?? 0,
    last_seal: last === null ? null : { number: last.number, sealed_at: last.sealed_at },
    faults,
    last_verification: verification,
    keys: keys.map((key) => ({ ...key, known: keyIds.includes(key.key_id) })),
  }
}

export function auditAdminRoutes(scope: SignedInScope, { lists, reads, config }: Deps): void {
  scope.get(
    '/admin/audit',
    {
      schema: {
        operationId: 'listAudit',
        summary: 'The audit log, newest first unless sorted otherwise, each entry as a sentence',
        querystring: AuditQuery,
        response: { 200: ListPageWith('AuditMeta', { names_cut: namesCut }, AuditRow) },
      },
    },
    async ({ query, caller, headers }) => {
      const language = languageOf(headers['accept-language'])
      const terms = query.q === undefined ? null : await resolveSearch(lists, query.q)
      const acteurIds = query.acteur_id === undefined ? [] : await listMergedIds(lists, query.acteur_id)
      const list = auditList(terms, acteurIds)
      const { data, meta } = await listPage(lists, list, query, async (rows): Promise<AuditRow[]> => {
        const names = await readNames(lists, rows, caller.user.roles)
        return rows.map((row) => ({
          ...row,
          summary: summaryOf(row, names, language),
          name: names.of(row),
          changes: changesOf(row, names, language),
        }))
      })
      return { data, meta: { ...meta, ...(terms?.isCut && { names_cut: true }) } }
    },
  )

  scope.get(
    '/admin/audit/seals',
    {
      schema: {
        operationId: 'getAuditSeals',
        summary: 'Whether and until when the audit log is sealed, its last verification and its keys',
        response: { 200: record(Seals) },
      },
    },
    async () => ({ data: await readSeals(reads, config) }),
  )
}

/** Lists an acteur and those merged into it: their entries stay under their own ids. */
async function listMergedIds(db: Database, id: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from acteurs where id = ${id} or merged_into = ${id}`.execute(db)
  return rows.map((row) => row.id)
}

/**
 * The audit log. A search takes the first entries of each action, author and record that it found: each walks its own
 * index in the order of the list, so a rare match among millions of entries costs no more than a frequent one.
 */
export const auditList = (
  terms: SearchTerms | null = null,
  acteurIds: readonly string[] = [],
): List<AuditQuery, SelectedAudit> => ({
  name: 'audit',
  from: sql`audit_log`,
  as: 'audit_log',
  filters: {
    ids: among('id'),
    q: () =>
      terms !== null &&
      sql`(action = any(${terms.actions}::text[]) or user_id = any(${terms.userIds}::uuid[])
        or entity_id = any(${terms.entityIds}::text[]) or acteur_id = any(${terms.acteurIds}::uuid[]))`,
    entity: among('entity'),
    entity_id: (id) => sql`entity_id = ${storedId(id)}`,
    user_id: equals('user_id'),
    // Of one acteur, the index has the order of the list.
    acteur_id: (id) => (acteurIds.length < 2 ? equals('acteur_id')(id) : among('acteur_id')(acteurIds)),
    action: among('action'),
    request_id: equals('request_id'),
    since: (since) => sql`at >= ${new Date(since)}`,
    until: (until) => sql`at < ${new Date(until)}`,
  },
  sorts: { at: [{ by: sql`at`, type: 'time' }, byId] },
  defaults: { sort: 'at_desc' },
  columns: sql<SelectedAudit>`${columnList(storedAudit)}, ${userNameOf(sql`audit_log.user_id`)} as "user",
    (select json_build_object('id', a.id, 'nom', a.nom) from acteurs a where a.id = audit_log.acteur_id) as acteur`,
  ...(terms !== null && {
    first: (matches, by, limit) => {
      const of = (column: string, values: RawBuilder<unknown>) => sql`
        select l.* from unnest(${values}) v (value) cross join lateral (
          select * from audit_log where ${sql.ref(column)} = v.value and ${matches} order by ${by} limit ${limit}) l`
      return sql`
        ${of('action', sql`${terms.actions}::text[]`)}
        union ${of('user_id', sql`${terms.userIds}::uuid[]`)}
        union ${of('entity_id', sql`${terms.entityIds}::text[]`)}
        union ${of('acteur_id', sql`${terms.acteurIds}::uuid[]`)}`
    },
  }),
})
