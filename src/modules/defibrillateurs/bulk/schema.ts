import Type, { type Static } from 'typebox'
import { Id, nullable, oneOf } from '../../../platform/http/schemas.ts'
import { StatutBody } from '../schema.ts'

export const BulkStatut = Type.Object(
  {
    ids: Type.Array(Id(), { minItems: 1, maxItems: 100 }),
    ...StatutBody.properties,
    versions: Type.Optional(
      Type.Record(Type.String({ format: 'uuid' }), Type.Integer({ minimum: 1 }), {
        description:
          'By id, the version that the caller has seen: with another one it is `changed` and stays as it is',
        maxProperties: 100,
        examples: [{}],
      }),
    ),
  },
  { additionalProperties: false },
)
export type BulkStatut = Static<typeof BulkStatut>

const results = ['updated', 'unchanged', 'not_found', 'changed'] as const
export type BulkResult = (typeof results)[number]

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
            Type.Object(
              {
                statut_admin: StatutBody.properties.statut_admin,
                note: nullable(Type.String({ examples: ['Vu sur place le 12 mai'] })),
              },
              { description: 'What it was before this change, of the national level' },
            ),
          ),
        },
        { title: 'DefibrillateurBulkResult' },
      ),
    ),
    meta: Type.Object({ updated: count, unchanged: count, not_found: count, changed: count }),
  },
  { title: 'DefibrillateurBulkAnswer' },
)
export type BulkAnswer = Static<typeof BulkAnswer>
