import pg from 'pg'
import { type Caller, operator } from '../../platform/access/caller.ts'
import {
  type DigestIdentity,
  type LoadDigests,
  rememberErased,
} from '../../platform/access/erased-identities.ts'
import { validFromAfterRevocation } from '../../platform/access/tokens.ts'
import { lockIdentity } from '../../platform/access/users.ts'
import { append } from '../../platform/change.ts'
import type { Database } from '../../platform/database/connect.ts'
import { rollBackAfter, type Transact, transactOn } from '../../platform/database/dry-run.ts'
import { ApiError } from '../../platform/errors.ts'
import { uuidv7 } from '../../platform/formats/uuid.ts'
import { type Deps, personalOf } from '../../platform/module.ts'
import type { Person } from '../../platform/personal.ts'
import { lastAdmin } from '../users/errors.ts'
import { findPerson, type PersonMatch, type PersonQuery } from './person.ts'
import { type Account, deleteResponsesMentioning, lockAccounts, lockErasures } from './queries.ts'
import { person as auditedPerson } from './record.ts'
import { addressPattern } from './traces.ts'

type Tools = Pick<Deps, 'db' | 'jobs' | 'modules' | 'config' | 'clock'> & { digests: LoadDigests }

/** Changed rows and deleted jobs. */
export type Erasure = PersonMatch & { changed: Record<string, string[]> }

type Options = {
  dryRun?: boolean
  caller?: Caller
  /** Where it runs: by default, on the pool for writes. */
  transact?: Transact
}

/**
 * Erases everything that identifies a person from all modules, in one transaction. Keeps rows, counts and the
 * audit log. A dry run does the same and rolls back, so its report is exact. 409 for the last administrator.
 */
export async function erasePerson(
  tools: Tools,
  asked: PersonQuery,
  { dryRun = false, caller = operator, transact = transactOn(tools.db) }: Options = {},
): Promise<Erasure> {
  // Outside the transaction: the rollback of a dry run must not undo a newly created key.
  const digestOf = await tools.digests(tools.db)
  const work = (tx: Database) => eraseWithin({ ...tools, digestOf, caller }, tx, asked)
  for (let attempt = 1; ; attempt++) {
    try {
      return await (dryRun ? rollBackAfter(transact, work) : transact(work))
    } catch (thrown) {
      const error = thrown instanceof ApiError ? thrown.cause : thrown
      if (!(error instanceof pg.DatabaseError)) throw thrown
      // A decision locks the claim before its user, the erasure the user first: retry a deadlock.
      if (error.code === deadlock && attempt < 5) continue
      if (error.constraint === 'last_admin') throw lastAdmin()
      throw thrown
    }
  }
}

type Within = Tools & { digestOf: DigestIdentity; caller: Caller }

async function eraseWithin(tools: Within, tx: Database, asked: PersonQuery): Promise<Erasure> {
  // A concurrent erasure of the same person finds nothing left, and no export of theirs begins meanwhile.
  await lockErasures(tx)
  const found = await findPerson(tx, asked)
  const { person } = found
  const accounts = await lockAccountsOf(tx, person)
  await refuseTokensOfBefore(tools, tx, accounts)
  const changed: Record<string, string[]> = {}
  const theirs: string[] = []
  for (const { name, erase, ofOthers } of personalOf(tools.modules, tools.config)) {
    if (erase === undefined) continue
    const ids = await erase(tx, person)
    changed[name] = ids
    if (!ofOthers) theirs.push(...ids)
  }
  // Last, because jobs enqueued by transactions that had locked these rows are visible by now.
  const mentions = mentionsOf(person, theirs)
  const authored = tools.modules.flatMap(({ jobs }) => jobs?.authored ?? [])
  changed.jobs = await tools.jobs.forget(tx, mentions, authored)
  changed.kept_answers = [...(changed.kept_answers ?? []), ...(await deleteResponsesMentioning(tx, mentions))]
  if (Object.values(changed).some((ids) => ids.length > 0)) await record(tx, tools.caller, person, changed)
  return { ...found, changed }
}

/** Locks the accounts, so that nobody signs in or writes with them until the transaction ends. */
async function lockAccountsOf(tx: Database, { userIds }: Person): Promise<Account[]> {
  const accounts = await lockAccounts(tx, userIds)
  for (const { issuer, subject } of accounts) {
    if (issuer !== null && subject !== null) await lockIdentity(tx, { issuer, subject })
  }
  return accounts
}

async function refuseTokensOfBefore({ digestOf, clock }: Within, tx: Database, accounts: Account[]) {
  const digests = accounts.flatMap(({ issuer, subject }) =>
    issuer !== null && subject !== null ? digestOf({ issuer, subject }).slice(0, 1) : [],
  )
  await rememberErased(tx, digests, validFromAfterRevocation(clock()))
}

/** Returns patterns that find the person in jobs: ids of accounts and of their records, and addresses. */
function mentionsOf({ userIds, emails }: Person, changed: string[]): string[] {
  const ids = [...userIds, ...changed].filter((id) => uuid.test(id))
  return [...new Set(ids), ...emails.map(addressPattern)]
}

const uuid = /^[0-9a-f-]{36}$/

/** Writes an audit entry per account, or under a new id if there is none. It holds nothing identifying. */
async function record(
  tx: Database,
  caller: Caller,
  { userIds }: Person,
  changed: Record<string, string[]>,
): Promise<void> {
  const counts = Object.fromEntries(Object.entries(changed).map(([name, ids]) => [name, ids.length]))
  const change = { action: 'person.erase', kind: auditedPerson, after: { erased: counts } }
  const ids = userIds.length > 0 ? userIds : [uuidv7()]
  await append(
    tx,
    caller,
    ids.map((entityId) => ({ ...change, entityId })),
  )
}

const deadlock = '40P01'
