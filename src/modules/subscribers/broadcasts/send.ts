import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { tokenOf } from '../../../platform/access/sealed-addresses.ts'
import { settingsOf } from '../../../platform/config/config.ts'
import type { Database } from '../../../platform/database/connect.ts'
import type { Handler } from '../../../platform/jobs/job.ts'
import { handleRow } from '../../../platform/jobs/rows.ts'
import type { Mail, MailOutcome } from '../../../platform/mail/mail.ts'
import type { Deps } from '../../../platform/module.ts'
import { originFinder } from '../../domains/proven.ts'
import { addressesOf } from '../addresses.ts'
import { linkOf } from '../confirming.ts'
import { subscribersSettings } from '../settings.ts'
import type { Message } from './broadcast.ts'
import {
  type Delivery,
  giveUp,
  type Outcome,
  type Recorded,
  recordOutcomes,
  settle,
  takeDeliveries,
} from './deliveries.ts'
import { countOutcomes } from './metrics.ts'
import { enqueueSlice, sendMails } from './sending-jobs.ts'
import { sendInSlice } from './slice.ts'

/**
 * Connections to the mail server at the same time. Each takes one mail when it can hand it over, so that these are all that a process
 * leaves uncertain when it dies, or when the server breaks off.
 */
const lanes = 5
const sliceMs = 15_000

type Tools = Pick<Deps, 'db' | 'jobs' | 'mailer' | 'config' | 'log' | 'clock'>

export function sendMailsHandler(tools: Tools): Handler {
  const { db, log, clock } = tools
  return handleRow(sendMails, {
    async attempt({ broadcastId, turn, isAlerte = false }, { signal, attempt }) {
      await sendSlice(tools, broadcastId, signal, { isRetry: attempt > 1 })
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

/**
 * Sends what is due, until nothing is or the slice is over. Once an outcome is uncertain, or several mails in a row fail, nothing more
 * is handed over until another mail gets through; if none does, it throws, and the job backs off. Its retry begins with one mail, which
 * shows whether the server is back before others are risked.
 */
export async function sendSlice(
  { db, mailer, config, log, clock }: Pick<Tools, 'db' | 'mailer' | 'config' | 'log' | 'clock'>,
  id: string,
  signal: AbortSignal,
  { isRetry = false } = {},
): Promise<void> {
  const addresses = addressesOf(config.sessionKeys)
  const { mailRate } = settingsOf(config, subscribersSettings)
  const originOf = await originFinder(db, config)
  const idsOf = (places: Delivery['places'], isGroup: boolean) =>
    places.filter((place) => place.isGroup === isGroup).map(({ id }) => id)
  const originOfPlaces = (places: Delivery['places']) => originOf(idsOf(places, false), idsOf(places, true))
  const errors = new Set<string>()
  /** `through`: mails that the server took, or whose recipient it refused. The others: since the last of these. */
  const counts = { through: 0, failed: 0, uncertain: 0, allUncertain: 0 }
  const isDoubtful = () => counts.uncertain > 0 || counts.failed >= lanes
  const mostNow = () => {
    if (isDoubtful()) return 0
    return isRetry && counts.through === 0 ? 1 : lanes
  }
  try {
    await sendInSlice({
      ...{ most: mostNow, sliceMs, signal },
      untilPaced: (count) => waitForPace(db, count / mailRate, signal),
      async take(limit) {
        const taken = await takeDeliveries(db, { id, channel: 'email', limit, now: clock() })
        return taken === null ? [] : taken.deliveries.map((one) => sendOne(one, taken.message))
      },
      async record(outcomes: Recorded[]) {
        const deleted = await recordOutcomes(db, id, outcomes)
        countOutcomes('email', outcomes)
        if (deleted > 0) log.info({ count: deleted }, 'subscribers deleted: their addresses refuse mail')
      },
    })
    if (isDoubtful() || (counts.through === 0 && errors.size > 0))
      throw new Error(`no mail was sent: ${[...errors].join('; ')}`)
  } finally {
    if (errors.size > 0)
      log.warn(
        { broadcast_id: id, errors: [...errors], uncertain: counts.allUncertain },
        'some mails were not sent',
      )
  }

  async function sendOne(delivery: Delivery, message: Message): Promise<Recorded> {
    const contents = addresses.open(delivery.id, delivery.address)
    const result: MailOutcome =
      contents === null
        ? { status: 'failed', retry: true, error: 'SESSION_KEY does not decrypt the address' }
        : await mailer.send(
            mailTo(
              { from: config.mail.from, site: originOfPlaces(delivery.places) },
              message,
              delivery,
              contents,
            ),
          )
    const outcome = outcomeOf(result)
    if (outcome === 'sent' || outcome === 'refused')
      Object.assign(counts, { through: counts.through + 1, failed: 0, uncertain: 0 })
    else {
      if ('error' in result) errors.add(result.error)
      if (outcome === 'uncertain') counts.allUncertain += 1
      counts[outcome === 'uncertain' ? 'uncertain' : 'failed'] += 1
    }
    return { id: delivery.id, outcome }
  }
}

/**
 * The address counts as refused only where the server names it: a refusal of the sender or of the content concerns everybody,
 * and must not delete the subscribers.
 */
function outcomeOf(result: MailOutcome): Outcome {
  if (result.status !== 'failed') return result.status
  return result.refused === 'recipient' ? 'refused' : 'failed'
}

function mailTo(
  { from, site }: { from: string; site: string },
  message: Message,
  { id, places, since }: Delivery,
  { address, secret }: { address: string; secret: string },
): Mail {
  const link = linkOf(site, tokenOf(id, secret))
  return {
    ...message.mailTo({ to: address, from, site, link, id, since, places }),
    unsubscribe: `${link}/quitter/${places.map((place) => place.id).join('.')}`,
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
