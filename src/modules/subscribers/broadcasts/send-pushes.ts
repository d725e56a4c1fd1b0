import { tokenOf } from '../../../platform/access/sealed-addresses.ts'
import type { Handler } from '../../../platform/jobs/job.ts'
import { handleRow } from '../../../platform/jobs/rows.ts'
import type { Deps } from '../../../platform/module.ts'
import { addressesOf } from '../addresses.ts'
import type { Notice } from './broadcast.ts'
import { type Delivery, giveUp, type Recorded, recordOutcomes, settle, takeDeliveries } from './deliveries.ts'
import { countOutcomes } from './metrics.ts'
import { createPushSender, type PushSender, pushNoter } from './push-sender.ts'
import { enqueueSlice, sendPushes } from './sending-jobs.ts'
import { sendInSlice } from './slice.ts'

/**
 * Messages to browsers leave without a bound of their rate. What a slice has under way is what a process that dies leaves uncertain,
 * at most.
 */
const most = 100
const together = 25
/** Short, so that an urgent alerte has its turn at once. */
const sliceMs = 1_000
/** How long a slice waits for outcomes at its end. Those that come later are recorded without it: no other message waits for them. */
const lateMs = 1_500

type Tools = Pick<Deps, 'db' | 'jobs' | 'config' | 'log' | 'clock'>

export function sendPushesHandler(tools: Tools): Handler {
  const { db, log, clock } = tools
  const push = createPushSender(tools)
  return handleRow(sendPushes, {
    async attempt({ broadcastId, turn, isAlerte = false }, { signal }) {
      await sendPushSlice({ ...tools, push }, broadcastId, signal)
      const remaining = await settle(db, broadcastId, 'push', clock())
      if (remaining !== null)
        await enqueueSlice(tools, db, 'push', broadcastId, { turn: 1 - turn, isAlerte, ...remaining })
    },
    async giveUp({ broadcastId }, error) {
      log.error({ err: error, broadcast_id: broadcastId }, 'the pushes of a broadcast could not be sent')
      await giveUp(db, broadcastId, 'push')
      await settle(db, broadcastId, 'push', clock())
    },
  })
}

/**
 * Sends what is due, until nothing is or the slice is over. Returns the end of those whose push services are still to answer, which
 * records their outcomes.
 */
export async function sendPushSlice(
  { db, config, log, clock, push }: Pick<Tools, 'db' | 'config' | 'log' | 'clock'> & { push: PushSender },
  id: string,
  signal: AbortSignal,
): Promise<{ late: Promise<void> }> {
  const addresses = addressesOf(config.sessionKeys)
  const errors = new Set<string>()
  const notePushes = pushNoter({ db, log })
  const { late } = await sendInSlice({
    ...{ most: () => most, together, sliceMs, lateMs, signal },
    async take(limit) {
      const taken = await takeDeliveries(db, { id, channel: 'push', limit, now: clock() })
      return taken === null ? [] : taken.deliveries.map((one) => sendOne(one, taken.message.notice(one)))
    },
    async record(ended: (Recorded & { error?: string })[]) {
      const outcomes = ended.map(({ error: _, ...outcome }) => outcome)
      for (const { error } of ended) if (error !== undefined) errors.add(error)
      const deleted = await recordOutcomes(db, id, outcomes)
      await notePushes(ended)
      countOutcomes('push', outcomes)
      if (deleted > 0) log.info({ count: deleted }, 'subscribers deleted: their browsers are gone')
    },
  })
  const reported = late
    .catch((err: unknown) => log.warn({ err }, 'late outcomes of pushes were not recorded'))
    .then(() => {
      if (errors.size > 0) log.warn({ broadcast_id: id, errors: [...errors] }, 'some pushes were not sent')
    })
  return { late: reported }

  async function sendOne(
    { id: who, address }: Delivery,
    notice: Notice,
  ): Promise<Recorded & { error?: string }> {
    const contents = addresses.open(who, address)
    if (contents === null)
      return { id: who, outcome: 'failed', error: 'SESSION_KEY does not decrypt the address' }
    const { title, body, path, tag } = notice
    const manage = `/abonnement/${tokenOf(who, contents.secret)}`
    const result = await push(contents, { ...notice, content: { title, body, path, tag, manage } })
    return { id: who, ...result, ...(result.outcome === 'gone' && { box: address.toString('base64') }) }
  }
}
