import Type, { type Static } from 'typebox'
import { titled } from '../../../platform/http/validation/schemas.ts'

/** Format of the provider's identifiers, which excludes e-mail addresses and names with spaces. */
export const eventIdentifier = '^[\\w.:-]{1,255}$'

export const PaymentEvent = titled(
  'PaymentEvent',
  {
    id: Type.String({
      description: 'The event, to the provider. Any text; one of an unusual form is stored as its SHA-256',
      examples: ['evt_1R9zQ2'],
    }),
    type: Type.String({ pattern: eventIdentifier, examples: ['customer.subscription.updated'] }),
    created: Type.Optional(
      Type.Unsafe<unknown>({ description: 'When it happened, in seconds', examples: [1_795_188_600] }),
    ),
    data: Type.Optional(
      Type.Unsafe<unknown>({
        description: 'The object after the event. Only a few non-personal fields are stored',
        examples: [{ object: { id: 'sub_1R9zQ2', customer: 'cus_S4h', status: 'active', metadata: {} } }],
      }),
    ),
  },
  'Other fields are ignored.',
)
export type PaymentEvent = Static<typeof PaymentEvent>

export const Received = titled('PaymentEventReceived', {
  received: Type.Literal(true, { description: 'Recorded, now or before', examples: [true] }),
})
