import { sql } from 'kysely'
import type { Database } from '../../../platform/database/connect.ts'
import type { PlacedRow } from '../seals/queries.ts'

export type Archive = {
  name: string
  first_seal: number
  last_seal: number
  after_seq: number
  last_seq: number
  rows: number
  sha256: Buffer
}

/** Lists the archives in the order of their entries. */
export async function listArchives(db: Database): Promise<Archive[]> {
  const { rows } = await sql<Archive>`
    select name, first_seal, last_seal, after_seq, last_seq, rows, sha256
    from audit_archives order by first_seal`.execute(db)
  return rows
}

export async function insertArchive(db: Database, archive: Archive): Promise<void> {
  await db.insertInto('audit_archives').values(archive).execute()
}

export async function deleteArchive(db: Database, name: string): Promise<void> {
  await db.deleteFrom('audit_archives').where('name', '=', name).execute()
}

/** Returns the time of the entry at a position; null if there is none. */
export async function findTime(db: Database, seq: number): Promise<Date | null> {
  const { rows } = await sql<{ at: Date }>`select at from audit_log where seq = ${seq}`.execute(db)
  return rows[0]?.at ?? null
}

export async function hasRows(db: Database, { after_seq, last_seq }: Archive): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (select from audit_log where seq > ${after_seq} and seq <= ${last_seq}) as found`.execute(
    db,
  )
  return rows[0]?.found === true
}

/** Deletes exactly these entries; others that somebody inserted among them stay, and verify reports them. */
export async function deleteRows(db: Database, ids: string[]): Promise<void> {
  await sql`delete from audit_log where id = any(${ids}::uuid[])`.execute(db)
}

/**
 * Inserts entries as they were. The triggers that number new entries and find their acteur are off within this transaction;
 * that of the acteur only where the archive has it.
 */
export async function restoreRows(tx: Database, rows: PlacedRow[]): Promise<void> {
  const entries = rows.map(({ seq, id, values }) => {
    const [at, user_id, action, entity, entity_id, before, after, app_source, request_id, acteur_id] = values
    const entry = { seq, id, at, user_id, action, entity, entity_id, before, after, app_source, request_id }
    return { ...entry, acteur_id }
  })
  const hasActeurs = entries.every(({ acteur_id }) => acteur_id !== undefined)
  const off = ['audit_log_time', ...(hasActeurs ? ['audit_log_acteur'] : [])].map((name) => sql.ref(name))
  for (const trigger of off) await sql`alter table audit_log disable trigger ${trigger}`.execute(tx)
  await sql`
    insert into audit_log (seq, id, at, user_id, action, entity, entity_id, before, after, app_source, request_id, acteur_id)
    select seq, id, to_timestamp(at::float8), user_id, action, entity, entity_id, before::jsonb, after::jsonb,
      app_source, request_id, acteur_id
    from jsonb_to_recordset(${JSON.stringify(entries)}::jsonb) as r (
      seq bigint, id uuid, at text, user_id uuid, action text, entity text, entity_id text, before text, after text,
      app_source text, request_id text, acteur_id uuid)
    on conflict (id) do nothing`.execute(tx)
  for (const trigger of off) await sql`alter table audit_log enable trigger ${trigger}`.execute(tx)
}
