import { sql } from 'kysely'
import type { Database } from '../../platform/database/connect.ts'

export type EmailStatus = 'queued' | 'sending' | 'sent' | 'failed' | 'uncertain'

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

export async function findDecision(db: Database, id: string): Promise<DecisionRow | undefined> {
  return db
    .selectFrom('claims as c')
    .innerJoin('acteurs as a', 'a.id', 'c.acteur_id')
    .leftJoin('users as u', 'u.id', 'c.user_id')
    .select(['c.id', 'c.status', 'c.reason', 'c.nom', 'a.nom as acteur_nom'])
    .select(sql<string | null>`coalesce(c.email, u.email)`.as('address'))
    .select(
      sql<DecisionRow['account']>`case when c.status = 'approved' then
        case when u.issuer is null then 'to_be_opened' else 'theirs' end end`.as('account'),
    )
    .where('c.id', '=', id)
    .executeTakeFirst()
}

/** Mails whose sender has died without another try that would have noted it. */
export async function giveUpSending(db: Database): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('claims')
    .set({ email_status: 'uncertain', email_status_at: sql`now()` })
    .where('email_status', '=', 'sending')
    .where('email_status_at', '<', sql<Date>`now() - interval '1 hour'`)
    .executeTakeFirst()
  return Number(numUpdatedRows)
}
