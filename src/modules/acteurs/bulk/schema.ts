import Type, { type Static } from 'typebox'
import { BulkResults, bulkIds, bulkVersions } from '../../../platform/http/bulk.ts'
import { strictObject } from '../../../platform/http/validation/schemas.ts'
import { Acteur, ActiveBody, BadgeBody, CanPublishBody } from '../schema.ts'

const { active } = ActiveBody.properties
const { can_publish } = CanPublishBody.properties
const { badge } = BadgeBody.properties

export const BulkDecision = strictObject({
  ...bulkIds,
  validate: Type.Optional(Type.Boolean({ description: 'Validated', examples: [true] })),
  active: Type.Optional(active),
  can_publish: Type.Optional(can_publish),
  badge: Type.Optional(badge),
  ...bulkVersions,
})
export type BulkDecision = Static<typeof BulkDecision>

const decided = Type.Pick(Acteur, ['valide', 'active', 'can_publish', 'badge'])

export const BulkAnswer = BulkResults(
  { result: 'ActeurBulkResult', answer: 'ActeurBulkAnswer' },
  Type.Object(decided.properties, {
    description: 'What it was before this decision, so that it can be undone',
  }),
  { refused: ['deleted'] },
)
export type BulkAnswer = Static<typeof BulkAnswer>
