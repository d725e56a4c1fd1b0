import Type, { type Static } from 'typebox'
import { always } from '../../../platform/access/rules.ts'
import { idsQuery, listQuery, several, sortQuery } from '../../../platform/http/listing/paging.ts'
import {
  Can,
  Id,
  nullable,
  oneOf,
  ResponseTimestamp,
  text,
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
  provider_customer_id: nullable(Type.String({ examples: ['cus_S4hQ1'] })),
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

export const Subscription = Type.Object(
  {
    ...stored,
    acteur: nullable(
      Type.Object(
        { id: Id(), nom: Type.String({ examples: ['Boulangerie des Halles'] }) },
        { title: 'SubscriptionActeur' },
      ),
    ),
    plan: nullable(
      Type.String({ description: 'Of its price, as the settings name it', examples: ['commerce'] }),
    ),
    label: nullable(Type.String({ examples: ['Commerce'] })),
    can: Can(subscriptionActions),
  },
  { title: 'Subscription' },
)
export type Subscription = Static<typeof Subscription>

export const SubscriptionRead = withPresence(
  {
    ...Subscription.properties,
    acteur_set: nullable(Id('Whose it is as an administrator has set; null: events decide')),
  },
  'SubscriptionRead',
)

export const SubscriptionUpdate = Type.Object(
  { acteur_id: nullable(Id('Whose it is, whatever events say; null: whose they say')) },
  { additionalProperties: false },
)
export type SubscriptionUpdate = Static<typeof SubscriptionUpdate>

/** The current subscription of an acteur, for the acteur's own record. */
export const CurrentSubscription = Type.Object(
  {
    plan: nullable(Type.String({ examples: ['commerce'] })),
    label: nullable(Type.String({ examples: ['Commerce'] })),
    status: oneOf(subscriptionStatuses),
    current_period_end: nullable(ResponseTimestamp('Until when it is paid for')),
  },
  { title: 'CurrentSubscription' },
)
export type CurrentSubscription = Static<typeof CurrentSubscription>
