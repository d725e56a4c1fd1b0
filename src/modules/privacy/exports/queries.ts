import { sql } from 'kysely'
import { columnList } from '../../../platform/database/columns.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { deletionOf } from '../../../platform/jobs/sweeps.ts'
import type { Person } from '../../../platform/personal.ts'
import { type ExportRow, storedExport } from './schema.ts'

type ListedExport = ExportRow & { requested_by_user: { id: string; nom: string | null } | null }

const columns = columnList(storedExport)
const author = sql`(
  select json_build_object('id', u.id, 'nom', u.nom) from users u where u.id = requested_by) as requested_by_user`

export async function insertExport(
  tx: Database,
  {
    id,
    person,
    requestedBy,
    sections,
  }: { id: string; person: Person; requestedBy: string; sections: number },
): Promise<ListedExport> {
  const { rows } = await sql<ListedExport>`
    insert into person_exports (id, user_ids, emails, also, requested_by, sections)
    values (${id}, ${person.userIds}, ${person.emails}, ${person.also ?? []}, ${requestedBy}, ${sections})
    returning ${columns}, ${author}`.execute(tx)
  return rows[0] as ListedExport
}

/** Lists the newest exports that have not expired, at most fifty. */
export async function listExports(db: Database): Promise<ListedExport[]> {
  const { rows } = await sql<ListedExport>`
    select ${columns}, ${author} from person_exports where expires_at > now()
    order by created_at desc, id desc limit 50`.execute(db)
  return rows
}

export async function findExport(db: Database, id: string): Promise<ListedExport | null> {
  const { rows } = await sql<ListedExport>`
    select ${columns}, ${author} from person_exports where id = ${id} and expires_at > now()`.execute(db)
  return rows[0] ?? null
}

/** Marks an export as fetched; null unless it is ready. Only one of two concurrent calls gets it. */
export async function takeExport(tx: Database, id: string): Promise<ExportRow | null> {
  const { rows } = await sql<ExportRow>`
    update person_exports set status = 'fetched', fetched_at = now()
    where id = ${id} and status = 'ready' and expires_at > now() returning ${columns}`.execute(tx)
  return rows[0] ?? null
}

/** Makes an export ready again whose download was interrupted. */
export async function returnExport(db: Database, id: string): Promise<void> {
  await sql`
    update person_exports set status = 'ready', fetched_at = null
    where id = ${id} and status = 'fetched'`.execute(db)
}

export async function findChunk(db: Database, id: string, number: number): Promise<Buffer | null> {
  const { rows } = await sql<{ content: Buffer }>`
    select content from person_export_chunks where export_id = ${id} and number = ${number}`.execute(db)
  return rows[0]?.content ?? null
}

export async function deleteChunks(db: Database, id: string): Promise<void> {
  await sql`delete from person_export_chunks where export_id = ${id}`.execute(db)
}

export type Attempt = { id: string; attempt: number }

/** Begins an attempt from scratch, which ends every earlier one; null if the export has ended. */
export async function beginAttempt(tx: Database, id: string): Promise<(Attempt & { person: Person }) | null> {
  const { rows } = await sql<{ attempt: number; user_ids: string[]; emails: string[]; also: string[] }>`
    update person_exports set status = 'running', attempt = attempt + 1, sections_done = 0
    where id = ${id} and status in ('queued', 'running') and expires_at > now()
    returning attempt, user_ids, emails, also`.execute(tx)
  const [row] = rows
  if (row === undefined) return null
  await deleteChunks(tx, id)
  const { attempt, user_ids: userIds, emails, also } = row
  return { id, attempt, person: { userIds, emails, also } }
}

/** Locked against the next attempt and against an erasure, so that nothing is written after them. */
const own = ({ id, attempt }: Attempt) => sql`
  select id from person_exports where id = ${id} and attempt = ${attempt} and status = 'running' for share`

/** Writes a piece; false if the export was deleted or another attempt has begun. */
export async function insertChunk(
  db: Database,
  of: Attempt,
  number: number,
  content: Buffer,
): Promise<boolean> {
  const { rows } = await sql`
    with own as materialized (${own(of)})
    insert into person_export_chunks (export_id, number, content)
    select id, ${number}::int, ${content} from own returning number`.execute(db)
  return rows.length > 0
}

export async function countSection(db: Database, { id, attempt }: Attempt): Promise<void> {
  await sql`
    update person_exports set sections_done = sections_done + 1
    where id = ${id} and attempt = ${attempt} and status = 'running'`.execute(db)
}

export async function endAttempt(db: Database, { id, attempt }: Attempt, bytes: number): Promise<void> {
  await sql`
    update person_exports
    set status = 'ready', ready_at = now(), expires_at = now() + interval '24 hours', bytes = ${bytes}
    where id = ${id} and attempt = ${attempt} and status = 'running'`.execute(db)
}

/** Gives up an export and deletes what was written. */
export async function failExport(
  tx: Database,
  { id, attempt }: Attempt,
  error: 'too_large' | 'failed',
): Promise<void> {
  const { rows } = await sql`
    update person_exports set status = 'failed', error = ${error}
    where id = ${id} and attempt = ${attempt} and status = 'running' returning id`.execute(tx)
  if (rows.length > 0) await deleteChunks(tx, id)
}

/** Lists exports that should have ended: their job was lost, or is still retrying. */
export async function listUnfinished(db: Database, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from person_exports
    where status in ('queued', 'running') and created_at < now() - interval '10 minutes'
    order by created_at limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

/** Deletes expired exports, and the content of those whose download was not confirmed by this service. */
export const deleteExpired = deletionOf('person_exports', sql`expires_at < now()`, { oldest: 'expires_at' })

export async function deleteFetchedContent(db: Database): Promise<void> {
  await sql`
    delete from person_export_chunks where export_id = any(array(
      select id from person_exports where status = 'fetched' and fetched_at < now() - interval '1 hour'))`.execute(
    db,
  )
}
