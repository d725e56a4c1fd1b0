import { sql } from 'kysely'
import type { Database } from '../../../platform/database/connect.ts'
import { unprepared } from '../../../platform/database/pools/prepared.ts'
import type { Channel } from '../addresses.ts'
import { namedPlaces } from '../choices.ts'
import { type Broadcast, broadcastColumns, type Message, type NamedPlace } from './broadcast.ts'
import { findMessage } from './messages.ts'

/**
 * One message to many: a row of `broadcasts`, made with the change that it announces, and a row of `broadcast_deliveries` for
 * each subscriber.
 *
 *   broadcast   expanding ──► sending ──► ended          expanding again, when an alerte becomes urgent
 *                   └────────────┴──────► stopped        the alerte was deleted or has ended; expanding again, from where it
 *                                                        stopped, when the alerte goes on
 *
 *   delivery    queued ──► sending ──► sent              the server has it
 *                  ▲          ├──────► failed            refused for good, or too often
 *                  │          ├──────► uncertain         nobody knows: the process died, or the server never replied;
 *                  │          │                          queued once more when a member of the mairie asks for it
 *                  └──────────┘ a retry is due
 *
 * Expanding (`expand.ts`) inserts the deliveries in batches. A batch and the cursor behind it commit together, and a delivery
 * is unique by broadcast and subscriber: a batch that runs again inserts nothing twice and leaves nobody out.
 *
 * Sending (`send.ts`, `send-pushes.ts`) takes queued deliveries, mails one by one for each connection and pushes a few together:
 * `sending` is committed before any of them is handed over, and the outcome after. So a process that dies
 * - before the commit of `sending` has sent nothing: the deliveries are queued;
 * - between this commit and that of the outcomes may have sent them: they stay `sending`, for two minutes, which no attempt
 *   outlives; then they are `uncertain`, and not sent again by themselves. They are at most as many as one process takes.
 * A process that was only slow records the outcome also then.
 * Any number of processes may take from one broadcast: each locks what it takes and skips what others have locked.
 *
 * What is taken is checked once more in the same transaction, with the broadcast locked `for share`: who withdraws an alerte
 * updates the broadcast, so either it finds the deliveries taken, or nothing is taken any more. Who leaves, is erased or
 * chooses otherwise deletes the subscriber or its choice: deliveries of a deleted subscriber are deleted with it, and those
 * that the choices no longer ask for are deleted instead of taken.
 *
 * Locks are taken in the order broadcast, subscribers, deliveries. `skip locked` is no exception: where a delivery was changed
 * since the statement began, PostgreSQL waits for its new version. Who leaves locks no broadcast.
 */
export type Delivery = {
  id: string
  address: Buffer
  /** The places of the message for which the subscriber gets it: communes, then groups, by name. */
  places: NamedPlace[]
  /** As the message says of the subscriber. */
  since: Date | null
}
/**
 * `refused`: the address refuses for good. `gone`: it is no longer in use. `failed`: another attempt may succeed. `postponed`: no
 * attempt was made, because its server asked to wait.
 */
export type Outcome = 'sent' | 'uncertain' | 'refused' | 'gone' | 'failed' | 'postponed'
/**
 * `waitMs`: not before, if another attempt follows. `isUnreached`: its push service did not answer, or failed. `box`: the address that
 * is gone, as it was taken, in base64. The browser may have moved to another one meanwhile, which the next attempt reaches.
 */
export type Recorded = { id: string; outcome: Outcome; waitMs?: number; isUnreached?: true; box?: string }

/**
 * Attempts of a delivery, over about nine hours; and messages in a row that were refused, or did not reach a browser, after which the
 * address is deleted. Only the first attempt counts: a push service that is away for an hour deletes nobody.
 */
const maxTries = 20
const maxRefusals = 3
const maxUnreached = 10
/** How long it is known who got a message: an older broadcast is not told to others, since it could reach somebody twice. */
export const monthsOfDeliveries = 3
/** No attempt outlives it: the mailer gives up after a minute, a push after ten seconds. */
const staleAfter = sql`interval '2 minutes'`
/** Outcomes that arrive after their slice are noticed then. */
const lookAgainAfter = sql`interval '10 seconds'`

/**
 * Takes up to `limit` deliveries that are due, with the message to send; null if the broadcast has ended or stops here. Looks up
 * the choices of each: PostgreSQL would read those of all residents of the places for a hundred of them.
 */
