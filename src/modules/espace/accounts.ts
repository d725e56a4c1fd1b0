import { sql } from 'kysely'
import { ownIssuer } from '../../platform/access/tokens.ts'
import { foldedEmail } from '../../platform/access/users.ts'
import type { Database } from '../../platform/database/connect.ts'

/**
 * Finds the account that has proven this address, or that was invited with it and that only its reader can sign in to. Of
 * several, the one that signs in by mail, then the one that was seen last.
 */
export async function findAccount(
  db: Database,
  address: string,
): Promise<{ actif: boolean; langue: 'fr' | 'en' } | null> {
  const { rows } = await sql<{ actif: boolean; langue: 'fr' | 'en' }>`
    select actif, langue from users
    where ${foldedEmail} = ${address}
      and (email_verified and issuer is not null or issuer = ${ownIssuer} and subject = ${address})
    order by issuer = ${ownIssuer} and subject = ${address} desc, last_seen_at desc nulls last, id
    limit 1`.execute(db)
  return rows[0] ?? null
}

/** Locks a user, before the acteur, as a change of the user does. */
export async function lockUser(tx: Database, id: string): Promise<void> {
  await tx.selectFrom('users').select('id').where('id', '=', id).forNoKeyUpdate().execute()
}

/** Increments the version of a user, because memberships are part of the user. */
export async function updateUserVersion(tx: Database, id: string): Promise<void> {
  await sql`update users set version = version + 1 where id = ${id}`.execute(tx)
}

/** Deletes those of these accounts that wait for their owner, and for which nothing waits any more. */
export async function deleteIdleAccounts(
  tx: Database,
  { ids = [], emails = [] }: { ids?: string[]; emails?: string[] },
): Promise<void> {
  const isOne = sql<boolean>`(u.id = any(${ids}::uuid[]) or lower(u.email collate "C") = any(${emails}::text[]))`
  await sql`
    delete from email_challenges c using users u
    where c.user_id = u.id and ${isOne} and ${isIdle}`.execute(tx)
  await sql`delete from users u where ${isOne} and ${isIdle}`.execute(tx)
}

/** Nobody has signed in to the account `u`, and neither a membership, an invitation, a role nor a claim refers to it. */
const isIdle = sql<boolean>`(u.issuer is null and u.erased_at is null
  and not exists (select from actor_users where user_id = u.id)
  and not exists (select from team_invitations i
    where i.email = lower(u.email collate "C") and i.ended_at is null and i.invited_until > now())
  and not exists (select from user_roles where user_id = u.id)
  and not exists (select from claims where user_id = u.id))`
