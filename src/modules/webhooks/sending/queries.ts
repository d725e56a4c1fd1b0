import { type RawBuilder, sql } from 'kysely'
import { columnList } from '../../../platform/database/columns.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { notFound, raise } from '../../../platform/errors.ts'
import { uuidv7 } from '../../../platform/formats/uuid.ts'
import { type Webhook, WebhookDelivery } from '../schema.ts'

/** The columns of a delivery in responses. Only one that waits has a next attempt. */
export const shownDelivery = sql<WebhookDelivery>`${columnList(
  Object.fromEntries(Object.entries(WebhookDelivery.properties).filter(([name]) => name !== 'next_at')),
  'd',
)}, case when d.state = 'waiting' then d.next_at end as next_at`

/** Inserts a message that says nothing but that it arrives. */
export async function insertTest(tx: Database, { id, acteur_id }: Webhook): Promise<WebhookDelivery> {
  const owner = acteur_id === null ? 'admin' : `me/acteurs/${acteur_id}`
  const { rows } = await sql<WebhookDelivery>`
    insert into webhook_deliveries as d (webhook_id, event, type, record_id, path, at, next_at)
    values (${id}, ${`test:${uuidv7()}`}, 'webhook.test', ${id}, ${`/api/v1/${owner}/webhooks/${id}`}, now(), now())
    returning ${shownDelivery}`.execute(tx)
  return rows[0] ?? raise(new Error('no row was inserted'))
}

export async function existsEnabled(db: Database): Promise<boolean> {
  const { rows } = await sql`select from webhooks where disabled_at is null limit 1`.execute(db)
  return rows.length > 0
}

const isPast = (time: RawBuilder<unknown>) => sql`coalesce(${time}, '-infinity') <= now()`

/** Due, in no worker's hands, and not behind an earlier event of its record. */
const isClaimable = sql`d.state = 'waiting' and d.next_at <= now() and ${isPast(sql`d.claimed_until`)}
  and not exists (select from webhook_deliveries e
    where e.webhook_id = d.webhook_id and e.record_id = d.record_id and e.state = 'waiting' and (e.at, e.number) < (d.at, d.number))`

export type Ready = { id: string; is_failing: boolean }

/** Lists enabled webhooks with something to send, those that fail last. */
export async function listReady(db: Database): Promise<Ready[]> {
  const { rows } = await sql<Ready>`
    select w.id, w.failures > 0 as is_failing from webhooks w
    where w.disabled_at is null and ${isPast(sql`w.paused_until`)}
      and exists (select from webhook_deliveries d where d.webhook_id = w.id and ${isClaimable})
    order by is_failing, w.paused_until nulls first, w.id limit 200`.execute(db)
  return rows
}

export type Claimed = {
  id: string
  webhook_id: string
  type: string
  record_id: string
  path: string
  at: Date
  attempts: number
  url: string
  secret: Buffer
  former_secret: Buffer | null
}

/** Begins an attempt of what is due of a webhook, `most` at once; of one that fails, one at once. */
export function claim(
  db: Database,
  webhookId: string,
  most: number,
  leaseSeconds: number,
): Promise<Claimed[]> {
  return db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ failures: number }>`
      select failures from webhooks
      where id = ${webhookId} and disabled_at is null and ${isPast(sql`paused_until`)}
      for no key update skip locked`.execute(tx)
    const [webhook] = rows
    if (webhook === undefined) return []
    const slots = webhook.failures > 0 ? 1 : most
    const claimed = await sql<Claimed>`
      update webhook_deliveries d set attempts = d.attempts + 1, first_attempt_at = coalesce(d.first_attempt_at, now()),
        claimed_until = now() + make_interval(secs => ${leaseSeconds}::int)
      from webhooks w
      where w.id = d.webhook_id and d.id = any(array(
        select d.id from webhook_deliveries d where d.webhook_id = ${webhookId} and ${isClaimable}
        order by d.at, d.number limit greatest(0, ${slots}::int - (
          select count(*)::int from webhook_deliveries c
          where c.webhook_id = ${webhookId} and c.state = 'waiting' and c.claimed_until > now()))))
      returning d.id, d.webhook_id, d.type, d.record_id, d.path, d.at, d.attempts, w.url, w.secret,
        case when w.former_until > now() then w.former_secret end as former_secret`.execute(tx)
    return claimed.rows
  })
}

/** What came of an attempt. */
export type Outcome = { status: number | null; problem: string | null; durationMs: number }
type Attempted = Pick<Claimed, 'id' | 'webhook_id' | 'attempts'>

