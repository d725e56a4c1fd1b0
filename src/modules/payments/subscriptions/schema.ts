import Type, { type Static } from 'typebox'
import { always } from '../../../platform/access/rules.ts'
import { idsQuery, listQuery, several, sortQuery } from '../../../platform/http/listing/paging.ts'
import {
  Can,
  Id,
  named,
  nullable,
  oneOf,
  ResponseTimestamp,
  strictObject,
  text,
  textOrNull,
  titled,
} from '../../../platform/http/validation/schemas.ts'
import { withPresence } from '../../presence/schema.ts'
import { subscriptionStatuses } from '../kinds.ts'

export const SubscriptionsQuery = Type.Object({
  ...listQuery,
  sort: sortQuery(['created_at', 'current_period_end', 'status'], 'created_at_desc'),
  ids: idsQuery,
  status: several(oneOf(subscriptionStatuses), 'In one of these states, separated by commas'),
  plan: several(text(255, { examples: ['commerce'] }), 'Of one of these plans, separated by commas'),
  acteur_id: Type.Optional(Id('Subscriptions of this acteur')),
})
export type SubscriptionsQuery = Static<typeof SubscriptionsQuery>

export const ById = Type.Object({ id: Id('Identifier of the subscription') })

/** Stored fields that responses show. */
export const stored = {
  id: Id(),
  acteur_id: nullable(Id('Its acteur; null while unknown')),
  status: oneOf(subscriptionStatuses),
  provider_customer_id: textOrNull('cus_S4hQ1'),
  provider_subscription_id: Type.String({ examples: ['sub_1R9zQ2'] }),
  current_period_start: nullable(ResponseTimestamp()),
  current_period_end: nullable(ResponseTimestamp('Until when it is paid for')),
  cancel_at_period_end: Type.Boolean({ description: 'It ends then, and is not renewed', examples: [false] }),
  canceled_at: nullable(ResponseTimestamp()),
  trial_end: nullable(ResponseTimestamp()),
  version: Type.Integer({ examples: [1] }),
  created_at: ResponseTimestamp('When the service received its first event'),
  updated_at: ResponseTimestamp(),
}

/** The acteur can be set in every state. */
export const subscriptionActions = { edit: always }

export const Subscription = titled('Subscription', {
  ...stored,
  acteur: nullable(named('SubscriptionActeur', 'Boulangerie des Halles')),
  plan: textOrNull('commerce', 'Of its price, as the settings name it'),
  label: textOrNull('Commerce'),
  can: Can(subscriptionActions),
})
export type Subscription = Static<typeof Subscription>

export const SubscriptionRead = withPresence(
  {
    ...Subscription.properties,
    acteur_set: nullable(Id('The acteur that an administrator assigned it to; null: payment events decide')),
  },
  'SubscriptionRead',
)

export const SubscriptionUpdate = strictObject({
  acteur_id: nullable(Id('The acteur to assign it to, overriding payment events; null: they decide')),
})
export type SubscriptionUpdate = Static<typeof SubscriptionUpdate>

/** The current subscription of an acteur, for the acteur's own record. */
export const CurrentSubscription = titled('CurrentSubscription', {
  plan: textOrNull('commerce'),
  label: textOrNull('Commerce'),
  status: oneOf(subscriptionStatuses),
  current_period_end: nullable(ResponseTimestamp('Until when it is paid for')),
})
export type CurrentSubscription = Static<typeof CurrentSubscription>
