import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { settingsOf } from '../../../platform/config/config.ts'
import type { Database } from '../../../platform/database/connect.ts'
import type { Handler } from '../../../platform/jobs/job.ts'
import { handleRow } from '../../../platform/jobs/rows.ts'
import type { Mail, MailOutcome } from '../../../platform/mail/mail.ts'
import type { Deps } from '../../../platform/module.ts'
import { addressesOf, tokenOf } from '../addresses.ts'
import { linkOf } from '../confirming.ts'
import { subscribersSettings } from '../settings.ts'
import type { Message } from './broadcast.ts'
import { type Delivery, giveUp, type Outcome, recordOutcomes, settle, takeDeliveries } from './deliveries.ts'
import { countOutcomes } from './metrics.ts'
import { enqueueSlice, sendMails } from './sending-jobs.ts'

/** Mails that a process has handed over without knowing the outcome, at most: one job runs at a time. */
const maxInFlight = 10
/** Connections to the mail server at the same time. */
const lanes = 5
const sliceMs = 15_000

type Tools = Pick<Deps, 'db' | 'jobs' | 'mailer' | 'config' | 'log' | 'clock'>

export function sendMailsHandler(tools: Tools): Handler {
  const { db, log, clock } = tools
  return handleRow(sendMails, {
    async attempt({ broadcastId, turn, isAlerte = false }, { signal }) {
      await sendSlice(tools, broadcastId, signal)
      const remaining = await settle(db, broadcastId, 'email', clock())
      if (remaining !== null)
        await enqueueSlice(tools, db, 'email', broadcastId, { turn: 1 - turn, isAlerte, ...remaining })
    },
    async giveUp({ broadcastId }, error) {
      log.error({ err: error, broadcast_id: broadcastId }, 'the mails of a broadcast could not be sent')
      await giveUp(db, broadcastId, 'email')
      await settle(db, broadcastId, 'email', clock())
    },
  })
}

/** Sends what is due, until nothing is or the slice is over. Throws when the mail server takes nothing. */
export async function sendSlice(
  { db, mailer, config, log, clock }: Pick<Tools, 'db' | 'mailer' | 'config' | 'log' | 'clock'>,
  id: string,
  signal: AbortSignal,
): Promise<void> {
  const addresses = addressesOf(config.sessionKeys)
  const { mailRate } = settingsOf(config, subscribersSettings)
  const limit = Math.min(maxInFlight, Math.ceil(mailRate / 2))
  const until = performance.now() + sliceMs
  while (performance.now() < until) {
    await waitForPace(db, limit / mailRate, signal)
    const taken = await takeDeliveries(db, { id, channel: 'email', limit, now: clock() })
    if (taken === null || taken.deliveries.length === 0) return
    const results = await inLanes(taken.deliveries, async (delivery): Promise<MailOutcome> => {
      const contents = addresses.open(delivery.id, delivery.address)
      if (contents === null)
        return { status: 'failed', retry: true, error: 'SESSION_KEY does not decrypt the address' }
      return mailer.send(mailTo(config, taken.message, delivery, contents))
    })
    const outcomes = taken.deliveries.map(({ id }, at) => ({ id, outcome: outcomeOf(results[at]) }))
    const deleted = await recordOutcomes(db, id, outcomes)
    countOutcomes('email', outcomes)
    if (deleted > 0) log.info({ count: deleted }, 'subscribers deleted: their addresses refuse mail')
    const [first] = results
    if (outcomes.every(({ outcome }) => outcome === 'failed') && first?.status === 'failed')
      throw new Error(`no mail was sent: ${first.error}`)
  }
}

/**
 * The address counts as refused only where the server names it: a refusal of the sender or of the content concerns everybody,
 * and must not delete the subscribers.
 */
function outcomeOf(result: MailOutcome | undefined): Outcome {
  if (result?.status !== 'failed') return result?.status ?? 'uncertain'
  return result.refused === 'recipient' ? 'refused' : 'failed'
}

function mailTo(
  config: Deps['config'],
  message: Message,
  { id, communes }: Delivery,
  { address, secret }: { address: string; secret: string },
): Mail {
  const link = linkOf(config, tokenOf(id, secret))
  const site = config.publicSiteUrl ?? config.publicUrl
  return {
    ...message.mailTo({ to: address, from: config.mail.from, site, link, id }),
    unsubscribe: `${link}/quitter/${communes.join('.')}`,
  }
}

/** Waits for the turn of as many mails as take `seconds`, over all instances and broadcasts. Other mails do not wait. */
async function waitForPace(db: Database, seconds: number, signal: AbortSignal): Promise<void> {
  const { rows } = await sql<{ wait_ms: number }>`
    update broadcast_pace set next_at = greatest(next_at, clock_timestamp()) + make_interval(secs => ${seconds}::float8)
    returning extract(epoch from next_at - clock_timestamp())::float8 * 1000 as wait_ms`.execute(db)
  const waitMs = (rows[0]?.wait_ms ?? 0) - seconds * 1_000
  if (waitMs > 0) await sleep(waitMs, undefined, { signal })
  signal.throwIfAborted()
}

/** Maps items, a few at a time. The results have the order of the items. */
async function inLanes<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  const queue = items.entries()
  await Promise.all(
    Array.from({ length: lanes }, async () => {
      for (const [at, item] of queue) results[at] = await work(item)
    }),
  )
  return results
}
