import Type, { type Static } from 'typebox'
import { Id, nullable, oneOf } from '../../../platform/http/schemas.ts'
import { flags, Thread } from '../schema.ts'

export const BulkChange = Type.Object(
  {
    ids: Type.Array(Id(), { minItems: 1, maxItems: 100 }),
    closed: Type.Optional(Type.Boolean({ description: '`false` opens them again', examples: [true] })),
    unread: Type.Optional(Type.Boolean({ examples: [false] })),
    flag: Type.Optional(nullable(oneOf(flags))),
    assignee_id: Type.Optional(nullable(Id('The colleague who handles them; null: nobody'))),
    versions: Type.Optional(
      Type.Record(Type.String({ format: 'uuid' }), Type.Integer({ minimum: 1 }), {
        description:
          'By id, the version that the caller has seen: with another one it is `changed` and stays as it is',
        maxProperties: 100,
        examples: [{}],
      }),
    ),
  },
  {
    additionalProperties: false,
    examples: [{ ids: ['0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e'], closed: true }],
  },
)
export type BulkChange = Static<typeof BulkChange>

const results = ['updated', 'unchanged', 'not_found', 'changed'] as const
export type BulkResult = (typeof results)[number]

const state = Type.Pick(Thread, ['status', 'unread', 'flag', 'assignee_id'])
const count = Type.Integer({ examples: [1] })

/** The result for each id, in the order of the request. A repeated id is `unchanged`. */
export const BulkAnswer = Type.Object(
  {
    data: Type.Array(
      Type.Object(
        {
          id: Id(),
          result: oneOf(results),
          previous: nullable(
            Type.Object(state.properties, {
              description: 'What it was before this change, so that it can be undone',
            }),
          ),
        },
        { title: 'SupportThreadBulkResult' },
      ),
    ),
    meta: Type.Object({ updated: count, unchanged: count, not_found: count, changed: count }),
  },
  { title: 'SupportThreadBulkAnswer' },
)
export type BulkAnswer = Static<typeof BulkAnswer>
