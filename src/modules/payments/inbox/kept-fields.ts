import { isUuid } from '../../../platform/uuid.ts'
import { checkoutKind, isSubscriptionKind, type Kind } from '../kinds.ts'
import type { PaymentEvent } from './schema.ts'

/** All that is kept of what an event carries. What it does not carry, or not in a harmless shape, is left out. */
export type KeptFields = {
  subscription?: string
  customer?: string
  /** What the metadata says. */
  acteur_id?: string
  status?: string
  price?: string
  current_period_start?: number
  current_period_end?: number
  cancel_at_period_end?: boolean
  canceled_at?: number
  trial_end?: number
}

export function keptFields({ data }: PaymentEvent, kind: Kind): KeptFields {
  const object = at(data, 'object')
  if (isSubscriptionKind(kind)) return ofSubscription(object)
  if (kind === checkoutKind) return ofCheckout(object)
  return ofInvoice(object)
}

/** When it happened; null where that is no time. */
export function occurredAt({ created }: PaymentEvent): Date | null {
  const seconds = time(created)
  return seconds === undefined ? null : new Date(seconds * 1_000)
}

/** Since March 2025 the periods are those of the items. */
function ofSubscription(object: unknown): KeptFields {
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

function ofCheckout(object: unknown): KeptFields {
  return known({
    subscription: idOf(at(object, 'subscription')),
    customer: idOf(at(object, 'customer')),
    acteur_id: uuid(at(object, 'metadata', 'acteur_id')),
  })
}

function ofInvoice(object: unknown): KeptFields {
  const parent = at(object, 'parent', 'subscription_details', 'subscription')
  return known({
    subscription: idOf(parent ?? at(object, 'subscription')),
    customer: idOf(at(object, 'customer')),
  })
}

/** Whatever lies there, of whatever it is. */
function at(value: unknown, ...path: (string | number)[]): unknown {
  return path.reduce((part: unknown, key) => {
    const isThere = typeof part === 'object' && part !== null && Object.hasOwn(part, key)
    return isThere ? (part as Record<string | number, unknown>)[key] : undefined
  }, value)
}

/** The provider gives an id, or all that it names. */
const idOf = (value: unknown) => name(typeof value === 'string' ? value : at(value, 'id'))

/** An identifier or a word: no text, no address, and not what a card or an account is numbered by. */
function name(value: unknown): string | undefined {
  if (typeof value !== 'string' || !/^\w[\w.:-]{0,254}$/.test(value)) return undefined
  return /^(?:[\d.:-]{8,}|[a-z]{2}\d\d[a-z\d]{10,30})$/i.test(value) ? undefined : value
}

function uuid(value: unknown): string | undefined {
  const isOne = typeof value === 'string' && isUuid(value)
  return isOne ? value.toLowerCase() : undefined
}

function time(value: unknown): number | undefined {
  const isOne = typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= lastSecond
  return isOne ? value : undefined
}

/** Of the last year that has four digits. */
const lastSecond = 253_402_300_799

const known = (fields: { [Name in keyof KeptFields]: KeptFields[Name] | undefined }) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as KeptFields
