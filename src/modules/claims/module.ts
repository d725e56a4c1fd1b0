import { sql } from 'kysely'
import { operator } from '../../platform/access/caller.ts'
import { foldedEmail } from '../../platform/access/users.ts'
import { settingsOf } from '../../platform/config/config.ts'
import type { Database } from '../../platform/database/connect.ts'
import { beginsWords, newestWith } from '../../platform/database/search.ts'
import { foldMailAddress } from '../../platform/formats/mail-address.ts'
import type { ConstraintErrors } from '../../platform/http/error-handler.ts'
import type { MovesOnMerge } from '../../platform/merging.ts'
import type { DailyCounts, Module, Retention, Waiting } from '../../platform/module.ts'
import { isTheirs, type Person, type Personal, rowsOf, unsureOf } from '../../platform/personal.ts'
import { maxFound, type SearchSource } from '../../platform/search-source.ts'
import { acteursNamed } from '../acteurs/queries.ts'
import { newDecisionId } from '../recent-decisions/recording.ts'
import { decideClaimRoutes } from './decide/routes.ts'
import { rejectClaim } from './decide/rules.ts'
import { claimConflict, claimsErrors } from './errors.ts'
import { expireClaimOf, expireHandler, expireSchedule } from './expire.ts'
import { decisionMails, notifyClaimantHandler } from './notify.ts'
import { ownClaimsRoutes } from './own.ts'
import { claimRules } from './permissions.ts'
import { type ClaimRow, columns, isOverdue } from './queries.ts'
import { answeredQuestions, questionHandler, questionMails } from './question/jobs.ts'
import { questionRoutes } from './question/routes.ts'
import { readClaimRoutes } from './reading.ts'
import { receiptHandler, receiptMails } from './receipt/jobs.ts'
import { claim } from './record.ts'
import { readReference } from './reference.ts'
import { registrationRoutes } from './register.ts'
import { settleRegistrations } from './registered.ts'
import { claimsSettings } from './settings.ts'
import { submitClaimRoutes } from './submit.ts'
import { undoClaims } from './undo.ts'

/**
 * Moves the pending claims of a merged acteur. If both acteurs have pending claims, rejects those of the
 * acteur claimed later, and mails their claimants. Decided claims move like any other row.
 */
const movePendingClaims: MovesOnMerge = async (tx, { jobs, config }, { from, into, author }) => {
  if (!(await hasPending(tx, from))) return 0
  const { ttlDays } = settingsOf(config, claimsSettings)
  await lockPending(tx, [from, into])
  for (const acteurId of [from, into]) await expireClaimOf(tx, acteurId, ttlDays)
  const pending = await lockPending(tx, [from, into])
  const later = pending.find(({ acteur_id }) => acteur_id !== pending[0]?.acteur_id)?.acteur_id
  const decision_id = newDecisionId()
  for (const before of pending.filter(({ acteur_id }) => acteur_id === later))
    await rejectClaim(tx, jobs, author, before, { reasons, decision_id })
  await sql`update claims set acteur_id = ${into} where acteur_id = ${from} and status = 'pending'`.execute(
    tx,
  )
  return pending.length
}

const reasons = {
  en: 'This page was merged with another one, which somebody had asked for before.',
  fr: 'Cette page a été réunie avec une autre, pour laquelle une demande plus ancienne est en attente.',
}

async function hasPending(tx: Database, acteurId: string): Promise<boolean> {
  const { rows } = await sql`
    select from claims where acteur_id = ${acteurId} and status = 'pending' limit 1`.execute(tx)
  return rows.length > 0
}

/** Locks the pending claims of these acteurs by id, as decisions do. Returns the oldest first. */
async function lockPending(tx: Database, acteurIds: string[]): Promise<ClaimRow[]> {
  const { rows } = await sql<ClaimRow>`
    select ${sql.join(columns.map((name) => sql.ref(name)))} from claims
    where acteur_id = any(${acteurIds}::uuid[]) and status = 'pending' order by id for no key update`.execute(
    tx,
  )
  return rows.toSorted((one, other) => one.created_at.getTime() - other.created_at.getTime())
}

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
  // Locked first: a decision in progress settles them itself.
  const pending = await sql<{ id: string }>`
    select id from claims where ${isTheirs(person)} and status = 'pending' order by id for no key update`.execute(
    tx,
  )
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
  const expired = pending.rows.map(({ id }) => id)
  await settleRegistrations(tx, operator, expired, 'expired')
  // A separate statement, so that it sees questions committed while the first one waited for the lock.
  const questions = await sql<{ id: string }>`
    delete from claim_questions where claim_id = any(${claims}::uuid[]) returning id`.execute(tx)
  return [...claims, ...questions.rows.map(({ id }) => id)]
}

