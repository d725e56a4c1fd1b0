import { sql } from 'kysely'
import { leftOf } from '../../../platform/access/rules.ts'
import { columnList } from '../../../platform/database/columns.ts'
import { among } from '../../../platform/database/conditions.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { notFound, raise } from '../../../platform/errors.ts'
import type { List } from '../../../platform/http/listing/list.ts'
import { type EventsQuery, eventActions, type RecordedEvent, stored } from './schema.ts'

type Found = Omit<RecordedEvent, 'can'>
export type EventRow = Pick<Found, keyof typeof stored | 'is_kept'>
export type WrittenEvent = Partial<Pick<EventRow, 'status' | 'error' | 'tries' | 'ended_at'>>

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
const shown = sql<Found>`${ofRow}, e.fields ->> 'status' as stated_status, ${nameOf} as provider_subscription_id, (
  select json_build_object('id', s.id, 'acteur', (
    select json_build_object('id', a.id, 'nom', a.nom) from acteurs a where a.id = s.acteur_id))
  from subscriptions s where s.provider_subscription_id = ${nameOf} and s.status is not null) as subscription`

export const withCan = <Row extends EventRow>(row: Row) => ({ ...row, can: leftOf(eventActions, row) })

/** The events, or with `named` those of the subscription that the provider calls so. */
export const eventsList: List<EventsQuery & { named?: string }, Found> = {
  name: 'payment-events',
  from: sql`payment_events e`,
  as: 'e',
  picksIds: true,
  filters: {
    named: (named) => sql`${nameOf} = ${named} and e.fields is not null`,
    ids: among('e.id'),
    status: among('e.status'),
  },
  sorts: {
    received_at: [
      { by: sql`e.received_at`, type: 'time' },
      { by: sql`e.id`, type: 'text' },
    ],
  },
  defaults: { sort: 'received_at_desc' },
  columns: shown,
}
