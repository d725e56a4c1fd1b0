import { sql } from 'kysely'
import Type, { type Static } from 'typebox'
import { userNameOf } from '../../platform/access/users.ts'
import { jsonTime } from '../../platform/database/columns.ts'
import type { Database } from '../../platform/database/connect.ts'
import { prepared } from '../../platform/database/pools/prepared.ts'
import {
  Can,
  Id,
  NullableUserName,
  named,
  nullable,
  oneOf,
  ResponseTimestamp,
  titled,
} from '../../platform/http/validation/schemas.ts'
import { managedColumns } from './columns.ts'
import { publicationActions } from './decisions/states.ts'
import { ManagedPublication } from './schema.ts'

export const reportCategories = ['spam', 'inappropriate', 'wrong', 'duplicate', 'personal', 'other'] as const

/** Limit on the publications of an acteur's last year that `ActeurRecord` counts. */
export const recordedPublications = 200

const count = (description: string, example: number) => Type.Integer({ description, examples: [example] })

const ActeurRecord = titled(
  'PublicationActeurRecord',
  {
    published: count('Accepted and not deleted', 12),
    rejected: count('Rejected', 1),
    reported: count('Reported by readers, whatever became of the reports', 0),
  },
  `What became of its acteur's newest ${recordedPublications} publications of the last year; null without an acteur`,
)
type ActeurRecord = Static<typeof ActeurRecord>

const ReportsSummary = titled('ReportsSummary', {
  open: count('Open reports', 2),
  categories: Type.Array(oneOf(reportCategories), { description: 'What the open ones say' }),
  latest_at: nullable(ResponseTimestamp('The newest open one')),
})

const Source = named('PublicationSource', 'Agenda de la médiathèque', 'The import source it comes from')

const office = {
  created_by: nullable(Id('Who wrote it; null: an import')),
  created_by_user: NullableUserName,
  source: nullable(Source),
  reports_summary: ReportsSummary,
}

export const DuplicateKey = (description: string) =>
  Type.String({
    description,
    pattern: '^[us]:[0-9a-f]{32}$',
    examples: ['s:6f1ed002ab5595859014ebf0951522d9'],
  })

/** Fields of the back-office's rows and single records, as selected from the database. */
export const OfficeFields = Type.Object({ ...ManagedPublication.properties, ...office })
export type OfficeFields = Static<typeof OfficeFields>

export const officeProperties = {
  ...OfficeFields.properties,
  record: nullable(ActeurRecord),
  can: Can(publicationActions),
}

/** Bounds the memory of an export. */
const maxInMemo = 50_000

/**
 * Adds to each publication the record of its acteur: the outcome of its newest ones in the last year. Reads the
 * records that are not in `memo`.
 */
export async function withRecords<Row extends { acteur_id: string | null }>(
  db: Database,
  rows: Row[],
  memo = new Map<string, unknown>(),
): Promise<(Row & { record: ActeurRecord | null })[]> {
  if (memo.size > maxInMemo) memo.clear()
  const ids = new Set(rows.flatMap(({ acteur_id }) => (memo.has(acteur_id ?? '') ? [] : (acteur_id ?? []))))
  const records = await mapRecords(db, [...ids])
  for (const id of ids) memo.set(id, records.get(id) ?? null)
  return rows.map((row) => ({
    ...row,
    record: (memo.get(row.acteur_id ?? '') as ActeurRecord | undefined) ?? null,
  }))
}

async function mapRecords(db: Database, acteurIds: string[]): Promise<Map<string, ActeurRecord>> {
  if (acteurIds.length === 0) return new Map()
  const { rows } = await sql<ActeurRecord & { id: string }>`
    select acteur.id,
      count(*) filter (where p.moderation_status in ('approved', 'published') and p.deleted_at is null)::int as published,
      count(*) filter (where p.moderation_status = 'rejected')::int as rejected,
      count(*) filter (where exists (
        select from publication_reports r where r.publication_id = p.id))::int as reported
    from unnest(${acteurIds}::uuid[]) acteur (id)
    cross join lateral (
      select p.id, p.moderation_status, p.deleted_at from publications p
      where p.acteur_id = acteur.id and p.created_at > now() - interval '1 year'
      order by p.created_at desc, p.id desc limit ${sql.lit(recordedPublications)}) p
    group by acteur.id`.execute(prepared(db))
  return new Map(rows.map(({ id, ...record }) => [id, record]))
}

/** The columns of a row of the back-office's list, over `publicationTables`. */
export const listedColumns = sql`${managedColumns}, p.created_by,
  ${userNameOf(sql`p.created_by`)} as created_by_user,
  (select json_build_object('id', s.id, 'nom', s.nom) from import_items i join import_sources s on s.id = i.source_id
    where i.publication_id = p.id) as source,
  (select json_build_object('open', count(*),
      'categories', coalesce(json_agg(distinct r.category) filter (where r.category is not null), '[]'),
      'latest_at', ${jsonTime(sql`max(r.created_at)`)})
    from publication_reports r where r.publication_id = p.id and r.closed_at is null) as reports_summary`
