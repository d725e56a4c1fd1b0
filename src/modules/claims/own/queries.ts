import { sql } from 'kysely'
import type { Database } from '../../../platform/database/connect.ts'
import type { Paging } from '../../../platform/http/paging.ts'
import { decidedAt, shownStatus } from '../queries.ts'
import type { OwnClaim } from './schema.ts'

export async function listClaimsOf(
  db: Database,
  userId: string,
  ttlDays: number,
  { limit, offset }: Paging,
): Promise<OwnClaim[]> {
  const { rows } = await sql<OwnClaim>`
    select c.id, c.reason, c.created_at, ${shownStatus(ttlDays)} as status, ${decidedAt} as decided_at,
      (select json_build_object('id', a.id, 'nom', a.nom, 'slug', a.slug) from acteurs a where a.id = c.acteur_id) as acteur
    from claims c where c.user_id = ${userId}
    order by c.created_at desc, c.id desc limit ${limit} offset ${offset}`.execute(db)
  return rows
}

export async function countClaimsOf(db: Database, userId: string): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*) as total from claims where user_id = ${userId}`.execute(db)
  return rows[0]?.total ?? 0
}
