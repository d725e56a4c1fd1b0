import { sql } from 'kysely'
import type { Database } from '../../../platform/database/connect.ts'
import { unprepared } from '../../../platform/database/pools/prepared.ts'
import type { EventStatus } from '../kinds.ts'

export type EventState = { id: string; status: EventStatus; isKept: boolean }

export async function findEventForUpdate(tx: Database, id: string): Promise<EventState | null> {
  const row = await tx
    .selectFrom('payment_events')
    .select(['id', 'status', sql<boolean>`fields is not null`.as('isKept')])
    .$castTo<EventState>()
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return row ?? null
}

export async function readTime(db: Database): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select clock_timestamp()::timestamptz(3) as now`.execute(db)
  return rows[0]?.now ?? new Date()
}

/** Locks events that had failed by then and can be replayed, in order of arrival, skipping locked ones. */
export async function listFailedForUpdate(tx: Database, until: Date, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from payment_events where status = 'failed' and fields is not null and ended_at <= ${until}
    order by received_at, id limit ${limit} for no key update skip locked`.execute(unprepared(tx))
  return rows.map(({ id }) => id)
}

export async function restartEvents(tx: Database, ids: string[]): Promise<void> {
  await tx
    .updateTable('payment_events')
    .set({ status: 'received', ended_at: null, settled_at: null, error: null, tries: 0 })
    .where('id', '=', sql<string>`any(${ids}::text[])`)
    .execute()
}

export async function ignoreEvent(tx: Database, id: string): Promise<void> {
  await tx
    .updateTable('payment_events')
    .set({ status: 'ignored', ended_at: sql`now()` })
    .where('id', '=', id)
    .execute()
}

/** Counts failed events about which somebody can still do something. */
export async function countFailed(db: Database): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from payment_events where status = 'failed' and settled_at is null`.execute(db)
  return rows[0]?.count ?? 0
}

/** Lists received events whose attempts should have ended by now, oldest first. */
export async function listForgotten(db: Database, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from payment_events
    where status = 'received' and received_at < now() - interval '2 hours'
    order by received_at limit ${limit}`.execute(unprepared(db))
  return rows.map(({ id }) => id)
}
