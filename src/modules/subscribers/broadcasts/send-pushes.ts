import type { Handler } from '../../../platform/jobs/job.ts'
import { handleRow } from '../../../platform/jobs/rows.ts'
import type { Deps } from '../../../platform/module.ts'
import { addressesOf, tokenOf } from '../addresses.ts'
import { giveUp, type Recorded, recordOutcomes, settle, takeDeliveries } from './deliveries.ts'
import { countOutcomes } from './metrics.ts'
import { createPushSender, type PushSender } from './push-sender.ts'
import { enqueueSlice, sendPushes } from './sending-jobs.ts'

/**
 * Messages to browsers leave without a bound of their rate. A slice is sent by a few groups side by side: a push service that is
 * slow delays only the group that waits for it. All groups together are what a process that dies leaves uncertain, at most.
 */
const groups = 4
const groupSize = 25
/** Short, so that an urgent alerte has its turn at once. */
const sliceMs = 1_000

type Tools = Pick<Deps, 'db' | 'jobs' | 'config' | 'log' | 'clock'>

export function sendPushesHandler(tools: Tools): Handler {
  const { db, log, clock } = tools
  const push = createPushSender(tools)
  return handleRow(sendPushes, {
    async attempt({ broadcastId, turn }, { signal }) {
      await sendPushSlice({ ...tools, push }, broadcastId, signal)
      const remaining = await settle(db, broadcastId, 'push', clock())
      if (remaining !== null)
        await enqueueSlice(tools, db, 'push', broadcastId, { turn: 1 - turn, afterMs: remaining.afterMs })
    },
    async giveUp({ broadcastId }, error) {
      log.error({ err: error, broadcast_id: broadcastId }, 'the pushes of a broadcast could not be sent')
      await giveUp(db, broadcastId, 'push')
      await settle(db, broadcastId, 'push', clock())
    },
  })
}

/** Sends what is due, until nothing is or the slice is over. */
export async function sendPushSlice(
  { db, config, log, clock, push }: Pick<Tools, 'db' | 'config' | 'log' | 'clock'> & { push: PushSender },
  id: string,
  signal: AbortSignal,
): Promise<void> {
  const addresses = addressesOf(config.sessionKeys)
  const until = performance.now() + sliceMs
  const errors = new Set<string>()
  const ended = await Promise.allSettled(Array.from({ length: groups }, sendGroups))
  if (errors.size > 0) log.warn({ broadcast_id: id, errors: [...errors] }, 'some pushes were not sent')
  for (const one of ended) if (one.status === 'rejected') throw one.reason

  async function sendGroups(): Promise<void> {
    while (performance.now() < until) {
      signal.throwIfAborted()
      const taken = await takeDeliveries(db, { id, channel: 'push', limit: groupSize, now: clock() })
      if (taken === null || taken.deliveries.length === 0) return
      const { notice } = taken.message
      const results = await Promise.all(
        taken.deliveries.map(async ({ id: who, address }): Promise<Recorded & { error?: string }> => {
          const contents = addresses.open(who, address)
          if (contents === null)
            return { id: who, outcome: 'failed', error: 'SESSION_KEY does not decrypt the address' }
          const result = await push(contents, notice, `/abonnement/${tokenOf(who, contents.secret)}`)
          return { id: who, ...result, ...(result.outcome === 'gone' && { box: address.toString('base64') }) }
        }),
      )
      const outcomes = results.map(({ error: _, ...outcome }) => outcome)
      const deleted = await recordOutcomes(db, id, outcomes)
      countOutcomes('push', outcomes)
      if (deleted > 0) log.info({ count: deleted }, 'subscribers deleted: their browsers are gone')
      for (const { error } of results) if (error !== undefined) errors.add(error)
    }
  }
}
