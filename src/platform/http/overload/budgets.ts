import { hash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { addressCaller } from '../../formats/network-address.ts'
import {
  type Account,
  currentPayer,
  newAccount,
  type Payer,
  runFor,
  spentMs,
} from '../../time/processing-time.ts'
import type { HttpServer } from '../http-server.ts'
import { perClientAddress } from '../rate-limits/client-address.ts'

/** A tenth of the machine over the ten seconds that count. */
export const defaultBudgetMs = 1_000
const maxCredentials = 10_000
const sweepMs = 10_000

export type Budgets = {
  /** Returns who pays for a request: the person whose credentials it has, if they were valid before, else its address. */
  payerOf(request: IncomingMessage): Payer
  isSpent(account: Account): boolean
  /** Whether the client that pays for what runs now has spent its budget. */
  isCurrentSpent(): boolean
  /** How many clients have spent their budgets. */
  readonly spent: number
}

/**
 * Gives each address (IPv6: each /64), and each signed-in person, a budget of processing time: the event loop and the
 * database, added up. Requests of a client that has spent it wait behind those of all others. Gain: a client that floods
 * starts one request in a turn of the event loop and uses one slot, instead of sixteen per connection and all slots.
 */
export function clientBudgets(
  server: HttpServer,
  { budgetMs = defaultBudgetMs, trustProxy }: { budgetMs?: number | undefined; trustProxy: string[] },
): Budgets {
  const accounts = new Map<string, Account>()
  const people = new Map<string, string>()
  const payers = new WeakMap<IncomingMessage, Payer>()
  const addressOf = perClientAddress(trustProxy, addressCaller)
  let sweptAt = performance.now()

  const isSpent = (account: Account) => account.spentMs > budgetMs && spentMs(account) > budgetMs
  function accountOf(name: string): Account {
    const known = accounts.get(name)
    if (known !== undefined) return known
    sweep()
    const account = newAccount(name)
    accounts.set(name, account)
    return account
  }
  function sweep() {
    if (performance.now() - sweptAt < sweepMs) return
    sweptAt = performance.now()
    for (const [name, account] of accounts) if (spentMs(account) < 1) accounts.delete(name)
  }
  function remember(credential: string, name: string) {
    people.delete(credential)
    people.set(credential, name)
    const [oldest = credential] = people.keys()
    if (people.size > maxCredentials) people.delete(oldest)
  }

  /** A request that another one makes within the process is paid by the client of that one. */
  const payerOfRunning = (request: IncomingMessage) => payers.get(request) ?? currentPayer()

  server.addHook('preParsing', (request, _reply, payload, done) => {
    const credential = credentialOf(request.raw)
    const payer = payerOfRunning(request.raw)
    if (request.caller?.user && credential !== null && payer !== null) {
      const name = `user ${request.caller.user.id}`
      payer.account = accountOf(name)
      remember(credential, name)
    }
    done(null, payload)
  })
  // A body arrives on behalf of its connection, not of the request.
  server.addHook('preValidation', (request, _reply, done) => runFor(payerOfRunning(request.raw), done))
  return {
    payerOf(request) {
      const credential = credentialOf(request)
      const person = credential === null ? undefined : people.get(credential)
      const payer = { account: accountOf(person ?? addressOf(request)) }
      payers.set(request, payer)
      return payer
    },
    isSpent,
    isCurrentSpent() {
      const payer = currentPayer()
      return payer !== null && isSpent(payer.account)
    },
    get spent() {
      return accounts.values().filter(isSpent).toArray().length
    },
  }
}

/** As a digest: no secret stays in memory. */
function credentialOf({ headers }: IncomingMessage): string | null {
  const credential = headers.authorization ?? headers.cookie
  return credential === undefined ? null : hash('sha256', credential, 'base64url')
}
