import { setTimeout as sleep } from 'node:timers/promises'
import Type from 'typebox'
import { operator } from '../../../platform/access/caller.ts'
import type { SecretBox } from '../../../platform/access/secret-box.ts'
import { append } from '../../../platform/change.ts'
import { settingsOf } from '../../../platform/config/config.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { createGuardedPost, type GuardedPost, type PostResult } from '../../../platform/fetch/guarded-post.ts'
import { defineJob, type Handler, handle, type Schedule, schedule } from '../../../platform/jobs/job.ts'
import type { Jobs } from '../../../platform/jobs/jobs.ts'
import type { Deps } from '../../../platform/module.ts'
import type { Clock } from '../../../platform/time/clock.ts'
import { importsSettings } from '../../imports/settings.ts'
import { auditedWebhook } from '../record.ts'
import { signatureOf, webhookBox } from '../secrets.ts'
import { countAttempt } from './metrics.ts'
import type { NoticeKind } from './notice.mail.ts'
import { notifyOwners } from './notify.ts'
import * as queries from './queries.ts'

/**
 * Sends what changes have written for webhooks, in the transaction of each:
 *
 *   waiting → claimed by a worker → delivered: the receiver returned 2xx
 *                                 → waiting again, after another answer, none, or the death of the worker
 *                                 → failed: three days after its first attempt, or because the webhook was disabled
 *
 * Each attempt has the same webhook-id. Events of one record are sent in order, each after the one before has ended. A webhook
 * has at most five attempts at once. One that fails has one, after a growing pause, so that it delays no other; after three days, or
 * a 410, it is disabled.
 */
const send = defineJob('webhooks.deliver', Type.Object({}), { retries: 1 })

export const sendSchedule: Schedule = schedule(send, '* * * * *', {})

/** Begins to send at once, if no run has begun that would find it. */
export async function enqueueSending(tx: Database, jobs: Jobs): Promise<void> {
  await jobs.enqueue(tx, send, {}, { singletonKey: sendSchedule.key })
}

const runMs = 10 * 60_000
const atOnce = 5
const timeoutMs = 15_000
/** Longer than an attempt. After it, another worker makes the next one. */
const leaseSeconds = 60
const daysKept = 3

type Posting = { ca?: string; timeoutMs?: number }

export const postToWebhooks = (allowPrivate: boolean, options: Posting = {}): GuardedPost =>
  createGuardedPost({ allowPrivate, timeoutMs, connections: atOnce, ...options })

export function sendHandler({ db, config, clock, log, jobs }: Deps): Handler {
  const post = postToWebhooks(settingsOf(config, importsSettings).allowPrivate)
  const box = webhookBox(config.sessionKeys)
  const notify: Tools['notify'] = (tx, kind, webhook) => notifyOwners(tx, { jobs, config }, kind, webhook)
  const tools: Tools = { db, post, box, clock, notify, publicUrl: config.publicUrl }
  return handle(send, async (_payload, { signal }) => {
    const sent = await sendDue(tools, signal, { forMs: runMs, stays: true })
    if (sent > 0) log.info({ sent }, 'webhook messages sent')
  })
}

export type Tools = {
  db: Database
  post: GuardedPost
  box: SecretBox
  clock: Clock
  publicUrl: string
  /** Tells the owner that a webhook fails or was disabled. */
  notify(tx: Database, kind: NoticeKind, webhook: queries.FailingWebhook): Promise<void>
}
type Run = {
  forMs: number
  /** Waits for more as long as there are webhooks, so that an event is sent within a second. */
  stays?: boolean
  everyMs?: number
}

/** Few connections to the database serve them all; those that fail leave room for the others. */
const maxLanes = 40

/** Sends what is due, each webhook in a lane of its own. Returns how many attempts it made. */
export async function sendDue(
  tools: Tools,
  signal: AbortSignal,
  { forMs, stays = false, everyMs = 1_000 }: Run,
): Promise<number> {
  const end = performance.now() + forMs
  const isOver = () => signal.aborted || performance.now() > end
  const lanes = new Map<string, { isFailing: boolean; done: Promise<void> }>()
  let attempts = 0
  let failure: { error: unknown } | undefined
  const start = ({ id, is_failing: isFailing }: queries.Ready) => {
    const done = sendLane(tools, id, isOver)
      .then((made) => {
        attempts += made
      })
      .catch((error: unknown) => {
        failure ??= { error }
      })
      .finally(() => lanes.delete(id))
    lanes.set(id, { isFailing, done })
  }
  try {
    while (!isOver() && failure === undefined) {
      if (!(await queries.existsEnabled(tools.db))) break
      const ready = (await queries.listReady(tools.db)).filter(({ id }) => !lanes.has(id))
      for (const webhook of ready) {
        const failing = [...lanes.values()].filter(({ isFailing }) => isFailing).length
        if (lanes.size < maxLanes && (!webhook.is_failing || failing < maxLanes / 2)) start(webhook)
      }
      if (lanes.size === 0 && !stays) break
      await sleep(everyMs, null, { signal })
    }
  } finally {
    await Promise.all([...lanes.values()].map(({ done }) => done))
  }
  if (failure !== undefined) throw failure.error
  return attempts
}

