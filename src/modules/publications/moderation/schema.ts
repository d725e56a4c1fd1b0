import Type, { type Static } from 'typebox'
import { BulkResults, bulkIds, bulkVersions } from '../../../platform/http/bulk.ts'
import {
  Can,
  Id,
  nullable,
  oneOf,
  optionalBody,
  strictObject,
  Timestamp,
  text,
  titled,
} from '../../../platform/http/validation/schemas.ts'
import { GroundCode } from '../../grounds/grounds.ts'
import { grounding, groundingWithReason } from '../../grounds/statements.ts'
import { DecisionId } from '../../recent-decisions/schema.ts'
import { publicationActions } from '../decisions/states.ts'
import { ByMairie, ManagedPublication, MemberPublication, moderationStatuses } from '../schema.ts'

export const ByMairieAndId = Type.Object({
  ...ByMairie.properties,
  publicationId: Id('Identifier of the publication'),
})

/** A publication after a decision of a member. */
export const DecidedByMember = titled('DecidedByMember', {
  ...MemberPublication.properties,
  decision_id: DecisionId,
})

/** A publication after a decision in the back-office. */
export const DecidedPublication = titled('DecidedPublication', {
  ...ManagedPublication.properties,
  can: Can(publicationActions),
  decision_id: DecisionId,
})
export type DecidedPublication = Static<typeof DecidedPublication>

const Reason = Type.Optional(
  nullable(
    text(1_000, {
      description: 'Shown to administrators, moderators and members of the acteur',
      examples: ['Hors sujet'],
    }),
  ),
)

const verdict = {
  moderation_status: oneOf(moderationStatuses),
  reason: Reason,
  ...grounding,
  publie_le: Type.Optional(
    nullable(
      Timestamp(
        'With `approved` alone: when it is to appear; null takes it off the schedule. Never moved once past.',
      ),
    ),
  ),
}

export const Moderation = strictObject(verdict, {
  examples: [{ moderation_status: 'published', reason: 'Relu et validé' }],
})
export type Moderation = Static<typeof Moderation>

export const Valide = optionalBody(
  strictObject({ valide: Type.Boolean({ examples: [true] }), ...groundingWithReason }),
)

export const Feature = strictObject(
  {
    en_avant: Type.Boolean({ examples: [true] }),
    featured_until: Type.Optional(nullable(Timestamp('Absent: no end'))),
    ...groundingWithReason,
  },
  { examples: [{ en_avant: true }] },
)
export type Feature = Static<typeof Feature>

/** Why a publication is deleted: a request to delete has no body. */
export const Deletion = Type.Object(groundingWithReason)
export type Deletion = Static<typeof Deletion>

export const BulkDeletion = strictObject({ ...bulkIds, ...bulkVersions, ...groundingWithReason })
export type BulkDeletion = Static<typeof BulkDeletion>

/** What closing reports as unfounded may say. */
export const ReportsClosing = strictObject({
  ground: Type.Optional({
    ...GroundCode,
    description: 'The code of an active ground by which they were examined: their reporters are told',
  }),
})
export type ReportsClosing = Static<typeof ReportsClosing>

export const BulkReportsClosing = strictObject({
  ...bulkIds,
  ...bulkVersions,
  ...ReportsClosing.properties,
})
export type BulkReportsClosing = Static<typeof BulkReportsClosing>

/** A bulk request without further fields: restore. */
export const BulkIds = strictObject({ ...bulkIds, ...bulkVersions })
export type BulkIds = Static<typeof BulkIds>

export const BulkFeature = strictObject({ ...bulkIds, ...bulkVersions, ...Feature.properties })
export type BulkFeature = Static<typeof BulkFeature>

export const Keep = strictObject({
  reject: Type.Array(
    { ...Id('A duplicate of it'), examples: ['0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0f'] },
    { minItems: 1, maxItems: 99, description: 'A repeated id counts once' },
  ),
  reason: Reason,
  ...grounding,
})
export type Keep = Static<typeof Keep>

export const Distinguish = strictObject({
  ids: Type.Array(Id(), {
    minItems: 2,
    maxItems: 1_000,
    description: 'All members of a group that are neither rejected nor deleted; a repeated id counts once',
    examples: [['0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e', '0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0f']],
  }),
})
export type Distinguish = Static<typeof Distinguish>

export const BulkModeration = strictObject({
  ...bulkIds,
  ...verdict,
  ...bulkVersions,
})
export type BulkModeration = Static<typeof BulkModeration>

export const BulkResponse = BulkResults(
  { result: 'BulkResult', answer: 'BulkModerationAnswer' },
  Type.Object(
    { moderation_status: oneOf(moderationStatuses), valide: Type.Boolean() },
    { description: 'What it was before this decision, so that it can be undone' },
  ),
  { refused: ['deleted'], meta: { decision_id: DecisionId } },
)
export type BulkResponse = Static<typeof BulkResponse>
