import { type Selectable, sql, type Updateable } from 'kysely'
import type { Database } from '../../platform/database/connect.ts'
import type * as tables from '../../platform/database/types.generated.ts'
import { notFound, raise } from '../../platform/errors.ts'
import { uuidv7 } from '../../platform/uuid.ts'
import { type ClaimRow, columns, isOverdue } from './queries.ts'

export type ClaimedActeur = Pick<Selectable<tables.Acteurs>, 'id' | 'type' | 'active' | 'deleted_at'>
export type Claimant = { id: string; actif: boolean }

export async function getClaimForUpdate(
  db: Database,
  id: string,
  ttlDays: number,
): Promise<ClaimRow & { overdue: boolean }> {
  const row = await db
    .selectFrom('claims as c')
    .select(columns.map((name) => `c.${name}` as const))
    .select(isOverdue(ttlDays).as('overdue'))
    .where('c.id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return row ?? raise(notFound())
}

/** Held as it is until the transaction ends: nobody deletes or disables it meanwhile. */
export async function getActeurForShare(db: Database, id: string): Promise<ClaimedActeur> {
  return db
    .selectFrom('acteurs')
    .select(['id', 'type', 'active', 'deleted_at'])
    .where('id', '=', id)
    .forShare()
    .executeTakeFirstOrThrow()
}

export async function updateDecided(
  db: Database,
  id: string,
  values: Pick<Updateable<tables.Claims>, 'status' | 'reason' | 'decided_by' | 'user_id'>,
  emailStatus: 'queued' | null,
): Promise<ClaimRow> {
  return db
    .updateTable('claims')
    .set({
      ...values,
      ended_at: sql`now()`,
      email_status: emailStatus,
      email_status_at: emailStatus && sql`now()`,
    })
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirstOrThrow()
}

export async function findEmailOf(db: Database, userId: string): Promise<string | null> {
  const row = await db.selectFrom('users').select('email').where('id', '=', userId).executeTakeFirst()
  return row?.email ?? null
}

export async function findUserForUpdate(db: Database, id: string): Promise<Claimant | null> {
  const row = await db
    .selectFrom('users')
    .select(['id', 'actif'])
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return row ?? null
}

/** The user that waits for the owner of this address, made when there is none; two at once make one. */
export async function findOrInsertUnboundUser(
  db: Database,
  email: string,
  nom: string | null,
): Promise<Claimant & { made: boolean }> {
  const id = uuidv7()
  const user = await db
    .insertInto('users')
    .values({ id, email, nom })
    .onConflict((conflict) =>
      conflict
        .expression(sql`lower(email)`)
        .where('issuer', 'is', null)
        .doUpdateSet((eb) => ({ email: eb.ref('users.email') })),
    )
    .returning(['id', 'actif'])
    .executeTakeFirstOrThrow()
  return { ...user, made: user.id === id }
}

export async function findMembershipRole(
  db: Database,
  acteurId: string,
  userId: string,
): Promise<string | null> {
  const row = await db
    .selectFrom('actor_users')
    .select('role')
    .where('acteur_id', '=', acteurId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row?.role ?? null
}

export async function upsertOwner(db: Database, acteurId: string, userId: string): Promise<void> {
  await db
    .insertInto('actor_users')
    .values({ acteur_id: acteurId, user_id: userId, role: 'owner' })
    .onConflict((conflict) => conflict.constraint('actor_users_pkey').doUpdateSet({ role: 'owner' }))
    .execute()
}

/** Its memberships are part of a user: who changes the list they saw before is told. */
export async function updateUserVersion(db: Database, id: string): Promise<void> {
  await db.updateTable('users').set({ version: sql`version + 1` }).where('id', '=', id).execute()
}
