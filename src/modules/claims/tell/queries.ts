import { sql } from 'kysely'
import type { Database } from '../../../platform/database/connect.ts'
import type { EmailStatus } from '../schema.ts'

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

/**
 * Moves the mail from one of these states to another; false when it was in none of them, or somebody else has moved
 * it meanwhile.
 */
export async function moveEmail(
  db: Database,
  id: string,
  from: EmailStatus[],
  to: EmailStatus,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('claims')
    .set({ email_status: to, email_status_at: sql`now()` })
    .where('id', '=', id)
    .where('email_status', 'in', from)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export async function findDecision(db: Database, id: string): Promise<DecisionRow | null> {
  const { rows } = await sql<DecisionRow>`
    select c.id, c.status, c.reason, c.nom, a.nom as acteur_nom, coalesce(c.email, u.email) as address,
      case when c.status = 'approved' then case when u.issuer is null then 'to_be_opened' else 'theirs' end end as account
    from claims c join acteurs a on a.id = c.acteur_id left join users u on u.id = c.user_id
    where c.id = ${id}`.execute(db)
  return rows[0] ?? null
}

/** Mails whose sender has died without another try that would have noted what became of them. */
export async function giveUpSending(db: Database): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('claims')
    .set({ email_status: 'uncertain', email_status_at: sql`now()` })
    .where('email_status', '=', 'sending')
    .where('email_status_at', '<', sql<Date>`now() - interval '1 hour'`)
    .executeTakeFirst()
  return Number(numUpdatedRows)
}