export function takeDeliveries(
  db: Database,
  { id, channel, limit, now }: { id: string; channel: Channel; limit: number; now: Date },
): Promise<{ message: Message; deliveries: Delivery[] } | null> {
  return db.transaction().execute(async (tx) => {
    const { rows } = await sql<Broadcast>`
      select ${broadcastColumns} from broadcasts
      where id = ${id} and status in ('expanding', 'sending') for share`.execute(tx)
    const message = rows[0] === undefined ? null : await findMessage(tx, rows[0], now)
    if (message === null) return null
    const taken = await sql<Delivery>`
      with due as (
        select subscriber_id from broadcast_deliveries
        where broadcast_id = ${id} and channel = ${channel} and status = 'queued' and next_at <= now()
        order by next_at, subscriber_id limit ${limit} for update skip locked),
      asked as (
        select ch.subscriber_id, min(${message.since ?? sql`null::timestamptz`}) as since,
          json_agg(json_build_object('id', place.id, 'isGroup', place.is_group, 'path', place.path, 'nom', place.nom)
            order by place.is_group, place.sort_name, place.id) as places
        from due cross join lateral (
            select * from followed_places own where own.subscriber_id = due.subscriber_id offset 0) ch
          join ${namedPlaces} place on place.id = ch.place_id
        where ${message.asks} group by ch.subscriber_id),
      unasked as (
        delete from broadcast_deliveries d using due
        where d.broadcast_id = ${id} and d.subscriber_id = due.subscriber_id
          and due.subscriber_id not in (select subscriber_id from asked))
      update broadcast_deliveries d set status = 'sending', status_at = now(), tries = d.tries + 1
      from asked join resident_subscribers s on s.id = asked.subscriber_id
      where d.broadcast_id = ${id} and d.subscriber_id = asked.subscriber_id
      returning d.subscriber_id as id, s.address, asked.places, asked.since`.execute(unprepared(tx))
    return { message, deliveries: taken.rows }
  })
}

/** Records what became of deliveries that were taken, once even if called again. Returns how many addresses it deleted for refusals. */
export async function recordOutcomes(
  db: Database,
  id: string,
  outcomes: readonly Recorded[],
): Promise<number> {
  const given = sql`
    jsonb_to_recordset(${JSON.stringify(outcomes)}::jsonb) as o (
      id uuid, outcome text, "waitMs" float8, "isUnreached" boolean, box text)`
  const isUnreached = sql`(coalesce(o."isUnreached", false) and d.tries = 1)`
  const hasMoved = sql`coalesce(s.address <> decode(o.box, 'base64'), false)`
  await db.transaction().execute(async (tx) => {
    await lockBroadcast(tx, id)
    await sql`
      update resident_subscribers s
      set failures = case o.outcome when 'refused' then s.failures + 1 when 'gone' then ${maxRefusals}
          when 'sent' then 0 else s.failures end,
        unreached = case when o.outcome = 'sent' then 0 else s.unreached + ${isUnreached}::int end,
        last_success_at = case o.outcome when 'sent' then now() else s.last_success_at end
      from ${given} join broadcast_deliveries d on d.broadcast_id = ${id} and d.subscriber_id = o.id
        and d.status in ('sending', 'uncertain')
      where s.id = o.id and (o.outcome in ('sent', 'refused', 'gone') or ${isUnreached}) and not ${hasMoved}`.execute(
      tx,
    )
    await sql`
      with before as (
        select d.subscriber_id, d.status, o.outcome = 'postponed' as is_postponed,
          coalesce(o."waitMs", 0) * interval '1 millisecond' as wait,
          case when ${hasMoved} then 'queued'
            when o.outcome in ('refused', 'gone') or o.outcome = 'failed' and d.tries >= ${maxTries} then 'failed'
            when o.outcome in ('failed', 'postponed') then 'queued' else o.outcome end as becomes
        from broadcast_deliveries d join ${given} on o.id = d.subscriber_id
          left join resident_subscribers s on s.id = o.id
        where d.broadcast_id = ${id} and d.status in ('sending', 'uncertain')
        order by d.subscriber_id for update of d),
      after as (
        update broadcast_deliveries d set status = before.becomes, status_at = now(),
          tries = d.tries - is_postponed::int,
          next_at = now() + case when is_postponed then before.wait
            when d.channel = 'push' then greatest(least(power(2, d.tries - 1), 3600) * interval '1 second', before.wait)
            else least(power(2, d.tries - 1)::int, 30) * interval '1 minute' end
        from before where d.broadcast_id = ${id} and d.subscriber_id = before.subscriber_id),
      covered as (
        update resident_choices ch set actualites_until = b.created_at
        from before, broadcasts b
        where b.id = ${id} and b.kind = 'actualites' and before.becomes = 'sent'
          and ch.subscriber_id = before.subscriber_id and ch.commune_id = b.commune_id),
      covered_of_group as (
        update resident_group_choices ch set actualites_until = b.created_at
        from before, broadcasts b
        where b.id = ${id} and b.kind = 'actualites' and before.becomes = 'sent'
          and ch.subscriber_id = before.subscriber_id and ch.group_id = b.group_id)
      update broadcasts b set sent = b.sent + n.sent, failed = b.failed + n.failed, uncertain = b.uncertain + n.uncertain
      from (
        select count(*) filter (where becomes = 'sent') as sent, count(*) filter (where becomes = 'failed') as failed,
          count(*) filter (where becomes = 'uncertain') - count(*) filter (where status = 'uncertain') as uncertain
        from before) n
      where b.id = ${id}`.execute(tx)
  })
  const failed = outcomes.flatMap(({ id, outcome, isUnreached = false }) =>
    outcome === 'refused' || outcome === 'gone' || isUnreached ? [id] : [],
  )
  if (failed.length === 0) return 0
  const { numAffectedRows } = await sql`
    delete from resident_subscribers
    where id = any(${failed}::uuid[]) and (failures >= ${maxRefusals} or unreached >= ${maxUnreached})`.execute(
    db,
  )
  return Number(numAffectedRows)
}