/** Ends a delivery, unless another attempt has begun meanwhile. Its webhook has not failed. */
export function recordSuccess(db: Database, attempted: Attempted, outcome: Outcome): Promise<void> {
  return db.transaction().execute(async (tx) => {
    await sql`
      update webhooks set failures = 0, failing_since = null, paused_until = null
      where id = ${attempted.webhook_id} and failures > 0`.execute(tx)
    await writeOutcome(tx, attempted, outcome, sql`state = 'delivered', ended_at = now()`)
  })
}

type Failure = { retrySeconds: number; pauseSeconds: (failures: number) => number; daysKept: number }
export type FailingWebhook = {
  id: string
  acteur_id: string | null
  url: string
  /** When it began to fail. */
  since: Date
  failures: number
  is_over: boolean
  /** False if it was paused already: the failure is of the same moment as another. */
  counted: boolean
}

/**
 * Records a failed attempt: the delivery is retried, or given up after some days, and the webhook pauses. Failures of the same
 * moment count once. Returns the state of the webhook, which stays locked; null if it was deleted or is disabled.
 */
export async function recordFailure(
  tx: Database,
  attempted: Attempted,
  outcome: Outcome,
  { retrySeconds, pauseSeconds, daysKept }: Failure,
): Promise<FailingWebhook | null> {
  const { rows } = await sql<FailingWebhook>`
    select id, acteur_id, url, coalesce(failing_since, now()) as since, failures,
      ${isPast(sql`paused_until`)} as counted,
      coalesce(failing_since < now() - make_interval(days => ${daysKept}::int), false) as is_over
    from webhooks where id = ${attempted.webhook_id} and disabled_at is null for no key update`.execute(tx)
  const after = sql`
    state = case when first_attempt_at < now() - make_interval(days => ${daysKept}::int) then 'failed' else 'waiting' end,
    ended_at = case when first_attempt_at < now() - make_interval(days => ${daysKept}::int) then now() end,
    next_at = now() + make_interval(secs => ${retrySeconds}::int)`
  await writeOutcome(tx, attempted, outcome, after)
  const [webhook] = rows
  if (webhook === undefined) return null
  if (!webhook.counted) return webhook
  const failures = webhook.failures + 1
  await sql`
    update webhooks set failures = ${failures}, failing_since = coalesce(failing_since, now()),
      paused_until = now() + make_interval(secs => ${pauseSeconds(failures)}::int)
    where id = ${attempted.webhook_id}`.execute(tx)
  return { ...webhook, failures }
}

async function writeOutcome(
  tx: Database,
  { id, attempts }: Attempted,
  { status, problem, durationMs }: Outcome,
  after: RawBuilder<unknown>,
): Promise<void> {
  await sql`
    update webhook_deliveries set status = ${status}, problem = ${problem}, duration_ms = ${durationMs}, claimed_until = null,
      ${after}
    where id = ${id} and attempts = ${attempts} and state = 'waiting'`.execute(tx)
}

/** Disables a webhook that is locked. What waits ends as failed; what is scheduled is written again when it is enabled. */
export async function disable(tx: Database, id: string, reason: 'gone' | 'failing'): Promise<void> {
  await sql`update webhooks set disabled_at = now(), disabled_reason = ${reason} where id = ${id}`.execute(tx)
  await sql`
    delete from webhook_deliveries where webhook_id = ${id} and state = 'waiting' and attempts = 0 and at > now()`.execute(
    tx,
  )
  await sql`
    update webhook_deliveries set state = 'failed', problem = coalesce(problem, 'disabled'), ended_at = now(),
      claimed_until = null
    where webhook_id = ${id} and state = 'waiting'`.execute(tx)
}

/** Sends a delivery that has ended again, with the same id. False if it waits already. */
export async function sendAgain(
  tx: Database,
  webhookId: string,
  id: string,
): Promise<WebhookDelivery | null> {
  const { rows } = await sql<WebhookDelivery>`
    update webhook_deliveries d set state = 'waiting', ended_at = null, attempts = 0, first_attempt_at = null,
      next_at = now(), claimed_until = null
    where d.id = ${id} and d.webhook_id = ${webhookId} and d.state <> 'waiting' returning ${shownDelivery}`.execute(
    tx,
  )
  return rows[0] ?? null
}

export async function getDelivery(db: Database, webhookId: string, id: string): Promise<WebhookDelivery> {
  const { rows } = await sql<WebhookDelivery>`
    select ${shownDelivery} from webhook_deliveries d where d.id = ${id} and d.webhook_id = ${webhookId}`.execute(
    db,
  )
  return rows[0] ?? raise(notFound())
}