/** Sends what is due of one webhook. Returns how many attempts it made. */
async function sendLane(tools: Tools, webhookId: string, isOver: () => boolean): Promise<number> {
  for (let attempts = 0; ; ) {
    if (isOver()) return attempts
    const claimed = await queries.claim(tools.db, webhookId, atOnce, leaseSeconds)
    if (claimed.length === 0) return attempts
    await Promise.all(claimed.map((delivery) => attempt(tools, delivery)))
    attempts += claimed.length
  }
}

/** Makes one attempt, and records what came of it. */
async function attempt(tools: Tools, delivery: queries.Claimed): Promise<void> {
  const { db, post, box, clock, publicUrl } = tools
  const { id, webhook_id, type, record_id, path, at, url } = delivery
  const secrets = [delivery.secret, delivery.former_secret]
    .map((sealed) => (sealed === null ? null : box.open(sealed, webhook_id)))
    .filter((secret) => secret !== null)
  const begun = performance.now()
  const outcomeOf = (status: number | null, problem: string | null): queries.Outcome => ({
    ...{ status, problem },
    durationMs: Math.round(performance.now() - begun),
  })
  // SESSION_KEY was replaced: nothing that the receiver would accept can be sent.
  if (secrets.length === 0) return recordFailure(tools, delivery, outcomeOf(null, 'secret'), 0)
  const data = { id: record_id, url: new URL(path, publicUrl).href }
  const body = JSON.stringify({ type, timestamp: at, data })
  const seconds = Math.floor(clock().getTime() / 1_000)
  const headers = {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': `${seconds}`,
    'webhook-signature': signatureOf(secrets, id, seconds, body),
  }
  const result = await post(url, { headers, body: Buffer.from(body) })
  if (result.kind !== 'answered')
    return recordFailure(tools, delivery, outcomeOf(null, result.error.reason), 0)
  const outcome = outcomeOf(result.status, null)
  if (result.status >= 200 && result.status < 300) {
    await queries.recordSuccess(db, delivery, outcome)
    return countAttempt('delivered')
  }
  return recordFailure(tools, delivery, outcome, askedSeconds(result))
}

const maxAskedSeconds = 3_600

/** Returns the Retry-After of an answer in seconds, at most an hour; 0 without one. */
function askedSeconds({ retryAfter }: Extract<PostResult, { kind: 'answered' }>): number {
  const seconds = Number(retryAfter ?? 0)
  return Number.isFinite(seconds) ? Math.min(Math.max(Math.ceil(seconds), 0), maxAskedSeconds) : 0
}

/** Seconds before each retry of a delivery; the last one repeats. */
const delays = [5, 30, 120, 600, 1_800, 3_600, 7_200, 14_400, 28_800]
/** A webhook pauses an hour at most, so that one that works again is noticed. */
const maxPauseSeconds = 3_600
const delayAfter = (attempts: number) => delays[Math.min(attempts, delays.length) - 1] ?? 0

/** Its owner is written to once, before the webhook is disabled. */
const failuresUntilMail = 10

async function recordFailure(
  { db, notify }: Tools,
  delivery: queries.Claimed,
  outcome: queries.Outcome,
  askedSeconds: number,
): Promise<void> {
  const failure = {
    retrySeconds: Math.max(delayAfter(delivery.attempts), askedSeconds),
    pauseSeconds: (failures: number) =>
      Math.max(Math.min(delayAfter(failures), maxPauseSeconds), askedSeconds),
    daysKept,
  }
  countAttempt('failed')
  await db.transaction().execute(async (tx) => {
    const webhook = await queries.recordFailure(tx, delivery, outcome, failure)
    if (webhook === null) return
    const reason = outcome.status === 410 ? 'gone' : webhook.is_over ? 'failing' : null
    if (reason === null) {
      if (webhook.counted && webhook.failures === failuresUntilMail) await notify(tx, 'failing', webhook)
      return
    }
    await notify(tx, reason === 'gone' ? 'gone' : 'disabled', webhook)
    await queries.disable(tx, delivery.webhook_id, reason)
    const entry = { kind: auditedWebhook, entityId: delivery.webhook_id, after: { disabled_reason: reason } }
    await append(tx, operator, { action: 'webhook.disable', ...entry })
  })
}
