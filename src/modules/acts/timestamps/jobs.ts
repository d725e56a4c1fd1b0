import Type from 'typebox'
import { type Config, settingsOf } from '../../../platform/config/config.ts'
import { createGuardedFetch, type GuardedFetch } from '../../../platform/fetch/guarded-fetch.ts'
import { defineJob, type Handler, handle, type Schedule, schedule } from '../../../platform/jobs/job.ts'
import type { Deps } from '../../../platform/module.ts'
import * as queries from './queries.ts'
import { type Authority, timestampSettings } from './settings.ts'
import { readReply, requestFor } from './token.ts'

/**
 * Asks the authority for a timestamp of each seal, after its publication: an act is published whether or not the authority responds.
 * A reply that is lost is asked for again, because the authority keeps no count.
 */
const stamp = defineJob('acts.timestamp', Type.Object({}), { retries: 1 })

/** Without an authority nothing runs. */
export const stampSchedules = (config: Config): Schedule[] =>
  settingsOf(config, timestampSettings).authority === null ? [] : [schedule(stamp, '* * * * *', {})]

const timeoutMs = 15_000
const maxBytes = 65_536
/** Longer than an attempt. */
const leaseSeconds = 60
/** Seconds before each retry; the last one repeats. */
const delays = [60, 300, 900, 3_600]

type Tools = Pick<Deps, 'db' | 'config' | 'clock' | 'log'>

export function stampHandler({ db, config, clock, log }: Tools): Handler {
  // The operator names the address, which may be one of the own network.
  const ask = createGuardedFetch({ allowPrivate: true, timeoutMs, maxBytes })
  return handle(stamp, async (_payload, { signal }) => {
    const { authority } = settingsOf(config, timestampSettings)
    if (authority === null) return
    await queries.listNewSeals(db, clock())
    while (!signal.aborted) {
      const due = await queries.claimDue(db, clock(), leaseSeconds)
      if (due === undefined) return
      try {
        const received = await requestTimestamp(ask, authority, due.seal, clock)
        await queries.recordReply(db, due.number, { ...received, pem: authority.pem })
      } catch (error) {
        const problem = String(error).slice(0, 300)
        const delay = delays[Math.min(due.attempts, delays.length) - 1] ?? 0
        await queries.recordProblem(db, due.number, {
          problem,
          nextAt: new Date(clock().getTime() + delay * 1_000),
        })
        log.warn(
          { seal: due.number, attempts: due.attempts, problem },
          'no timestamp: TSA_URL did not give one',
        )
        // The others would fare alike.
        return
      }
    }
  })
}

async function requestTimestamp(
  ask: GuardedFetch,
  { url, roots }: Authority,
  seal: Buffer,
  clock: Deps['clock'],
) {
  const request = requestFor(seal)
  const headers = { 'content-type': 'application/timestamp-query' }
  const { status, body: reply } = await ask(url, { headers, body: request.der })
  if (status !== 200) throw new Error(`The authority returned ${status}.`)
  return { reply, ...readReply(reply, request, { roots, now: clock() }) }
}
