import { sql } from 'kysely'
import type { Database } from '../../platform/database/connect.ts'
import type { Language } from '../../platform/http/language.ts'
import { deletionOf } from '../../platform/jobs/sweeps.ts'

export type Link = { id: string; list: string; query: string; language: Language }

/** Inserts a link that is valid for a minute, by the clock of the database, which all instances share. */
export async function insertLink(
  tx: Database,
  { id, list, query, language, userId, tokenHash }: Link & { userId: string; tokenHash: Buffer },
): Promise<void> {
  await sql`
    insert into export_links (id, token_hash, user_id, list, query, language, expires_at)
    values (${id}, ${tokenHash}, ${userId}, ${list}, ${query}, ${language}, now() + interval '1 minute')`.execute(
    tx,
  )
}

/** Returns the user's link if it is valid and unused. */
export async function findLink(db: Database, tokenHash: Buffer, userId: string): Promise<Link | null> {
  const { rows } = await sql<Link>`
    select id, list, query, language from export_links
    where token_hash = ${tokenHash} and user_id = ${userId} and expires_at > now()`.execute(db)
  return rows[0] ?? null
}

/** Deletes a link. Of several concurrent calls, one returns true. */
export async function useLink(db: Database, id: string): Promise<boolean> {
  const { numAffectedRows } = await sql`delete from export_links where id = ${id}`.execute(db)
  return numAffectedRows === 1n
}

/** Deletes links that expired unused. */
export const deleteOldLinks = deletionOf('export_links', sql`expires_at < now()`)
