import Type, { type Static } from 'typebox'

/** Format of the provider's identifiers, which excludes e-mail addresses and names with spaces. */
export const eventIdentifier = '^[\\w.:-]{1,255}$'

export const PaymentEvent = Type.Object(
  {
    id: Type.String({
      pattern: eventIdentifier,
      description: 'The event, to the provider',
      examples: ['evt_1R9zQ2'],
    }),
    type: Type.String({ pattern: eventIdentifier, examples: ['customer.subscription.updated'] }),
    created: Type.Optional(
      Type.Unsafe<unknown>({ description: 'When it happened, in seconds', examples: [1_795_188_600] }),
    ),
    data: Type.Optional(
      Type.Unsafe<unknown>({
        description: 'What it happened to, as it is since: of this a few harmless fields are kept',
        examples: [{ object: { id: 'sub_1R9zQ2', customer: 'cus_S4h', status: 'active', metadata: {} } }],
      }),
    ),
  },
  { title: 'PaymentEvent', description: 'What else it holds is the provider’s, and is not looked at.' },
)
export type PaymentEvent = Static<typeof PaymentEvent>

export const Received = Type.Object(
  { received: Type.Literal(true, { description: 'Recorded, now or before', examples: [true] }) },
  { title: 'PaymentEventReceived' },
)
