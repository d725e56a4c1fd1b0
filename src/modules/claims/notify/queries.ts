import { sql } from 'kysely'
import type { Database } from '../../../platform/database/connect.ts'

/** Data for the mail about a decision. */
export type DecisionRow = {
  id: string
  status: string
  reason: string | null
  nom: string | null
  address: string | null
  acteur_nom: string
  langue: 'fr' | 'en'
  /** Null if nobody became owner. */
  account: 'theirs' | 'to_be_opened' | null
}

/** Reads the data for the mail of this decision; null if the decision was undone or replaced. */
export async function findDecision(
  db: Database,
  id: string,
  decisionId: string | null,
): Promise<DecisionRow | null> {
  const { rows } = await sql<DecisionRow>`
    select c.id, c.status, c.reason, c.nom, a.nom as acteur_nom, coalesce(c.email, u.email) as address,
      coalesce(u.langue, 'fr') as langue,
      case when c.status = 'approved' then case when u.issuer is null then 'to_be_opened' else 'theirs' end end as account
    from claims c join acteurs a on a.id = c.acteur_id left join users u on u.id = c.user_id
    where c.id = ${id} and c.status in ('approved', 'rejected')
      and c.decision_id is not distinct from ${decisionId}::uuid`.execute(db)
  return rows[0] ?? null
}

/** Returns the id of the current decision on a claim; null if an earlier version made it. */
export async function findDecisionId(db: Database, id: string): Promise<string | null> {
  const row = await db.selectFrom('claims').select('decision_id').where('id', '=', id).executeTakeFirst()
  return row?.decision_id ?? null
}
