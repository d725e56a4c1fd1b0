import { sql } from 'kysely'
import Type from 'typebox'
import { settingsOf } from '../../platform/config/config.ts'
import {
  nullable,
  oneOf,
  ResponseTimestamp,
  textOrNull,
  titled,
} from '../../platform/http/validation/schemas.ts'
import type { Figures } from '../../platform/module.ts'
import { eventStatuses } from './kinds.ts'
import { planOf } from './plans.ts'
import { paymentsSettings } from './settings.ts'

const PlanCount = titled('PlanCount', {
  plan: Type.String({ examples: ['commerce'] }),
  label: Type.String({ examples: ['Commerce'] }),
  active: Type.Integer({ description: 'Subscriptions that are active or on trial', examples: [42] }),
})

const EventLine = titled('PaymentEventLine', {
  event_id: Type.String({ examples: ['evt_1R9zQ2'] }),
  type: Type.String({ examples: ['customer.subscription.updated'] }),
  status: oneOf(eventStatuses),
  error: textOrNull('it has no subscription id', 'Why the last try failed'),
  at: ResponseTimestamp('When it was received'),
})

/** Subscribers of every configured plan, and of other prices that have any. */
export const subscriptionPlans: Figures[string] = {
  area: 'subscriptions',
  schema: Type.Array(PlanCount),
  async read(tx, config) {
    const { plans } = settingsOf(config, paymentsSettings)
    const { rows } = await sql<{ price: string; active: number }>`
      select price, count(*) as active from subscriptions
      where status in ('trialing', 'active') and price is not null group by price order by price`.execute(tx)
    const counts = new Map([...plans.values()].map((plan) => [plan.plan, { ...plan, active: 0 }]))
    for (const { price, active } of rows) {
      const { plan, label } = planOf(plans, price)
      counts.set(plan, { plan, label, active: (counts.get(plan)?.active ?? 0) + active })
    }
    return [...counts.values()]
  },
}

export const subscriptionLogs: Figures[string] = {
  area: 'subscriptions',
  schema: titled('SubscriptionLogs', {
    failed: Type.Integer({ description: 'Events whose effect could not be applied', examples: [0] }),
    oldest_unprocessed_at: nullable(ResponseTimestamp('Of the events that wait for their effect')),
    latest: Type.Array(EventLine, { description: 'The last ten, newest first' }),
  }),
  async read(tx) {
    const { rows } = await sql<{ failed: number; oldest_unprocessed_at: Date | null }>`
      select (select count(*) from payment_events where status = 'failed') as failed,
        (select min(received_at) from payment_events where status = 'received') as oldest_unprocessed_at`.execute(
      tx,
    )
    const { rows: latest } = await sql`
      select id as event_id, type, status, error, received_at as at
      from payment_events order by received_at desc, id desc limit 10`.execute(tx)
    return { ...rows[0], latest }
  },
}
