import { sql } from 'kysely'
import type { Database } from '../../../platform/database/connect.ts'

/** What the mail of a decision is made of. */
export type DecisionRow = {
  id: string
  status: string
  reason: string | null
  nom: string | null
  address: string | null
  acteur_nom: string
  /** Null: nobody was made owner. */
  account: 'theirs' | 'to_be_opened' | null
}

export async function findDecision(db: Database, id: string): Promise<DecisionRow | null> {
  const { rows } = await sql<DecisionRow>`
    select c.id, c.status, c.reason, c.nom, a.nom as acteur_nom, coalesce(c.email, u.email) as address,
      case when c.status = 'approved' then case when u.issuer is null then 'to_be_opened' else 'theirs' end end as account
    from claims c join acteurs a on a.id = c.acteur_id left join users u on u.id = c.user_id
    where c.id = ${id}`.execute(db)
  return rows[0] ?? null
}
