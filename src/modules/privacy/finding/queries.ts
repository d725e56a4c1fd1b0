import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../platform/database/connect.ts'
import { unprepared } from '../../../platform/database/pools/prepared.ts'
import type { Person, Personal } from '../../../platform/personal.ts'

export type NamedRecord = { id: string; label: string | null }
export type FoundRows = { name: string; rows: number; records: NamedRecord[] }

/** Rows counted for each kind of data: one more than the total that is shown. */
export const maxCounted = 10_001
const maxNamed = 5

/** Counts the person's rows of each kind and names the newest records, in one statement. */
export async function findRows(db: Database, all: readonly Personal[], person: Person): Promise<FoundRows[]> {
  const parts = all.map(({ name, find }) => found(name, find(person), maxCounted, maxNamed))
  const { rows } = await sql<FoundRows>`${sql.join(parts, sql` union all `)}`.execute(unprepared(db))
  return rows
}

/** Names these records, which bear an address of the person. */
export async function nameRecords(
  db: Database,
  all: readonly { personal: Personal; ids: string[] }[],
  { emails }: Person,
): Promise<FoundRows[]> {
  if (all.length === 0) return []
  const parts = all.map(({ personal: { name, find }, ids }) => {
    const rows = sql`
      select * from (${find({ userIds: [], emails, also: ids })}) r where r.record_id = any(${ids}::uuid[])`
    return found(name, rows, ids.length, ids.length)
  })
  const { rows } = await sql<FoundRows>`${sql.join(parts, sql` union all `)}`.execute(unprepared(db))
  return rows
}

/** Materialised, so that the limits do not make PostgreSQL walk a whole table by its key. */
const found = (name: string, rows: RawBuilder<unknown>, counted: number, named: number) => sql`
  (with rows as materialized (select * from (${rows}) r limit ${counted}::int)
  select ${name}::text as name, (select count(*) from rows)::int as rows, (
    select coalesce(json_agg(json_build_object('id', n.record_id, 'label', n.label) order by n.newest desc), '[]') from (
      select record_id, min(label) as label, max(id) as newest from rows where record_id is not null
      group by record_id order by max(id) desc limit ${named}::int) n) as records)`

export async function nameAccounts(db: Database, ids: string[]): Promise<NamedRecord[]> {
  const { rows } = await sql<NamedRecord>`
    select id, coalesce(nom, email) as label from users where id = any(${ids}::uuid[]) order by id`.execute(
    db,
  )
  return rows
}
