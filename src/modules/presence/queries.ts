import { sql } from 'kysely'
import type { SignedIn } from '../../platform/access/caller.ts'
import type { Database } from '../../platform/database/connect.ts'
import { deletionOf } from '../../platform/jobs/sweeps.ts'
import { type Colleague, keptSeconds, type Looking } from './schema.ts'

/** Uses the clock of the database, which all instances share. */
const since = sql<Date>`now() - make_interval(secs => ${sql.lit(keptSeconds)})`

/** Lists the caller's colleagues who are viewing a record. */
export async function listPresent(
  db: Database,
  { user }: SignedIn,
  { kind, id }: Looking,
): Promise<Colleague[]> {
  const { rows } = await sql<Colleague>`
    select u.id, u.nom from presence p join users u on u.id = p.user_id
    where p.kind = ${kind} and p.record_id = ${id} and p.seen_at > ${since} and p.user_id <> ${user.id}
    order by u.nom, u.id limit 20`.execute(db)
  return rows
}

/** Records that the caller is viewing a record. */
export async function notePresence(db: Database, { user }: SignedIn, { kind, id }: Looking): Promise<void> {
  await sql`
    insert into presence (kind, record_id, user_id) values (${kind}, ${id}, ${user.id})
    on conflict on constraint presence_pkey do update set seen_at = excluded.seen_at`.execute(db)
}

export const deleteOldPresence = deletionOf('presence', sql`seen_at < ${since}`, { key: 'ctid' })