/** The milliseconds after which to look at a broadcast in a channel again; null if nothing remains. */
export type Remaining = { afterMs: number } | null

/**
 * Ends a slice of sending: marks deliveries whose process died as uncertain, and ends the broadcast if nothing is left to do
 * in any channel, or stops it if there is nothing to tell any more.
 */
export function settle(db: Database, id: string, channel: Channel, now: Date): Promise<Remaining> {
  return db.transaction().execute(async (tx) => {
    await lockBroadcast(tx, id)
    await sql`
      with stale as (
        update broadcast_deliveries set status = 'uncertain', status_at = now()
        where broadcast_id = ${id} and status = 'sending' and status_at < now() - ${staleAfter} returning 1)
      update broadcasts set uncertain = uncertain + (select count(*) from stale)
      where id = ${id} and exists (select from stale)`.execute(tx)
    const { rows } = await sql<Broadcast & { status: string }>`
      select ${broadcastColumns}, status from broadcasts
      where id = ${id} and status in ('expanding', 'sending')`.execute(tx)
    const [broadcast] = rows
    if (broadcast === undefined) return null
    if ((await findMessage(tx, broadcast, now)) === null) return stop(tx, id)
    const left = await sql<{ open: boolean; wait_ms: number | null }>`
      select count(*) > 0 as open,
        (extract(epoch from min(case status when 'queued' then next_at else least(status_at + ${staleAfter}, now() + ${lookAgainAfter}) end)
          filter (where channel = ${channel}) - now()) * 1000)::float8 as wait_ms
      from broadcast_deliveries where broadcast_id = ${id} and status in ('queued', 'sending')`.execute(tx)
    const { open = false, wait_ms = null } = left.rows[0] ?? {}
    if (broadcast.status === 'expanding') return { afterMs: Math.max(wait_ms ?? 0, 1_000) }
    if (!open) {
      await sql`update broadcasts set status = 'ended', ended_at = now() where id = ${id}`.execute(tx)
      return null
    }
    return wait_ms === null ? null : { afterMs: Math.max(wait_ms, 0) }
  })
}

/** Stops a broadcast: what has not left is not sent. */
export async function stop(tx: Database, id: string): Promise<null> {
  await sql`
    update broadcasts set status = 'stopped', ended_at = now()
    where id = ${id} and status in ('expanding', 'sending')`.execute(tx)
  return null
}

/** Gives up what is still queued in a channel. */
export function giveUp(db: Database, id: string, channel: Channel): Promise<void> {
  return db.transaction().execute(async (tx) => {
    await lockBroadcast(tx, id)
    await sql`
      with given_up as (
        update broadcast_deliveries set status = 'failed', status_at = now()
        where broadcast_id = ${id} and channel = ${channel} and status = 'queued' returning 1)
      update broadcasts set failed = failed + (select count(*) from given_up) where id = ${id}`.execute(tx)
  })
}

const lockBroadcast = (tx: Database, id: string) =>
  sql`select from broadcasts where id = ${id} for no key update`.execute(tx)
