import type { Database } from '../../platform/database/connect.ts'
import { foldMailAddress, parseMailAddress } from '../../platform/mail/mail-address.ts'
import type { Module } from '../../platform/module.ts'
import type { Person } from '../../platform/personal.ts'
import { StartError } from '../../platform/start-error.ts'
import { findAccount, listAccountsOf } from './queries.ts'

/** A person, by address or account; `also` lists records of other accounts that belong to the same person. */
export type Asked = ({ email: string } | { user: string }) & { also?: string[] }

/** The person, and accounts that have the address without verification. */
export type Found = { person: Person; unsure: string[] }

/**
 * Resolves a person: an address to the accounts that have verified it, and an account to its verified
 * address. Otherwise anybody could get or erase another person's data by entering their address.
 */
export async function findPerson(db: Database, { also, ...asked }: Asked): Promise<Found> {
  if (also?.some((id) => !uuid.test(id))) throw new StartError('--also takes the id of a record.')
  const found = await find(db, asked)
  return also === undefined ? found : { ...found, person: { ...found.person, also } }
}

/** Lists records of other accounts with the person's address, by kind. A human must judge whose they are. */
export async function listUnsureRecords(
  db: Database,
  modules: readonly Module[],
  person: Person,
): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {}
  for (const { name, unsure } of modules.flatMap(({ personal = [] }) => personal)) {
    const ids = (await unsure?.(db, person)) ?? []
    if (ids.length > 0) found[name] = ids
  }
  return found
}

async function find(db: Database, asked: { email: string } | { user: string }): Promise<Found> {
  if ('user' in asked) {
    const account = uuid.test(asked.user) ? await findAccount(db, asked.user) : null
    if (account === null) throw new StartError(`There is no user ${asked.user}.`)
    const emails = account.email !== null && account.is_sure ? [account.email] : []
    return { person: { userIds: [account.id], emails }, unsure: [] }
  }
  if (parseMailAddress(asked.email) === null)
    throw new StartError(`${asked.email} is not a plain e-mail address.`)
  const email = foldMailAddress(asked.email)
  const accounts = await listAccountsOf(db, email)
  const ids = (isSure: boolean) => accounts.filter(({ is_sure }) => is_sure === isSure).map(({ id }) => id)
  return { person: { userIds: ids(true), emails: [email] }, unsure: ids(false) }
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
