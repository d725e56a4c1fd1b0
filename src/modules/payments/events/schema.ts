import Type, { type Static } from 'typebox'
import { listQuery, several, sortQuery } from '../../../platform/http/listing/paging.ts'
import {
  Can,
  Id,
  named,
  nullable,
  oneOf,
  ResponseTimestamp,
  textOrNull,
  titled,
} from '../../../platform/http/validation/schemas.ts'
import { eventIdentifier } from '../inbox/schema.ts'
import { eventStatuses } from '../kinds.ts'

const EventId = (description: string) =>
  Type.String({ pattern: eventIdentifier, description, examples: ['evt_1R9zQ2'] })

export const ByEventId = Type.Object({ event_id: EventId('Identifier of the event, to the provider') })

export const EventsQuery = Type.Object({
  ...listQuery,
  sort: sortQuery(['received_at'], 'received_at_desc'),
  ids: Type.Optional(
    Type.Array(EventId('Event'), {
      minItems: 1,
      maxItems: 100,
      description: 'Only these, separated by commas',
    }),
  ),
  status: several(oneOf(eventStatuses), 'In one of these states, separated by commas'),
})
export type EventsQuery = Static<typeof EventsQuery>

/** Stored fields that responses show. */
export const stored = {
  id: Type.String({ description: 'The event, to the provider', examples: ['evt_1R9zQ2'] }),
  type: Type.String({ examples: ['customer.subscription.updated'] }),
  status: oneOf(
    eventStatuses,
    '`received`: its effect is queued; `processed`: applied; `ignored`: it has none; `failed`: it could not be applied',
  ),
  error: textOrNull('it has no subscription id', 'Why the last attempt failed'),
  tries: Type.Integer({
    description: 'Attempts that have ended, since it was last replayed',
    examples: [9],
  }),
  occurred_at: nullable(ResponseTimestamp('When it happened, as the provider says')),
  received_at: ResponseTimestamp('When it was delivered'),
  ended_at: nullable(ResponseTimestamp('When its effect was applied, or was given up')),
  version: Type.Integer({ examples: [1] }),
  updated_at: ResponseTimestamp(),
}

/** A failed event can be applied again while what it carried is stored. */
export const eventActions = {
  replay: ({ status, is_kept }: { status: string; is_kept: boolean }) => status === 'failed' && is_kept,
}

export const RecordedEvent = titled('RecordedPaymentEvent', {
  ...stored,
  is_kept: Type.Boolean({
    description: 'Whether what it carried is still stored, without which it cannot be applied',
    examples: [true],
  }),
  stated_status: textOrNull('past_due', 'Status of the subscription in the event'),
  provider_subscription_id: textOrNull('sub_1R9zQ2', 'Subscription that it names'),
  subscription: nullable(
    titled(
      'PaymentEventSubscription',
      {
        id: Id(),
        acteur: nullable(named('PaymentEventActeur', 'Boulangerie des Halles')),
      },
      'That subscription, once it is known here',
    ),
  ),
  can: Can(eventActions),
})
export type RecordedEvent = Static<typeof RecordedEvent>
