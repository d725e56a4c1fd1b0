import { type Insertable, sql } from 'kysely'
import type { Database } from '../../../platform/database/connect.ts'
import type * as tables from '../../../platform/database/types.generated.ts'
import { type ClaimRow, columns } from '../queries.ts'

export async function isClaimable(db: Database, acteurId: string): Promise<boolean> {
  const row = await db
    .selectFrom('acteurs')
    .select('id')
    .where('id', '=', acteurId)
    .where('active', '=', true)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return row !== undefined
}

/** Null when the acteur has a pending claim, also one that is made at this moment. */
export async function insertClaim(db: Database, values: Insertable<tables.Claims>): Promise<ClaimRow | null> {
  const row = await db
    .insertInto('claims')
    .values(values)
    // Written out, not a value: a plan that is kept then knows the index.
    .onConflict((conflict) =>
      conflict.column('acteur_id').where(sql<boolean>`status = 'pending'`).doNothing(),
    )
    .returning(columns)
    .$castTo<ClaimRow>()
    .executeTakeFirst()
  return row ?? null
}

export async function findNewestClaimId(db: Database, acteurId: string): Promise<string | null> {
  const row = await db
    .selectFrom('claims')
    .select('id')
    .where('acteur_id', '=', acteurId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.id ?? null
}
