import { sql } from 'kysely'
import type { Database } from '../../platform/database/connect.ts'
import { afterId, inPages, type Person, type Personal } from '../../platform/personal.ts'

type OwnClaim = { id: string }

/** Their own. What they decided of others' stands among their acts. */
export const claimsOfPerson: Personal = {
  name: 'claims',
  read: (db, person) =>
    inPages<OwnClaim>(async (last, limit) => {
      const { rows } = await sql<OwnClaim>`
        select id, acteur_id, user_id, nom, email, telephone, message, status, reason, email_status, created_at, ended_at
        from claims where ${isTheirs(person)} and id > ${afterId(last)} order by id limit ${limit}`.execute(
        db,
      )
      return rows
    }),
  erase: eraseClaims,
}

/** A pending one ends: nobody stands behind it any more. A mail that waits is not sent. */
async function eraseClaims(tx: Database, person: Person): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    update claims
    set nom = null, email = null, telephone = null, reason = null, message = '', pseudonymised_at = now(),
      ended_at = coalesce(ended_at, now()),
      status = case status when 'pending' then 'expired' else status end,
      email_status = nullif(email_status, 'queued'),
      email_status_at = case when email_status <> 'queued' then email_status_at end
    where ${isTheirs(person)} and pseudonymised_at is null
    returning id`.execute(tx)
  return rows.map(({ id }) => id)
}

const isTheirs = ({ userIds, emails }: Person) => sql<boolean>`
  (user_id = any(${userIds}::uuid[]) or lower(email collate "C") = any(${emails}::text[]))`
