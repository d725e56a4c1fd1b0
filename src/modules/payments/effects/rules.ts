import type { Database } from '../../../platform/database/connect.ts'
import { inTransaction } from '../../../platform/database/in-transaction.ts'
import {
  checkoutKind,
  finalStatuses,
  isSubscriptionKind,
  type StoredFields,
  type SubscriptionStatus,
  subscriptionStatuses,
} from '../kinds.ts'
import { isAfter, type Place, placeOf, stands } from './order.ts'
import * as queries from './queries.ts'

/** A fault of the event itself, which a retry cannot fix. */
export class EventFault extends Error {}

/**
 * Applies a received event and marks it as processed, in one transaction and at most once. The order of
 * events counts, not their arrival: each group of fields stores the position of the last event that set it.
 */
export async function applyEvent(db: Database, id: string): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    await queries.lockEffects(tx)
    const event = await queries.findReceivedForUpdate(tx, id)
    if (event === null) return false
    await applyOnce(tx, event)
    await queries.endEvent(tx, id, 'processed', null)
    return true
  })
}

async function applyOnce(tx: Database, event: queries.EventRow): Promise<void> {
  const { type, occurred_at, fields } = event
  if (fields === null) throw new EventFault('its content is no longer stored')
  if (isSubscriptionKind(type)) await applySubscription(tx, { ...event, fields }, timed(occurred_at))
  if (type === checkoutKind) await applyCheckout(tx, { ...event, fields }, timed(occurred_at))
}

function timed(occurredAt: Date | null): Date {
  if (occurredAt === null) throw new EventFault('it has no creation time')
  return occurredAt
}

type ReadEvent = queries.EventRow & { fields: StoredFields }

async function applySubscription(tx: Database, event: ReadEvent, occurred_at: Date): Promise<void> {
  const { subscription, customer = null, price = null, acteur_id, ...fields } = event.fields
  if (subscription === undefined) throw new EventFault('it has no subscription id')
  const place = placeOf({ ...event, occurred_at })
  const status = statusOf(event)
  const acteur = await queries.findActeurId(tx, acteur_id)
  const before = await queries.lockSubscription(tx, subscription, event.received_at)
  if (stands({ status, place }, knownStatus(before))) {
    await queries.updateSubscription(tx, before.id, {
      provider_customer_id: customer,
      price,
      status,
      current_period_start: date(fields.current_period_start),
      current_period_end: date(fields.current_period_end),
      cancel_at_period_end: fields.cancel_at_period_end ?? false,
      canceled_at: date(fields.canceled_at) ?? (status === 'canceled' ? occurred_at : null),
      trial_end: date(fields.trial_end),
      acteur_said: acteur,
      status_at: place.at,
      status_rank: place.rank,
      status_by: place.by,
    })
  }
  if (acteur !== null && customer !== null) await queries.upsertCustomer(tx, customer, acteur, place)
  await queries.assignActeurs(tx, { subscription, customer })
}

/** Ignores a checkout without an acteur. Without a subscription, sets only the customer's acteur. */
async function applyCheckout(tx: Database, event: ReadEvent, occurred_at: Date): Promise<void> {
  const { subscription = null, customer = null, acteur_id } = event.fields
  const acteur = await queries.findActeurId(tx, acteur_id)
  if (acteur === null) return
  const place = placeOf({ ...event, occurred_at })
  if (subscription !== null) {
    const before = await queries.lockSubscription(tx, subscription, event.received_at)
    const known = placeIn(before.checkout_at, before.checkout_rank, before.checkout_by)
    if (known === null || isAfter(place, known)) {
      await queries.updateSubscription(tx, before.id, {
        acteur_of_checkout: acteur,
        checkout_at: place.at,
        checkout_rank: place.rank,
        checkout_by: place.by,
      })
    }
  }
  if (customer !== null) await queries.upsertCustomer(tx, customer, acteur, place)
  await queries.assignActeurs(tx, { subscription, customer })
}

/** A deletion event ends the subscription, whatever its status field says. */
function statusOf({ type, fields }: ReadEvent): SubscriptionStatus {
  const status = subscriptionStatuses.find((one) => one === fields.status)
  if (status === undefined) throw new EventFault('its status is unknown')
  return type === 'customer.subscription.deleted' && !finalStatuses.includes(status) ? 'canceled' : status
}

function knownStatus({ status, status_at, status_rank, status_by }: queries.SubscriptionRow) {
  const place = placeIn(status_at, status_rank, status_by)
  return status === null || place === null ? null : { status, place }
}

const placeIn = (at: Date | null, rank: number | null, by: string | null): Place | null =>
  at === null || rank === null || by === null ? null : { at, rank, by }

const date = (seconds: number | undefined) => (seconds === undefined ? null : new Date(seconds * 1_000))
