import { createHash } from 'node:crypto'
import type { Database } from '../../../platform/database/connect.ts'
import { isUuid } from '../../../platform/formats/uuid.ts'
import type { Deps } from '../../../platform/module.ts'
import { applyEventJob } from '../effects/jobs.ts'
import {
  checkoutKind,
  type EventStatus,
  isKnownKind,
  isStorableName,
  isSubscriptionKind,
  type Kind,
  type StoredFields,
} from '../kinds.ts'
import { eventIdentifier, type PaymentEvent } from './schema.ts'

/** Stores an event once, together with its job. */
export function recordEvent(
  db: Database,
  { jobs, clock }: Pick<Deps, 'jobs' | 'clock'>,
  event: PaymentEvent,
): Promise<'received' | 'ignored' | 'duplicate'> {
  const row = newEvent(event, clock())
  return db.transaction().execute(async (tx) => {
    if (!(await insertEvent(tx, row))) return 'duplicate'
    if (row.status === 'ignored') return 'ignored'
    await jobs.enqueue(tx, applyEventJob, { eventId: row.id }, { singletonKey: row.id })
    return 'received'
  })
}

/** Returns the stored form of an event: for a kind without effect, only its arrival. */
export function newEvent(event: PaymentEvent, now: Date): NewEvent {
  const { type } = event
  const id = storedId(event.id)
  const occurred_at = occurredAt(event)
  if (!isKnownKind(type)) return { id, type, occurred_at, status: 'ignored', ended_at: now, fields: null }
  return { id, type, occurred_at, status: 'received', ended_at: null, fields: storedFields(event, type) }
}

/** Returns the id as it is, if it has the usual form; else its digest, because it may be too long or name a person. */
const storedId = (id: string): string =>
  usual.test(id) ? id : `sha256:${createHash('sha256').update(id).digest('hex')}`
const usual = new RegExp(eventIdentifier)

function storedFields({ data }: PaymentEvent, kind: Kind): StoredFields {
  const object = at(data, 'object')
  if (isSubscriptionKind(kind)) return ofSubscription(object)
  if (kind === checkoutKind) return ofCheckout(object)
  return ofInvoice(object)
}

/** Returns the time of the event; null if it is not a valid time. */
function occurredAt({ created }: PaymentEvent): Date | null {
  const seconds = time(created)
  return seconds === undefined ? null : new Date(seconds * 1_000)
}

/** Since March 2025 the periods belong to the items. */
function ofSubscription(object: unknown): StoredFields {
  const item = at(object, 'items', 'data', 0)
  const price = at(item, 'price')
  return known({
    subscription: name(at(object, 'id')),
    customer: idOf(at(object, 'customer')),
    acteur_id: uuid(at(object, 'metadata', 'acteur_id')),
    status: name(at(object, 'status')),
    price: name(at(price, 'lookup_key')) ?? idOf(price),
    current_period_start: time(at(item, 'current_period_start') ?? at(object, 'current_period_start')),
    current_period_end: time(at(item, 'current_period_end') ?? at(object, 'current_period_end')),
    cancel_at_period_end: at(object, 'cancel_at_period_end') === true,
    canceled_at: time(at(object, 'canceled_at')),
    trial_end: time(at(object, 'trial_end')),
  })
}

function ofCheckout(object: unknown): StoredFields {
  return known({
    subscription: idOf(at(object, 'subscription')),
    customer: idOf(at(object, 'customer')),
    acteur_id: uuid(at(object, 'metadata', 'acteur_id')),
  })
}

function ofInvoice(object: unknown): StoredFields {
  const parent = at(object, 'parent', 'subscription_details', 'subscription')
  return known({
    subscription: idOf(parent ?? at(object, 'subscription')),
    customer: idOf(at(object, 'customer')),
  })
}

/** Reads a nested value by its path; undefined if it does not exist. */
function at(value: unknown, ...path: (string | number)[]): unknown {
  return path.reduce((part: unknown, key) => {
    const isThere = typeof part === 'object' && part !== null && Object.hasOwn(part, key)
    return isThere ? (part as Record<string | number, unknown>)[key] : undefined
  }, value)
}

/** The provider sends either an id or the whole object. */
const idOf = (value: unknown) => name(typeof value === 'string' ? value : at(value, 'id'))

function name(value: unknown): string | undefined {
  return typeof value === 'string' && isStorableName(value) ? value : undefined
}

function uuid(value: unknown): string | undefined {
  const isOne = typeof value === 'string' && isUuid(value)
  return isOne ? value.toLowerCase() : undefined
}

function time(value: unknown): number | undefined {
  const isOne = typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= lastSecond
  return isOne ? value : undefined
}

/** Last second of the year 9999. */
const lastSecond = 253_402_300_799

const known = (fields: { [Name in keyof StoredFields]: StoredFields[Name] | undefined }) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as StoredFields

type NewEvent = {
  id: string
  type: string
  occurred_at: Date | null
  status: EventStatus
  ended_at: Date | null
  fields: StoredFields | null
  /** Defaults to now. */
  received_at?: Date
}

/** Inserts an event; false if it already exists. Waits for a concurrent insert. */
export async function insertEvent(db: Database, { fields, ...event }: NewEvent): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('payment_events')
    .values({ ...event, fields: fields && JSON.stringify(fields) })
    .onConflict((conflict) => conflict.constraint('payment_events_pkey').doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}
