import { type Insertable, sql } from 'kysely'
import type { Database } from '../../../platform/database/connect.ts'
import type * as tables from '../../../platform/database/types.generated.ts'
import { type ClaimRow, columns } from '../queries.ts'

/**
 * Returns whether the acteur can be claimed, and serialises its claims until the transaction ends: an anonymous and a
 * signed-in claim that do not see each other would both be inserted.
 */
export async function lockIfClaimable(tx: Database, acteurId: string): Promise<boolean> {
  const row = await tx
    .selectFrom('acteurs')
    .select(sql`pg_advisory_xact_lock(hashtextextended('parvis claims of ' || id, 0))`.as('locked'))
    .where('id', '=', acteurId)
    .where('active', '=', true)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return row !== undefined
}

/** Inserts a claim; null if one of its kind (anonymous or signed-in) is pending or inserted concurrently. */
export async function insertClaim(db: Database, values: Insertable<tables.Claims>): Promise<ClaimRow | null> {
  const row = await db
    .insertInto('claims')
    .values(values)
    .onConflict((conflict) => conflict.doNothing())
    .returning(columns)
    .$castTo<ClaimRow>()
    .executeTakeFirst()
  return row ?? null
}

/**
 * True if a pending claim of the other kind blocks this one. A signed-in claim blocks anonymous claims. An
 * anonymous claim blocks signed-in claims, unless the claimant has a verified address.
 */
export async function isBlockedByOtherKind(
  db: Database,
  acteurId: string,
  userId: string | null,
): Promise<boolean> {
  const { rows } = await sql<{ blocked: boolean }>`
    select exists (
      select from claims where acteur_id = ${acteurId} and status = 'pending'
        and (user_id is null) <> (${userId}::uuid is null))
      and not exists (select from users where id = ${userId} and email_verified) as blocked`.execute(db)
  return rows[0]?.blocked ?? false
}

/** Finds the claim that blocks a refused one: a pending one, first of the same kind; else the newest. */
export async function findConflictingClaimId(
  db: Database,
  acteurId: string,
  userId: string | null,
): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    select id from claims where acteur_id = ${acteurId}
    order by status = 'pending' desc, (user_id is null) = (${userId}::uuid is null) desc, created_at desc, id desc
    limit 1`.execute(db)
  return rows[0]?.id ?? null
}
