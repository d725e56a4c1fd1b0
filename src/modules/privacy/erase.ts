import pg from 'pg'
import { operator } from '../../platform/access/caller.ts'
import { type DigestIdentity, rememberErased } from '../../platform/access/erased-identities.ts'
import { validFromAfterRevocation } from '../../platform/access/tokens.ts'
import { lockIdentity } from '../../platform/access/users.ts'
import { recordAudit } from '../../platform/audit/record.ts'
import type { Database } from '../../platform/database/connect.ts'
import { takeBack } from '../../platform/database/take-back.ts'
import { ApiError } from '../../platform/errors.ts'
import type { Deps } from '../../platform/module.ts'
import type { Person } from '../../platform/personal.ts'
import { StartError } from '../../platform/start-error.ts'
import { uuidv7 } from '../../platform/uuid.ts'
import { type Asked, type Found, findPerson } from './person.ts'
import { type Account, lockAccounts } from './queries.ts'
import { person as auditedPerson } from './record.ts'
import { addressPattern } from './traces.ts'

type Tools = Pick<Deps, 'db' | 'jobs' | 'modules' | 'clock'> & { digestOf: DigestIdentity }

/** Which rows of what were changed, and which jobs taken away. */
export type Erased = Found & { changed: Record<string, string[]> }

/**
 * Takes out of every module what tells who somebody is: all of it or nothing. Rows, counts and the trail stay. A dry run
 * does the same and takes it back, so that it says just what would be done.
 */
export async function erasePerson(tools: Tools, asked: Asked, { dryRun = false } = {}): Promise<Erased> {
  const work = (tx: Database) => eraseWithin(tools, tx, asked)
  for (let attempt = 1; ; attempt++) {
    try {
      return await (dryRun ? takeBack(tools.db, work) : tools.db.transaction().execute(work))
    } catch (thrown) {
      const error = thrown instanceof ApiError ? thrown.cause : thrown
      if (!(error instanceof pg.DatabaseError)) throw thrown
      // Whoever decides on a claim holds it before its user; here the user comes first.
      if (error.code === deadlock && attempt < 5) continue
      throw error.constraint === 'last_admin' ? lastAdmin() : thrown
    }
  }
}

async function eraseWithin(tools: Tools, tx: Database, asked: Asked): Promise<Erased> {
  const found = await findPerson(tx, asked)
  const { person } = found
  const accounts = await holdAccounts(tx, person)
  await refuseTokensOfBefore(tools, tx, accounts)
  const changed: Record<string, string[]> = {}
  for (const { name, erase } of tools.modules.flatMap(({ personal = [] }) => personal)) {
    if (erase !== undefined) changed[name] = await erase(tx, person)
  }
  // Last: what was put in line by those who held these rows before is there by now.
  changed.jobs = await tools.jobs.forget(tx, saidOf(person, changed))
  if (Object.values(changed).some((ids) => ids.length > 0)) await record(tx, person, changed)
  return { ...found, changed }
}

/** Nobody signs in as one of them, and nothing is made in their name, until the transaction ends. */
async function holdAccounts(tx: Database, { userIds }: Person): Promise<Account[]> {
  const accounts = await lockAccounts(tx, userIds)
  for (const { issuer, subject } of accounts) {
    if (issuer !== null && subject !== null) await lockIdentity(tx, { issuer, subject })
  }
  return accounts
}

async function refuseTokensOfBefore({ digestOf, clock }: Tools, tx: Database, accounts: Account[]) {
  const digests = accounts.flatMap(({ issuer, subject }) =>
    issuer !== null && subject !== null ? [digestOf({ issuer, subject })] : [],
  )
  await rememberErased(tx, digests, validFromAfterRevocation(clock()))
}

/** What jobs say of somebody: an account, an address, or a record that was theirs. */
function saidOf({ userIds, emails }: Person, changed: Record<string, string[]>): string[] {
  const ids = [...userIds, ...Object.values(changed).flat()].filter((id) => uuid.test(id))
  return [...new Set(ids), ...emails.map(addressPattern)]
}

const uuid = /^[0-9a-f-]{36}$/

/** On each account; where there is none, on a number made for it. Nothing says whose it was. */
async function record(tx: Database, { userIds }: Person, changed: Record<string, string[]>): Promise<void> {
  const counts = Object.fromEntries(Object.entries(changed).map(([name, ids]) => [name, ids.length]))
  for (const entityId of userIds.length > 0 ? userIds : [uuidv7()]) {
    const after = { erased: counts }
    await recordAudit(tx, operator, {
      action: 'person.erase',
      kind: auditedPerson,
      entityId,
      before: null,
      after,
    })
  }
}

const deadlock = '40P01'
const lastAdmin = () =>
  new StartError('This is the last administrator: make somebody else one first (npm run token).')
