import { AsyncLocalStorage } from 'node:async_hooks'
import { availableParallelism } from 'node:os'
import { performance as clocks } from 'node:perf_hooks'

/**
 * Measures what the requests of a client cost. A machine that others keep busy makes every request last longer; what
 * that adds is nobody's cost. So it counts
 * - the event loop by the processor time of its thread;
 * - a statement by the time in which the event loop had nothing to do while it ran, divided by the statements among which the
 *   processors are shared: while the loop works, others may make the response wait. Of that time counts the share that the
 *   loop itself gets of a processor when it has work. PostgreSQL tells nobody its own processor time; on the same machine it
 *   gets no larger share, and on another one a statement costs less than it took.
 */

/** Milliseconds that the requests of a client have cost lately. It decays: half a minute later, nothing of it counts any more. */
export type Account = { name: string; spentMs: number; at: number }
/** A request, and who pays for it: an address, until a person is known to have signed in. */
export type Payer = { account: Account }

const windowMs = 10_000
const shareWindowMs = 1_000
const processors = availableParallelism()
const payers = new AsyncLocalStorage<Payer | null>()

export const newAccount = (name: string): Account => ({ name, spentMs: 0, at: performance.now() })

export const spentMs = ({ spentMs, at }: Account): number =>
  spentMs === 0 ? 0 : spentMs * Math.exp((at - performance.now()) / windowMs)

function charge(account: Account, ms: number): void {
  account.spentMs = spentMs(account) + ms
  account.at = performance.now()
}

/** What the clocks show: of the day, and of the thread's processor time. */
type Moment = { at: number; processor: number }
function now(): Moment {
  const { user, system } = process.threadCpuUsage()
  return { at: performance.now(), processor: (user + system) / 1_000 }
}

/** How much of a processor the event loop had when it had work, over the last second or so. It begins as if it had all. */
const had = { processorMs: 1, ms: 1, at: performance.now() }
const shareOfProcessor = () => Math.min(1, had.processorMs / had.ms)

/** The client on whose behalf this turn of the event loop runs, and since when. */
let inTurn: { payer: Payer; since: Moment } | null = null
let isEnding = false

function endTurn(): void {
  isEnding = false
  if (inTurn !== null) chargeSince(inTurn, now())
  inTurn = null
}

/** Charges the rest of this turn of the event loop, or what it runs until it goes on with another request. */
function beginTurn(payer: Payer): void {
  if (inTurn?.payer === payer) return
  const since = now()
  if (inTurn !== null) chargeSince(inTurn, since)
  inTurn = { payer, since }
  if (!isEnding) setImmediate(endTurn)
  isEnding = true
}

function chargeSince({ payer, since }: NonNullable<typeof inTurn>, { at, processor }: Moment): void {
  const processorMs = processor - since.processor
  charge(payer.account, processorMs)
  const weight = Math.exp((had.at - at) / shareWindowMs)
  had.processorMs = had.processorMs * weight + processorMs
  had.ms = had.ms * weight + (at - since.at)
  had.at = at
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

// Of the module: a test that sets the time replaces the global one.
const idleMs = () => clocks.eventLoopUtilization().idle

/** How many statements run. Together they have no more time than the processors give. */
let running = 0

/** Charges a statement until the function is called that it returns, and then what is done with its response. */
export function chargeStatement(): () => void {
  const idleBefore = idleMs()
  running++
  return () => {
    const payer = currentPayer()
    if (payer !== null) {
      const waitedMs = idleMs() - idleBefore
      charge(payer.account, (waitedMs * shareOfProcessor()) / Math.max(processors, running))
      beginTurn(payer)
    }
    running--
  }
}
