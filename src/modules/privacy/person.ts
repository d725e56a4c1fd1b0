import type { Database } from '../../platform/database/connect.ts'
import { foldMailAddress, parseMailAddress } from '../../platform/mail/mail-address.ts'
import type { Person } from '../../platform/personal.ts'
import { StartError } from '../../platform/start-error.ts'
import { findAccount, listAccountsOf } from './queries.ts'

export type Asked = { email: string } | { user: string }

/** Who is meant, and the accounts that only say to have the address. */
export type Found = { person: Person; unsure: string[] }

/**
 * An address stands for the accounts of which it is sure, and for all that bears it. An account stands for its address
 * where that is sure: else whoever says to have an address would be given, or could take away, what is another's.
 */
export async function findPerson(db: Database, asked: Asked): Promise<Found> {
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
