import { AsyncLocalStorage } from 'node:async_hooks'
import { availableParallelism } from 'node:os'

/**
 * What the requests of a client have cost lately: milliseconds of the event loop, and of the database divided by the
 * processors. It decays: half a minute later, nothing of it counts any more.
 */
export type Account = { name: string; spentMs: number; at: number }
/** A request, and who pays for it: an address, until a person is known to have signed in. */
export type Payer = { account: Account }

const windowMs = 10_000
const processors = availableParallelism()
const payers = new AsyncLocalStorage<Payer | null>()

export const newAccount = (name: string): Account => ({ name, spentMs: 0, at: performance.now() })

export const spentMs = ({ spentMs, at }: Account): number =>
  spentMs === 0 ? 0 : spentMs * Math.exp((at - performance.now()) / windowMs)

function charge(account: Account, ms: number): void {
  account.spentMs = spentMs(account) + ms
  account.at = performance.now()
}

/** The client on whose behalf this turn of the event loop runs, and since when. */
let inTurn: { payer: Payer; since: number } | null = null
let isEnding = false

function endTurn(): void {
  isEnding = false
  if (inTurn !== null) charge(inTurn.payer.account, performance.now() - inTurn.since)
  inTurn = null
}

/** Charges the rest of this turn of the event loop, or what it runs until it goes on with another request. */
function beginTurn(payer: Payer): void {
  if (inTurn?.payer === payer) return
  const since = performance.now()
  if (inTurn !== null) charge(inTurn.payer.account, since - inTurn.since)
  inTurn = { payer, since }
  if (!isEnding) setImmediate(endTurn)
  isEnding = true
}

/** Runs something, and all that follows from it, at the expense of a client; of nobody: null. */
export function runFor<Result>(payer: Payer | null, run: () => Result): Result {
  if (payer !== null) beginTurn(payer)
  return payers.run(payer, run)
}

/** Who pays for what runs now; null: nobody, as for jobs. */
export const currentPayer = (): Payer | null => payers.getStore() ?? null

/** Charges what this turn of the event loop still does for the current client. */
export function chargeTurn(): void {
  const payer = currentPayer()
  if (payer !== null) beginTurn(payer)
}

/** How many statements run. Together they have no more time than the processors give. */
let running = 0

/** Charges a statement until the function is called that it returns, and then what is done with its response. */
export function chargeStatement(): () => void {
  const since = performance.now()
  running++
  return () => {
    const payer = currentPayer()
    if (payer !== null) {
      charge(payer.account, (performance.now() - since) / Math.max(processors, running))
      beginTurn(payer)
    }
    running--
  }
}
