import Type from 'typebox'
import type { Database } from '../../../platform/database/connect.ts'
import { defineJob } from '../../../platform/jobs/job.ts'
import type { Deps } from '../../../platform/module.ts'
import type { Channel } from '../addresses.ts'
import type { Broadcast } from './broadcast.ts'
import { alertesFirst } from './expand-job.ts'

/**
 * A job sends a slice of a broadcast in one channel, then enqueues the next one, so that broadcasts take turns. `turn` alternates
 * the key of the job: the next slice can be enqueued while this one runs, and what was enqueued twice becomes one again.
 */
const payload = Type.Object({
  broadcastId: Type.String(),
  turn: Type.Integer({ minimum: 0, maximum: 1 }),
  isAlerte: Type.Optional(Type.Boolean()),
})
// For a day and a half, while the mail server is away.
const settings = { retries: 500, backoffSeconds: 15, maxBackoffSeconds: 300, timeoutSeconds: 600 }
export const sendMails = defineJob('subscribers.send-mails', payload, settings)
/** A few at a time: an urgent alerte does not wait behind the slow push services of other messages. */
export const sendPushes = defineJob('subscribers.send-pushes', payload, { ...settings, concurrency: 4 })

const jobs = { email: sendMails, push: sendPushes }
const channels: readonly Channel[] = ['push', 'email']

export const enqueueSlice = (
  { jobs: queue }: Pick<Deps, 'jobs'>,
  tx: Database,
  channel: Channel,
  broadcastId: string,
  { turn = 0, afterMs = 0, isAlerte = false },
) =>
  queue.enqueue(
    tx,
    jobs[channel],
    { broadcastId, turn, isAlerte },
    {
      singletonKey: `${broadcastId}-${turn}`,
      priority: isAlerte ? alertesFirst : 0,
      ...(afterMs > 0 && { startAfter: new Date(Date.now() + afterMs) }),
    },
  )

/** Starts sending in every channel. One without deliveries ends at its first slice. */
export async function enqueueSending(
  tools: Pick<Deps, 'jobs'>,
  tx: Database,
  { id, kind }: Pick<Broadcast, 'id' | 'kind'>,
): Promise<void> {
  const isAlerte = kind !== 'actualites' && kind !== 'collectes'
  for (const channel of channels) await enqueueSlice(tools, tx, channel, id, { isAlerte })
}
