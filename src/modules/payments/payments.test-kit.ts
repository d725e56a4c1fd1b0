import { signingSecret } from '../../../test/support/factories.ts'
import type { World } from '../../../test/support/world.ts'
import type { Database } from '../../platform/database/connect.ts'
import { endEvent } from './effects/queries.ts'
import { applyEvent } from './effects/rules.ts'
import { insertEvent, newEvent } from './inbox/rules.ts'
import type { PaymentEvent } from './inbox/schema.ts'
import { sign } from './inbox/signature.ts'

let counter = 0
const next = (kind: string) => `${kind}_test${++counter}`

type Data = Record<string, unknown>
export type TestEvent = PaymentEvent & { created: number; data: { object: Data } }

/** Builds a subscription in the provider's format. */
export const subscriptionObject = (values: Data = {}): Data => ({
  id: next('sub'),
  object: 'subscription',
  customer: next('cus'),
  status: 'active',
  cancel_at_period_end: false,
  canceled_at: null,
  trial_end: null,
  items: {
    data: [
      {
        current_period_start: 1_795_000_000,
        current_period_end: 1_797_592_000,
        price: { id: 'price_1', nickname: null, lookup_key: 'commerce' },
      },
    ],
  },
  metadata: {},
  ...values,
})

export const event = (
  type: string,
  object: Data = subscriptionObject(),
  values: Partial<TestEvent> = {},
): TestEvent => ({ id: next('evt'), type, created: 1_795_100_000, data: { object }, ...values })

/** Delivers events like the provider. */
export function provider({ post, url }: Pick<World, 'post' | 'url'>) {
  async function deliver(
    body: object | string,
    { secret = signingSecret, headers = {}, now = new Date() } = {},
  ) {
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    const signature = await sign(text, secret, now)
    return post('/webhooks/payment', text, {
      source: null,
      headers: { 'payment-signature': signature, ...headers },
    })
  }
  return { deliver, url: `${url}/api/v1/webhooks/payment` }
}

/** Stores and applies an event without a delivery. */
export async function applyNow(db: Database, body: PaymentEvent): Promise<void> {
  await insertEvent(db, newEvent(body, new Date()))
  await applyEvent(db, body.id)
}

/** Creates an active subscription without an acteur and returns its id. */
export async function knownSubscription(db: Database, values: Data = {}): Promise<string> {
  const object = subscriptionObject(values)
  await applyNow(db, event('customer.subscription.created', object))
  const { id } = await db
    .selectFrom('subscriptions')
    .select('id')
    .where('provider_subscription_id', '=', String(object.id))
    .executeTakeFirstOrThrow()
  return id
}

/** Stores an event whose effect could not be applied, and returns its id. */
export async function failedEvent(db: Database, body: PaymentEvent = event('customer.subscription.updated')) {
  await insertEvent(db, newEvent(body, new Date()))
  await endEvent(db, body.id, 'failed', 'the database refused')
  return body.id
}
