import { type Insertable, sql } from 'kysely'
import { equals } from '../../../platform/database/conditions.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { deferred } from '../../../platform/database/pools/prepared.ts'
import type { SortKey } from '../../../platform/database/sort-order.ts'
import type * as tables from '../../../platform/database/types.generated.ts'
import { notFound, raise } from '../../../platform/errors.ts'
import { uuidv7 } from '../../../platform/formats/uuid.ts'
import type { List } from '../../../platform/http/listing/list.ts'
import type { CategoryCount, OpenReport, PublicationReport, ReportsQuery } from './schema.ts'

/** Live publications with an open report. Both sides have small indexes, and the reports are hashed: they are fewer. */
export const reportedLive = sql`(select distinct publication_id from publication_reports where closed_at is null) reported
  where not exists (select from publications p where p.id = reported.publication_id and p.deleted_at is not null)`

type ReportValues = Omit<
  Insertable<tables.PublicationReports>,
  'case_id' | 'closed_as' | 'closed_at' | 'created_at'
>

/**
 * Locks a publication and its acteur in share mode: whatever hides them waits for the report, or the report for it. A report
 * of what is hidden meanwhile would wait for an outcome that nothing brings.
 */
export async function lockReported(tx: Database, id: string): Promise<void> {
  await sql`
    select from acteurs where id = (select acteur_id from publications where id = ${id}) for share`.execute(
    deferred(tx),
  )
  await sql`select from publications where id = ${id} for share`.execute(deferred(tx))
}

/**
 * Inserts a report into the open case of a locked publication, which it opens if there is none. Returns instead the caller's
 * open report of the same day, even a concurrent one.
 */
export async function insertReport(
  tx: Database,
  values: ReportValues,
): Promise<{ id: string; case_id: string }> {
  const { rows } = await sql<{ id: string }>`
    insert into report_cases (id, publication_id) values (${uuidv7()}, ${values.publication_id})
    on conflict (publication_id) where ended_at is null do update set opened_at = report_cases.opened_at
    returning id`.execute(tx)
  const case_id = rows[0]?.id ?? raise(new Error('no case'))
  const row = await tx
    .insertInto('publication_reports')
    .values({ ...values, case_id })
    .onConflict((conflict) =>
      conflict
        .columns(['publication_id', 'caller_key', 'day'])
        .where('closed_at', 'is', null)
        .doUpdateSet({ case_id: sql`coalesce(publication_reports.case_id, excluded.case_id)` }),
    )
    .returning(['id', 'case_id'])
    .executeTakeFirstOrThrow()
  return { id: row.id, case_id: row.case_id ?? case_id }
}

const sorts: Record<'created_at', SortKey[]> = {
  created_at: [
    { by: sql`r.created_at`, type: 'time' },
    { by: sql`r.id`, type: 'id' },
  ],
}
const columns = sql`r.id, r.category, r.reason, r.message, r.created_at, r.closed_at`

export const reportsOfPublication: List<{ publication_id: string }, PublicationReport> = {
  name: 'reports',
  from: sql`publication_reports r`,
  as: 'r',
  filters: { publication_id: equals('r.publication_id') },
  sorts,
  defaults: { sort: 'created_at_desc' },
  columns: sql<PublicationReport>`${columns}`,
}

/** The open reports of publications that are not deleted, oldest first. */
export const openReports: List<ReportsQuery, OpenReport> = {
  name: 'reports',
  from: sql`publication_reports r join publications p on p.id = r.publication_id`,
  as: 'r',
  where: sql`r.closed_at is null and p.deleted_at is null`,
  filters: { category: (categories) => sql`r.category = any(${categories}::text[])` },
  sorts,
  defaults: { sort: 'created_at_asc' },
  columns: sql<OpenReport>`${columns}, (
    select json_build_object('id', p.id, 'title', p.title, 'moderation_status', p.moderation_status,
      'acteur', (select json_build_object('id', a.id, 'nom', a.nom) from acteurs a where a.id = p.acteur_id))
    from publications p where p.id = r.publication_id) as publication`,
}

/** 404 if there is no such publication. */
export async function requirePublication(db: Database, id: string): Promise<void> {
  const { rows } = await sql`select from publications where id = ${id}`.execute(db)
  if (rows.length === 0) throw notFound()
}

export async function countOpenReports(db: Database): Promise<CategoryCount[]> {
  const { rows } = await sql<CategoryCount>`
    select r.category, count(*)::int as open from publication_reports r
    where r.closed_at is null and not exists (
      select from publications p where p.id = r.publication_id and p.deleted_at is not null)
    group by r.category order by r.category`.execute(db)
  return rows
}