const claimsSearchSource: SearchSource = {
  kind: 'claim',
  shown: sql`
    select coalesce((select a.nom from acteurs a where a.id = c.acteur_id), '') as label,
      coalesce(c.nom, c.email) as detail
    from claims c where c.id = found.id`,
  ways: (q) => [
    { ids: sql`select id from claims where reference = ${readReference(q)}`, exact: true },
    {
      ids: sql`
        select id from claims where email is not null and ${foldedEmail} = ${foldMailAddress(q)}
        order by created_at desc, id desc limit ${sql.lit(maxFound)}`,
      exact: true,
    },
    {
      ids: newestWith({
        table: 'claims',
        time: 'created_at',
        matches: beginsWords(sql`r.search`, q),
        limit: maxFound,
      }),
    },
    {
      ids: sql`
        select id from claims where acteur_id = any(array(${acteursNamed(q, 20)}))
        order by created_at desc, id desc limit ${sql.lit(maxFound)}`,
    },
  ],
}

const claimsWaiting: Waiting = {
  key: 'claims',
  area: 'claims',
  rows: (config) => sql`
    select count(*) as count, min(c.created_at) as oldest_at from claims c
    where c.status = 'pending' and not ${isOverdue(settingsOf(config, claimsSettings).ttlDays)}`,
}

/** Number per day. */
const claimsDaily: DailyCounts = {
  claims: {
    description: 'Claims made',
    count: (since, until) => sql`
      select count(*) from claims c where c.created_at >= ${since} and c.created_at < ${until}`,
  },
}

/** Pseudonymises decided and expired claims: keeps only the account ids, deletes their questions. */
export const pseudonymiseClaims: Retention['sweep'] = async (db, months, limit) => {
  const { numAffectedRows } = await sql`
    with old as (
      select id from claims
      where ended_at < now() - make_interval(months => ${months}::int) and pseudonymised_at is null
      order by ended_at limit ${limit} for no key update skip locked),
    asked as (delete from claim_questions where claim_id in (select id from old))
    update claims
    set nom = null, email = null, telephone = null, reference = null, reason = null, message = '', pseudonymised_at = now()
    where id in (select id from old)`.execute(db)
  return Number(numAffectedRows)
}

/** Maps database constraints to API errors. */
const claimsConstraints: ConstraintErrors = {
  claims_one_pending_anonymous: claimConflict,
  claims_one_pending_signed_in: claimConflict,
}

export const claims = {
  name: 'claims',
  about: 'Demands to take over an acteur',
  routes: {
    publicWrites(scope, deps) {
      submitClaimRoutes(scope, deps)
      registrationRoutes(scope, deps)
    },
    bearer: ownClaimsRoutes,
    admin: {
      area: 'claims',
      routes(scope, deps) {
        readClaimRoutes(scope, deps)
        decideClaimRoutes(scope, deps)
        questionRoutes(scope, deps)
      },
    },
  },
  permissions: Object.values(claimRules),
  errors: claimsErrors,
  constraints: claimsConstraints,
  audited: [claim],
  jobs: {
    handlers: (deps) =>
      [expireHandler, notifyClaimantHandler, questionHandler, receiptHandler].map((handler) => handler(deps)),
    schedules: [expireSchedule],
  },
  movesOnMerge: [movePendingClaims],
  office: {
    daily: claimsDaily,
    waiting: [claimsWaiting],
    searchSources: [claimsSearchSource],
    mails: [decisionMails, questionMails, receiptMails],
    answered: [answeredQuestions],
    undoes: { claim: undoClaims },
  },
  settings: { own: claimsSettings, limits: { claim: '20/hour' } },
  personal: [claimsOfPerson],
  retention: [{ name: 'claims', months: 24, sweep: pseudonymiseClaims }],
} satisfies Module
