import Type, { type Static } from 'typebox'
import { Id, nullable, oneOf } from '../../../platform/http/schemas.ts'
import { Acteur, ActiveBody, BadgeBody, CanPublishBody } from '../schema.ts'

const { active } = ActiveBody.properties
const { can_publish } = CanPublishBody.properties
const { badge } = BadgeBody.properties

export const BulkDecision = Type.Object(
  {
    ids: Type.Array(Id(), { minItems: 1, maxItems: 100 }),
    validate: Type.Optional(Type.Boolean({ description: 'Validated', examples: [true] })),
    active: Type.Optional(active),
    can_publish: Type.Optional(can_publish),
    badge: Type.Optional(badge),
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
export type BulkDecision = Static<typeof BulkDecision>

const results = ['updated', 'unchanged', 'not_found', 'deleted', 'changed'] as const
export type BulkResult = (typeof results)[number]

const decided = Type.Pick(Acteur, ['valide', 'active', 'can_publish', 'badge'])
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
            Type.Object(decided.properties, {
              description: 'What it was before this decision, so that it can be undone',
            }),
          ),
        },
        { title: 'ActeurBulkResult' },
      ),
    ),
    meta: Type.Object({ updated: count, unchanged: count, not_found: count, deleted: count, changed: count }),
  },
  { title: 'ActeurBulkAnswer' },
)
export type BulkAnswer = Static<typeof BulkAnswer>
