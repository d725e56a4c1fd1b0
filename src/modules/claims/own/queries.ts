import { sql } from 'kysely'
import { foldedEmail } from '../../../platform/access/users.ts'
import type { Database } from '../../../platform/database/connect.ts'
import type { List } from '../../../platform/http/listing/list.ts'
import { decidedAt, shownStatus } from '../queries.ts'
import type { OwnClaim } from './schema.ts'

export const claimsOf = (userId: string, ttlDays: number): List<object, OwnClaim> => ({
  name: 'own-claims',
  from: sql`claims c`,
  as: 'c',
  where: sql`c.id in (${claimIdsOf(userId)})`,
  filters: {},
  sorts: {
    created_at: [
      { by: sql`c.created_at`, type: 'time' },
      { by: sql`c.id`, type: 'id' },
    ],
  },
  defaults: { sort: 'created_at_desc' },
  columns: sql<OwnClaim>`
    c.id, c.reason, c.created_at, ${shownStatus(ttlDays)} as status, ${decidedAt} as decided_at,
    (select json_build_object('id', a.id, 'nom', a.nom, 'slug', a.slug) from acteurs a where a.id = c.acteur_id) as acteur,
    case when c.status = 'approved' and c.user_id is distinct from ${userId} then 'support' end as missing`,
})

/** Claims made while signed in, or under the user's verified address and not linked to another account. */
const claimIdsOf = (userId: string) => sql`
  select id from claims where user_id = ${userId}
  union
  select e.id from claims e left join users owner on owner.id = e.user_id
  where e.email is not null and (owner.id is null or owner.issuer is null and owner.erased_at is null)
    and lower(e.email collate "C") = (
      select ${foldedEmail} from users where id = ${userId} and email_verified)`

/** Returns why an account does not see the claims made under its address. */
export async function findMissing(db: Database, userId: string): Promise<'email' | 'verified_email' | null> {
  const { rows } = await sql<{ missing: 'email' | 'verified_email' | null }>`
    select case when email is null then 'email' when not email_verified then 'verified_email' end as missing
    from users where id = ${userId}`.execute(db)
  return rows[0]?.missing ?? null
}
