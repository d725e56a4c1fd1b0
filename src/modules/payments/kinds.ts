/** Event kinds that change a subscription or are only logged. All others are ignored. */
export const subscriptionKinds = [
  'customer.subscription.created',
  'customer.subscription.trial_will_end',
  'customer.subscription.updated',
  'customer.subscription.resumed',
  'customer.subscription.paused',
  'customer.subscription.deleted',
] as const
export const checkoutKind = 'checkout.session.completed'
export const invoiceKinds = [
  'invoice.paid',
  'invoice.payment_failed',
  'invoice.payment_action_required',
  'invoice.finalization_failed',
] as const

export type Kind = (typeof subscriptionKinds)[number] | typeof checkoutKind | (typeof invoiceKinds)[number]

const kinds: readonly string[] = [...subscriptionKinds, checkoutKind, ...invoiceKinds]

export const isKnownKind = (type: string): type is Kind => kinds.includes(type)
export const isSubscriptionKind = (type: string): boolean =>
  (subscriptionKinds as readonly string[]).includes(type)

export const eventStatuses = ['received', 'processed', 'ignored', 'failed'] as const
export type EventStatus = (typeof eventStatuses)[number]

export const subscriptionStatuses = [
  'incomplete',
  'incomplete_expired',
  'trialing',
  'active',
  'past_due',
  'canceled',
  'unpaid',
  'paused',
] as const
export type SubscriptionStatus = (typeof subscriptionStatuses)[number]

/** A subscription never leaves these statuses. */
export const finalStatuses: readonly string[] = [
  'canceled',
  'incomplete_expired',
] satisfies SubscriptionStatus[]

/** The only payload fields that are stored. Missing fields and fields of an unexpected type are omitted. */
export type StoredFields = {
  subscription?: string
  customer?: string
  /** From the metadata of the payload. */
  acteur_id?: string
  status?: string
  price?: string
  current_period_start?: number
  current_period_end?: number
  cancel_at_period_end?: boolean
  canceled_at?: number
  trial_end?: number
}

/** Accepts an identifier or a word: no free text, no address, nothing like a card or account number. */
export const isStorableName = (text: string): boolean =>
  /^\w[\w.:-]{0,254}$/.test(text) && !/^(?:[\d.:-]{8,}|[a-z]{2}\d\d[a-z\d]{10,30})$/i.test(text)
