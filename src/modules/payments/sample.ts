import { uuidv7 } from '../../platform/formats/uuid.ts'
import type { PaymentEvent } from './inbox/schema.ts'
import type { SubscriptionStatus } from './kinds.ts'

export type Sample = {
  subscription: string
  customer: string
  status: SubscriptionStatus
  /** Lookup key. */
  price: string
  acteurId: string | null
  createdAt: Date
  periodEnd: Date
}

/** A provider event that is only logged. */
export function sampleInvoice(now: Date): PaymentEvent {
  const object = { id: 'in_sample', object: 'invoice', customer: 'cus_sample', status: 'paid' }
  return eventOf('invoice.paid', now, object)
}

/** A provider event that creates or changes a subscription. */
export function sampleSubscription({ createdAt, ...sample }: Sample): PaymentEvent {
  const { subscription: id, customer, status, acteurId, price: lookup_key } = sample
  const [start, end] = [createdAt, sample.periodEnd].map(secondsOf)
  return eventOf('customer.subscription.updated', createdAt, {
    id,
    object: 'subscription',
    customer,
    status,
    cancel_at_period_end: false,
    canceled_at: status === 'canceled' ? start : null,
    trial_end: status === 'trialing' ? end : null,
    items: {
      data: [
        {
          current_period_start: start,
          current_period_end: end,
          price: { id: `price_${lookup_key}`, lookup_key },
        },
      ],
    },
    metadata: acteurId === null ? {} : { acteur_id: acteurId },
  })
}

const eventOf = (type: string, createdAt: Date, object: object): PaymentEvent => ({
  id: `evt_sample_${uuidv7().replaceAll('-', '')}`,
  type,
  created: secondsOf(createdAt),
  data: { object },
})

const secondsOf = (time: Date) => Math.floor(time.getTime() / 1_000)
