import { type RawBuilder, sql } from 'kysely'
import { leftOf } from '../../../platform/access/rules.ts'
import { columnList } from '../../../platform/database/columns.ts'
import { allOf, among } from '../../../platform/database/conditions.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { sortOrders } from '../../../platform/database/sort-order.ts'
import { notFound, raise } from '../../../platform/errors.ts'
import { type Placed, readSlice, type Slice } from '../../../platform/http/listing/slice.ts'
import type { Paging } from '../../../platform/http/paging.ts'
import { type EventsQuery, eventActions, type RecordedEvent, stored } from './schema.ts'

type Found = Omit<RecordedEvent, 'can'>
export type EventRow = Pick<Found, keyof typeof stored | 'is_kept'>
export type WrittenEvent = Partial<Pick<EventRow, 'status' | 'error' | 'tries' | 'ended_at'>>

/** Lists the events that name a subscription, or all of them for null. Joins for the rows of the page only. */
export function listEvents(
  db: Database,
  named: string | null,
  query: EventsQuery,
  paging: Paging,
): Promise<Slice<RecordedEvent>> {
  const order = orders[query.sort ?? 'received_at_desc']
  return readSlice<RecordedEvent>(paging, order, async ({ after, limit, offset }) => {
    const { rows } = await sql<Found & Placed>`
      select ${shown}, ${order.values} from payment_events e where e.id in (
        select e.id from payment_events e where ${allOf(matching(named, query), after)}
        order by ${order.by} limit ${limit} offset ${offset})
      order by ${order.by}`.execute(db)
    return rows.map(withCan)
  })
}

export async function countEvents(db: Database, named: string | null, query: EventsQuery): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*) as total from payment_events e where ${matching(named, query)}`.execute(db)
  return rows[0]?.total ?? 0
}

export async function getEvent(db: Database, id: string): Promise<RecordedEvent> {
  const { rows } = await sql<Found>`select ${shown} from payment_events e where e.id = ${id}`.execute(db)
  return withCan(rows[0] ?? raise(notFound()))
}

/** The provider's identifier of a subscription; 404 if it is unknown. */
export async function getProviderId(db: Database, id: string): Promise<string> {
  const row = await db
    .selectFrom('subscriptions')
    .select('provider_subscription_id')
    .where('id', '=', id)
    .where('status', 'is not', null)
    .executeTakeFirst()
  return (row ?? raise(notFound())).provider_subscription_id
}

export async function getEventForUpdate(tx: Database, id: string): Promise<EventRow> {
  const { rows } = await sql<EventRow>`
    select ${ofRow} from payment_events e where e.id = ${id} for no key update`.execute(tx)
  return rows[0] ?? raise(notFound())
}

export async function updateEvent(tx: Database, id: string, values: WrittenEvent): Promise<EventRow> {
  await tx.updateTable('payment_events').set(values).where('id', '=', id).execute()
  const { rows } = await sql<EventRow>`select ${ofRow} from payment_events e where e.id = ${id}`.execute(tx)
  return rows[0] ?? raise(notFound())
}

/** Written as in its index. */
const nameOf = sql`(e.fields ->> 'subscription')`

const ofRow = sql`${columnList(stored, 'e')}, e.fields is not null as is_kept`

/** A subscription known only from a checkout has no status yet, and cannot be opened. */
const shown = sql`${ofRow}, e.fields ->> 'status' as stated_status, ${nameOf} as provider_subscription_id, (
  select json_build_object('id', s.id, 'acteur', (
    select json_build_object('id', a.id, 'nom', a.nom) from acteurs a where a.id = s.acteur_id))
  from subscriptions s where s.provider_subscription_id = ${nameOf} and s.status is not null) as subscription`

const withCan = <Row extends EventRow>(row: Row) => ({ ...row, can: leftOf(eventActions, row) })

function matching(named: string | null, { ids, status }: EventsQuery): RawBuilder<boolean> {
  return allOf(
    named !== null && sql`${nameOf} = ${named} and e.fields is not null`,
    among('e.id', ids),
    among('e.status', status),
  )
}

const orders = sortOrders('payment-events', {
  received_at: [
    { by: sql`e.received_at`, type: 'time' },
    { by: sql`e.id`, type: 'text' },
  ],
})
