import Type, { type Static } from 'typebox'
import { Id, nullable, oneOf, optionalBody, Timestamp, text } from '../../../platform/http/schemas.ts'
import { ByMairie, moderationStatuses } from '../schema.ts'

const strict = { additionalProperties: false }

export const ByMairieAndId = Type.Object({
  ...ByMairie.properties,
  publicationId: Id('Identifier of the publication'),
})

const Reason = Type.Optional(
  nullable(
    text(1_000, {
      description: 'Shown to administrators, moderators and members of the acteur',
      examples: ['Hors sujet'],
    }),
  ),
)

export const Moderation = Type.Object(
  {
    moderation_status: oneOf(moderationStatuses),
    reason: Reason,
    publie_le: Type.Optional(
      nullable(
        Timestamp(
          'With `approved` alone: when it is to appear; null takes it off the schedule. Never moved once past.',
        ),
      ),
    ),
  },
  { ...strict, examples: [{ moderation_status: 'published', reason: 'Relu et validé' }] },
)
export type Moderation = Static<typeof Moderation>

export const Valide = optionalBody(Type.Object({ valide: Type.Boolean({ examples: [true] }) }, strict))

export const Feature = Type.Object(
  {
    en_avant: Type.Boolean({ examples: [true] }),
    featured_until: Type.Optional(nullable(Timestamp('Absent: no end'))),
  },
  // Without an end: one written here would be past some day.
  { ...strict, examples: [{ en_avant: true }] },
)
export type Feature = Static<typeof Feature>

export const BulkModeration = Type.Object(
  {
    ids: Type.Array(Id(), { minItems: 1, maxItems: 100 }),
    moderation_status: oneOf(moderationStatuses),
    reason: Reason,
  },
  strict,
)
export type BulkModeration = Static<typeof BulkModeration>

const results = ['updated', 'unchanged', 'not_found', 'deleted'] as const
export type BulkResult = (typeof results)[number]

const count = Type.Integer({ examples: [1] })

/** What became of each, in the order asked. An id that is named again was decided the first time: `unchanged`. */
export const BulkAnswer = Type.Object(
  {
    data: Type.Array(
      Type.Object(
        {
          id: Id(),
          result: oneOf(results),
          previous: nullable(
            Type.Object(
              { moderation_status: oneOf(moderationStatuses), valide: Type.Boolean() },
              { description: 'What it was before this decision, so that it can be undone' },
            ),
          ),
        },
        { title: 'BulkResult' },
      ),
    ),
    meta: Type.Object({ updated: count, unchanged: count, not_found: count, deleted: count }),
  },
  { title: 'BulkModerationAnswer' },
)
export type BulkAnswer = Static<typeof BulkAnswer>
