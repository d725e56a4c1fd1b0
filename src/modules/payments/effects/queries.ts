import { type Selectable, sql, type Updateable } from 'kysely'
import type { Database } from '../../../platform/database/connect.ts'
import type * as tables from '../../../platform/database/types.generated.ts'
import { uuidv7At } from '../../../platform/formats/uuid.ts'
import type { StoredFields } from '../kinds.ts'
import type { Place } from './order.ts'

export type EventRow = {
  id: string
  type: string
  occurred_at: Date | null
  received_at: Date
  fields: StoredFields | null
}
export type SubscriptionRow = Selectable<tables.Subscriptions>

/**
 * Serialises effects across instances, because an event of a customer also changes subscriptions of other
 * events. Each takes a few milliseconds.
 */
export async function lockEffects(tx: Database): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('parvis payment effects'))`.execute(tx)
}

/** Locks an event that is still to be applied; null if it was applied or has failed. */
export async function findReceivedForUpdate(tx: Database, id: string): Promise<EventRow | null> {
  const row = await tx
    .selectFrom('payment_events')
    .select(['id', 'type', 'occurred_at', 'received_at', 'fields'])
    .$castTo<EventRow>()
    .where('id', '=', id)
    .where('status', '=', 'received')
    .forNoKeyUpdate()
    .executeTakeFirst()
  return row ?? null
}

export async function endEvent(
  db: Database,
  id: string,
  status: 'processed' | 'ignored' | 'failed',
  error: string | null,
): Promise<void> {
  await db
    .updateTable('payment_events')
    .set({ status, error, tries: sql`tries + 1`, ended_at: sql`now()` })
    .where('id', '=', id)
    .where('status', '=', 'received')
    .execute()
}

/** Records a failed attempt; the event stays queued. */
export async function recordAttempt(db: Database, id: string, error: string): Promise<void> {
  await db
    .updateTable('payment_events')
    .set({ error, tries: sql`tries + 1` })
    .where('id', '=', id)
    .where('status', '=', 'received')
    .execute()
}

/** Returns the acteur of the metadata if it exists. */
export async function findActeurId(db: Database, id: string | undefined): Promise<string | null> {
  if (id === undefined) return null
  const row = await db.selectFrom('acteurs').select('id').where('id', '=', id).executeTakeFirst()
  return row?.id ?? null
}

/** Locks the subscription, creating it if needed, until the transaction ends. */
export async function lockSubscription(
  tx: Database,
  providerId: string,
  receivedAt: Date,
): Promise<SubscriptionRow> {
  await tx
    .insertInto('subscriptions')
    .values({
      id: uuidv7At(receivedAt.getTime()),
      provider_subscription_id: providerId,
      created_at: receivedAt,
      updated_at: receivedAt,
    })
    .onConflict((conflict) => conflict.constraint('subscriptions_provider_key').doNothing())
    .execute()
  return tx
    .selectFrom('subscriptions')
    .selectAll()
    .where('provider_subscription_id', '=', providerId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
}

export async function updateSubscription(
  tx: Database,
  id: string,
  values: Updateable<tables.Subscriptions>,
): Promise<void> {
  await tx.updateTable('subscriptions').set(values).where('id', '=', id).execute()
}

/** Stores a customer's acteur, unless a later event has set it. */
export async function upsertCustomer(
  tx: Database,
  id: string,
  acteur_id: string,
  place: Place,
): Promise<void> {
  await sql`
    insert into payment_customers as c (id, acteur_id, said_at, said_rank, said_by)
    values (${id}, ${acteur_id}, ${place.at}, ${place.rank}, ${place.by})
    on conflict on constraint payment_customers_pkey do update
    set acteur_id = excluded.acteur_id, said_at = excluded.said_at, said_rank = excluded.said_rank,
      said_by = excluded.said_by
    where (excluded.said_at, excluded.said_rank, excluded.said_by) > (c.said_at, c.said_rank, c.said_by)`.execute(
    tx,
  )
}

/** Updates the acteur of the subscription and of all subscriptions of the customer. */
export async function assignActeurs(
  tx: Database,
  { subscription, customer }: Record<'subscription' | 'customer', string | null>,
): Promise<void> {
  await sql`
    update subscriptions s set acteur_id = ${assignedActeur}
    where (s.provider_subscription_id = ${subscription} or s.provider_customer_id = ${customer})
      and s.acteur_id is distinct from ${assignedActeur}`.execute(tx)
}

/** The acteur of a subscription, by precedence of its sources. For `subscriptions s`. */
export const assignedActeur = sql<string | null>`coalesce(s.acteur_set, s.acteur_said, s.acteur_of_checkout,
  (select c.acteur_id from payment_customers c where c.id = s.provider_customer_id))`
