import { sql } from 'kysely'
import { append } from '../../../platform/change.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { unprepared } from '../../../platform/database/pools/prepared.ts'
import type { Handler } from '../../../platform/jobs/job.ts'
import { handleRow } from '../../../platform/jobs/rows.ts'
import type { Deps } from '../../../platform/module.ts'
import { afterId } from '../../../platform/personal.ts'
import { type Broadcast, broadcastColumns, type Message } from './broadcast.ts'
import { stop } from './deliveries.ts'
import { alertesFirst, expandBroadcast } from './expand-job.ts'
import { findMessage } from './messages.ts'
import { enqueueSending } from './sending-jobs.ts'

type Tools = Pick<Deps, 'db' | 'jobs' | 'log' | 'clock'>
type State = Broadcast & { cursor: string | null; recipients: number }
/** The result of a batch: another batch follows, the broadcast is expanded, or its start is still to come. */
type Step = 'next' | 'done' | Date

/** Creates the deliveries of a broadcast, batch by batch. */
export function expandHandler(tools: Tools): Handler {
  return handleRow(expandBroadcast, {
    async attempt({ broadcastId }, { signal }) {
      for (let step: Step = 'next'; step === 'next'; ) {
        signal.throwIfAborted()
        step = await expandBatch(tools, broadcastId)
        if (step instanceof Date)
          await tools.jobs.enqueue(
            tools.db,
            expandBroadcast,
            { broadcastId },
            { startAfter: step, priority: alertesFirst },
          )
      }
    },
    async giveUp({ broadcastId }, error) {
      tools.log.error({ err: error, broadcast_id: broadcastId }, 'a broadcast could not be expanded')
      throw error
    },
  })
}

const batchSize = 1_000
/** The cursor of a broadcast that is expanded: when it goes on after a stop, nobody is added to it. */
const behindAll = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/** Adds a batch of deliveries and moves the cursor, in one transaction. */
export function expandBatch({ db, jobs, clock }: Tools, id: string, limit = batchSize): Promise<Step> {
  return db.transaction().execute(async (tx) => {
    const { rows } = await sql<State>`
      select ${broadcastColumns}, cursor, recipients from broadcasts
      where id = ${id} and status = 'expanding' for update`.execute(tx)
    const [broadcast] = rows
    if (broadcast === undefined) return 'done'
    const now = clock()
    const message = await findMessage(tx, broadcast, now)
    if (message === null) {
      await stop(tx, id)
      return 'done'
    }
    if (message.startsAt !== null && message.startsAt > now) return message.startsAt
    const added = await addDeliveries(tx, broadcast, message, limit)
    const isLast = added.last === null
    const recipients = broadcast.recipients + added.count
    await sql`
      update broadcasts set cursor = ${added.last ?? behindAll}, recipients = ${recipients},
        started_at = coalesce(started_at, now()), status = ${isLast ? 'sending' : 'expanding'}
      where id = ${id}`.execute(tx)
    if (isLast && broadcast.cursor !== behindAll) await audit(tx, broadcast, message, recipients)
    // The first batch is sent while the others are added. Sending goes on by itself until the broadcast has ended.
    if (isLast || broadcast.cursor === null) await enqueueSending({ jobs }, tx, broadcast)
    return isLast ? 'done' : 'next'
  })
}

type Added = { count: number; last: string | null }

/** Browsers that the last message did not reach come after the others, of which ten thousand take about so long. */
const behindOthers = sql`interval '30 seconds'`

/** Inserts deliveries for the next subscribers. `last` is the cursor behind them; null if there are no more. */
async function addDeliveries(
  tx: Database,
  { id, cursor }: State,
  message: Message,
  limit: number,
): Promise<Added> {
  const { rows } = await sql<Added>`
    with chosen as (
      select distinct ch.subscriber_id from followed_places ch
      where ch.subscriber_id > ${cursor ?? afterId(null)} and ${message.asks} and not exists (
        select from broadcast_deliveries d where d.broadcast_id = ${id} and d.subscriber_id = ch.subscriber_id)
      order by ch.subscriber_id limit ${limit}),
    held as (
      select s.id, s.channel, s.unreached from resident_subscribers s join chosen on chosen.subscriber_id = s.id
      where s.is_proven order by s.id for key share of s),
    added as (
      insert into broadcast_deliveries (broadcast_id, subscriber_id, channel, next_at)
      select ${id}, held.id, held.channel, now() + (unreached > 0)::int * ${behindOthers}
      from held on conflict do nothing returning 1)
    select (select count(*) from added) as count,
      (select subscriber_id from chosen order by subscriber_id offset ${limit - 1}) as last`.execute(
    unprepared(tx),
  )
  return rows[0] as Added
}

/** Writes the audit entry of a broadcast: its kind, its commune and the number of recipients. */
async function audit(
  tx: Database,
  { author_id }: Broadcast,
  { audited: { entity, entityId, after } }: Message,
  count: number,
): Promise<void> {
  if (count === 0) return
  const author = { user: author_id === null ? null : { id: author_id }, source: null, requestId: null }
  const kind = { entity, personal: [] }
  await append(tx, author, { action: 'notification.send', kind, entityId, after: { ...after, count } })
}
