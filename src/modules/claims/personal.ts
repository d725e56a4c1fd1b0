import { sql } from 'kysely'
import type { Database } from '../../platform/database/connect.ts'
import { isTheirs, type Person, type Personal, rowsOf, unsureOf } from '../../platform/personal.ts'

/** The person's own claims. Their decisions on other claims belong to their actions in the audit log. */
export const claimsOfPerson: Personal = {
  name: 'claims',
  title: { en: 'Claims', fr: 'Revendications' },
  erasure: {
    en: 'Lose name, contacts, message and questions; a pending claim expires. Dates and the decision stay.',
    fr: 'Perdent nom, contacts, message et questions ; une revendication en attente expire. Les dates et la décision restent.',
  },
  kind: 'claim',
  find: (person) => sql`
    select claims.id::text as id, claims.id as record_id, a.nom as label
    from (select id, acteur_id from claims where ${isTheirs(person)} and pseudonymised_at is null) claims
    join acteurs a on a.id = claims.acteur_id`,
  read: rowsOf(
    'claims',
    sql`acteur_id, user_id, nom, email, telephone, reference, message, status, reason, email_status, created_at, ended_at, (
      select json_agg(json_build_object('body', q.body, 'created_at', q.created_at) order by q.created_at, q.id)
      from claim_questions q where q.claim_id = claims.id) as questions`,
    isTheirs,
  ),
  unsure: unsureOf('claims'),
  erase: eraseClaims,
}

/** Erases the claims' personal data; expires pending ones for lack of a claimant; cancels queued mails. */
async function eraseClaims(tx: Database, person: Person): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    update claims
    set nom = null, email = null, telephone = null, reference = null, reason = null, message = '', pseudonymised_at = now(),
      ended_at = coalesce(ended_at, now()),
      status = case status when 'pending' then 'expired' else status end,
      email_status = nullif(email_status, 'queued'),
      email_status_at = case when email_status <> 'queued' then email_status_at end
    where ${isTheirs(person)} and pseudonymised_at is null
    returning id`.execute(tx)
  const claims = rows.map(({ id }) => id)
  // A separate statement, so that it sees questions committed while the first one waited for the lock.
  const questions = await sql<{ id: string }>`
    delete from claim_questions where claim_id = any(${claims}::uuid[]) returning id`.execute(tx)
  return [...claims, ...questions.rows.map(({ id }) => id)]
}
