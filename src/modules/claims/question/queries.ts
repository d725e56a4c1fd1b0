import { sql } from 'kysely'
import type { Database } from '../../../platform/database/connect.ts'
import { notFound, raise } from '../../../platform/errors.ts'
import { type ClaimRow, columns } from '../queries.ts'
import type { ClaimQuestion } from './schema.ts'

const shown = sql`
  select q.id, q.claim_id, q.body, q.asked_by, json_build_object('id', u.id, 'nom', u.nom) as asked_by_user,
    q.email_status, q.email_error, q.created_at
  from claim_questions q join users u on u.id = q.asked_by`

/** Lists the questions about a claim, oldest first, at most ten. */
export async function listQuestions(db: Database, claimId: string): Promise<ClaimQuestion[]> {
  const { rows } = await sql<ClaimQuestion>`
    ${shown} where q.claim_id = ${claimId} order by q.created_at, q.id`.execute(db)
  return rows
}

export async function getQuestion(db: Database, id: string): Promise<ClaimQuestion> {
  const { rows } = await sql<ClaimQuestion>`${shown} where q.id = ${id}`.execute(db)
  return rows[0] ?? raise(notFound())
}

export async function insertQuestion(
  tx: Database,
  values: { id: string; claim_id: string; body: string; asked_by: string },
): Promise<void> {
  await tx.insertInto('claim_questions').values(values).execute()
}

/** Counts a question. Only the first one makes the expiry wait. In hours, because a day may have 23. */
export async function countQuestion(tx: Database, id: string): Promise<ClaimRow> {
  return tx
    .updateTable('claims')
    .set({
      questions_count: sql`questions_count + 1`,
      asked_at: sql`coalesce(asked_at, now())`,
      waits_until: sql`coalesce(waits_until, now()::timestamptz(3) + interval '336 hours')`,
    })
    .where('id', '=', id)
    .returning(columns)
    .$castTo<ClaimRow>()
    .executeTakeFirstOrThrow()
}

/** Returns the current time, at least `asked_at`, to end a claim's wait; null if it is not waiting. */
export async function findEndOfWait(tx: Database, id: string): Promise<Date | null> {
  const { rows } = await sql<{ end: Date }>`
    select greatest(asked_at, date_trunc('milliseconds', now())) as end from claims
    where id = ${id} and waits_until > now()`.execute(tx)
  return rows[0]?.end ?? null
}

export async function setEndOfWait(tx: Database, id: string, waits_until: Date): Promise<ClaimRow> {
  return tx
    .updateTable('claims')
    .set({ waits_until })
    .where('id', '=', id)
    .returning(columns)
    .$castTo<ClaimRow>()
    .executeTakeFirstOrThrow()
}

/** Data for the mail of a question. */
export type QuestionRow = {
  id: string
  body: string
  nom: string | null
  address: string | null
  acteur_nom: string
  langue: 'fr' | 'en'
  /** Until when the claim cannot expire; null if that has passed. */
  waits_until: Date | null
}

/** Reads the data for the mail of a question; null if the claim is no longer pending. */
export async function findQuestion(db: Database, id: string): Promise<QuestionRow | null> {
  const { rows } = await sql<QuestionRow>`
    select q.id, q.body, c.nom, coalesce(c.email, u.email) as address, a.nom as acteur_nom,
      coalesce(u.langue, 'fr') as langue, case when c.waits_until > now() then c.waits_until end as waits_until
    from claim_questions q join claims c on c.id = q.claim_id join acteurs a on a.id = c.acteur_id
    left join users u on u.id = c.user_id
    where q.id = ${id} and c.status = 'pending'`.execute(db)
  return rows[0] ?? null
}

/** Finds the claim of a question, whatever became of it, and where the question was sent. */
export async function findQuestionRecord(
  db: Database,
  id: string,
): Promise<{ claim_id: string; address: string | null } | null> {
  const { rows } = await sql<{ claim_id: string; address: string | null }>`
    select q.claim_id, coalesce(c.email, u.email) as address
    from claim_questions q join claims c on c.id = q.claim_id left join users u on u.id = c.user_id
    where q.id = ${id}`.execute(db)
  return rows[0] ?? null
}
