import type { Database } from '../../platform/database/connect.ts'
import { invalid, validationFailed } from '../../platform/errors.ts'
import { foldMailAddress, parseMailAddress } from '../../platform/formats/mail-address.ts'
import { isUuid } from '../../platform/formats/uuid.ts'
import { type Deps, personalOf } from '../../platform/module.ts'
import type { Person } from '../../platform/personal.ts'
import { findAccount, listAccountsOf } from './queries.ts'
import type { AskedBody } from './schema.ts'

/** A person, by address or account; `also` lists records of other accounts that belong to the same person. */
export type PersonQuery = ({ email: string } | { user: string }) & { also?: string[] }

/** The person, and accounts that have the address without verification. */
export type PersonMatch = { person: Person; unsure: string[] }

/**
 * Resolves a person: an address to the accounts that have verified it, and an account to its verified
 * address. Otherwise anybody could get or erase another person's data by entering their address. 422 if
 * there is no such account, or the text is no address.
 */
export async function findPerson(db: Database, { also, ...asked }: PersonQuery): Promise<PersonMatch> {
  const found = await find(db, asked)
  return also === undefined ? found : { ...found, person: { ...found.person, also } }
}

/** Lists records of other accounts with the person's address, by kind. A human must judge whose they are. */
export async function listUnsureRecords(
  db: Database,
  { modules, config }: Pick<Deps, 'modules' | 'config'>,
  person: Person,
): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {}
  for (const { name, unsure } of personalOf(modules, config)) {
    const ids = (await unsure?.(db, person)) ?? []
    if (ids.length > 0) found[name] = ids
  }
  return found
}

/** Reads whom a request is about; 422 unless it names either an account or an address. */
export function askedOf({ user_id, email, also }: AskedBody): PersonQuery {
  const more = also === undefined ? {} : { also }
  if (user_id !== undefined && email === undefined) return { user: user_id, ...more }
  if (email !== undefined && user_id === undefined) return { email, ...more }
  throw validationFailed(['user_id', 'email'].map((field) => ({ field, message: messages.one })))
}

async function find(db: Database, asked: { email: string } | { user: string }): Promise<PersonMatch> {
  if ('user' in asked) {
    const account = isUuid(asked.user) ? await findAccount(db, asked.user) : null
    if (account === null) throw invalid('user_id', messages.user)
    const emails = account.email !== null && account.is_sure ? [account.email] : []
    return { person: { userIds: [account.id], emails }, unsure: [] }
  }
  if (parseMailAddress(asked.email) === null) throw invalid('email', messages.email)
  const email = foldMailAddress(asked.email)
  const accounts = await listAccountsOf(db, email)
  const ids = (isSure: boolean) => accounts.filter(({ is_sure }) => is_sure === isSure).map(({ id }) => id)
  return { person: { userIds: ids(true), emails: [email] }, unsure: ids(false) }
}

const messages = {
  user: { en: 'is not an existing user', fr: 'n’est pas un compte existant' },
  email: { en: 'must be one plain e-mail address', fr: 'doit être une seule adresse e-mail' },
  one: { en: 'give either user_id or email', fr: 'donner user_id ou email, pas les deux' },
}
