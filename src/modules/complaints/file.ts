import { sql } from 'kysely'
import type { Caller } from '../../platform/access/caller.ts'
import { create } from '../../platform/change.ts'
import type { Database } from '../../platform/database/connect.ts'
import { conflictOf, invalid, notFound, raise } from '../../platform/errors.ts'
import { uuidv7 } from '../../platform/formats/uuid.ts'
import type { Deps } from '../../platform/module.ts'
import type { Ground } from '../grounds/grounds.ts'
import { canObject, type Objection, objectionUntil } from '../grounds/objecting.ts'
import { holdsOfActeur, type Restriction } from '../grounds/statements.ts'
import { contestable, isOfReporter, type Outcome } from '../publications/reports/cases.ts'
import { queueMail } from './mailing.ts'
import { insertComplaint, type StoredComplaint } from './queries.ts'
import { complaint } from './record.ts'

/** `report`: of somebody who was signed in; `by`: the user. */
export type Contestable = Objection | { about: 'report'; id: string; by: string }

/** What somebody may complain about. */
export type Contested = {
  /** The case whose outcome it is; null: it is about a statement. */
  case_id: string | null
  record_id: string
  title: string
  decider_id: string | null
  decided_at: Date
  until: Date
  restriction: Restriction | null
  outcome: Outcome | null
  ground: Ground | null
  reason: string | null
  /**
   * `open`: a complaint is possible. `late`; `lifted`: nothing is left to complain about; `done`: this person has complained.
   */
  state: 'open' | 'late' | 'lifted' | 'done'
}

/** Finds what somebody objects to; null if it is not theirs, or not kept any more. `lock`: until the transaction ends. */
export async function findContested(
  db: Database,
  contested: Contestable,
  { lock = false } = {},
): Promise<Contested | null> {
  const locked = lock ? sql`for share of one` : sql``
  const found = contested.about === 'statement' ? ofStatement(contested) : ofReport(contested)
  const { rows } = await sql<Contested>`${found} ${locked}`.execute(db)
  return rows[0] ?? null
}

/** A statement about a publication, of its author and the members of its acteur; about an acteur, of its owners. */
const ofStatement = ({ id, by }: Contestable) => sql`
      select null as case_id, one.record_id, one.title, one.decided_by as decider_id, one.decided_at, ${objectionUntil(sql`one.decided_at`)} as until,
        one.restriction, null as outcome, one.ground, one.reason, case
          when exists (select from complaints c where c.statement_id = one.id and c.user_id = ${by}) then 'done'
          when one.ended_at is not null or one.entity = 'acteur' and not ${holdsOfActeur(sql`one`)} then 'lifted'
          when not ${canObject(sql`one.decided_at`)} then 'late' else 'open' end as state
      from statements one join users u on u.id = ${by}
      left join publications p on one.entity = 'publication' and p.id = one.record_id
      left join acteurs a on one.entity = 'acteur' and a.id = one.record_id
      where one.id = ${id} and u.actif and (p.created_by = u.id or exists (
        select from actor_users m where m.user_id = u.id
          and (m.acteur_id = p.acteur_id or m.acteur_id = a.id and m.role = 'owner')))`

/** The outcome of a case, to whom the link of its mail is for, or to whom a report of it is. */
function ofReport({ about, id, by }: Contestable) {
  const theirs =
    about === 'report'
      ? sql`join publication_reports r on r.case_id = one.id and r.id = ${id} and r.caller_key = ${`user ${by}`}`
      : sql`join case_reporters f on f.case_id = one.id and f.case_id = ${id} and f.reporter_id = ${by}
        join publication_reports r on r.id = f.report_id`
  return sql`
      select one.id as case_id, p.id as record_id, p.title, one.decided_by as decider_id, one.ended_at as decided_at,
        ${objectionUntil(sql`one.ended_at`)} as until, null as restriction, one.outcome, one.ground, null as reason, case
          when exists (select from complaints c where c.case_id = one.id and (c.reporter_id = ${by} or ${isOfReporter})) then 'done'
          when one.followed_by is not null then 'lifted'
          when not ${canObject(sql`one.ended_at`)} then 'late' else 'open' end as state
      from report_cases one join publications p on p.id = one.publication_id
      ${theirs} where one.outcome = any(${[...contestable]}::text[])`
}

type Tools = Pick<Deps, 'db'> & { jobs: Pick<Deps['jobs'], 'enqueue'> }

/**
 * Files a complaint, with its receipt. The lock makes it wait for an undo, which lifts what it is about: 409, as for a second
 * one of the same person; 404 if it is not theirs.
 */
export function fileComplaint(
  { db, jobs }: Tools,
  caller: Caller,
  objection: Contestable,
  given: string,
): Promise<StoredComplaint> {
  const text = given.trim()
  if (text.length < 20) throw invalid('text', tooShort)
  return create(db, caller, complaint, { action: 'complaint.create' }, async (tx) => {
    // Before the decision, as an erasure does.
    await sql`select from users where id = ${objection.by} for key share`.execute(tx)
    if (objection.about !== 'statement') await lockCase(tx, objection)
    const found = (await findContested(tx, objection, { lock: true })) ?? raise(notFound())
    if (found.state !== 'open') throw refusals[found.state]()
    const { case_id, record_id, title, decider_id } = found
    const { about, id, by } = objection
    const whose = {
      statement_id: about === 'statement' ? id : null,
      case_id,
      ...(about === 'case' ? { user_id: null, reporter_id: by } : { user_id: by, reporter_id: null }),
    }
    const row = await insertComplaint(tx, { id: uuidv7(), ...whose, record_id, title, text, decider_id })
    await queueMail(tx, jobs, { complaintId: row.id, kind: 'receipt', userId: row.user_id })
    return row
  })
}

/** Locks a case, so that a complaint by link and one in the account, which no unique index ties, see each other. */
async function lockCase(tx: Database, { about, id }: Contestable): Promise<void> {
  const caseId =
    about === 'case' ? sql`${id}` : sql`(select case_id from publication_reports where id = ${id})`
  await sql`select from report_cases where id = ${caseId} for no key update`.execute(tx)
}

const tooShort = { en: 'must have at least 20 characters', fr: 'doit avoir au moins 20 caractères' }

const refusals = {
  done: () =>
    conflictOf({
      en: 'You have already complained about this decision.',
      fr: 'Vous avez déjà contesté cette décision.',
    }),
  lifted: () =>
    conflictOf({ en: 'This decision is not in force any more.', fr: 'Cette décision ne tient plus.' }),
  late: () =>
    conflictOf({
      en: 'Complaints are possible for six months.',
      fr: 'Une décision se conteste pendant six mois.',
    }),
}
