import Type, { type Static } from 'typebox'
import { adminPerPage, pagingQuery } from '../../../platform/http/paging.ts'
import { Id, nullable, oneOf, optionalBody, Timestamp, text } from '../../../platform/http/schemas.ts'
import { ManagedPublication, moderationStatuses } from '../schema.ts'

const strict = { additionalProperties: false }

export const sorts = [
  'created_at_desc',
  'created_at_asc',
  'updated_at_desc',
  'updated_at_asc',
  'publie_le_desc',
  'publie_le_asc',
  'date_debut_desc',
  'date_debut_asc',
  'titre_desc',
  'titre_asc',
] as const
export type Sort = (typeof sorts)[number]

const flag = (description: string) => Type.Optional(Type.Boolean({ description }))

export const AdminQuery = Type.Object({
  ...pagingQuery(adminPerPage),
  sort: Type.Optional(
    oneOf(sorts, 'Default: `created_at_desc`. What has no such time or date comes last, either way.'),
  ),
  q: Type.Optional(
    text(200, {
      description: 'Words of title and body, whatever accents, case and endings',
      examples: ['fête pomme'],
    }),
  ),
  commune_id: Type.Optional(Id('Attached to this commune')),
  acteur_id: Type.Optional(Id('Of this acteur')),
  type_id: Type.Optional(Id('Of this type')),
  moderation_status: Type.Optional(oneOf(moderationStatuses)),
  valide: flag('Validated, or not'),
  deleted: Type.Optional(
    oneOf(['false', 'true', 'only'], '`true`: deleted ones too; `only`: just these. Default: `false`.'),
  ),
  duplicates: flag('`true`: suspected duplicates alone, the members of one group next to each other'),
  reported: flag('With open reports of readers, or without'),
  en_avant: flag('Featured now, or not'),
})
export type AdminQuery = Static<typeof AdminQuery>

export const duplicateReasons = ['source_url', 'signature'] as const

/** A row of the list; the fields of duplicates are there when the list is asked for them. */
export const ListedPublication = Type.Object(
  {
    ...ManagedPublication.properties,
    duplicate_key: Type.Optional(
      Type.String({
        description: 'What the members of one group share',
        examples: ['s:6f1ed002ab5595859014ebf0951522d9'],
      }),
    ),
    duplicate_reason: Type.Optional(oneOf(duplicateReasons)),
    duplicate_count: Type.Optional(
      Type.Integer({ description: 'Members of the whole group, deleted ones apart', examples: [2] }),
    ),
  },
  { title: 'ListedPublication' },
)
export type ListedPublication = Static<typeof ListedPublication>

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
    data: Type.Array(Type.Object({ id: Id(), result: oneOf(results) }, { title: 'BulkResult' })),
    meta: Type.Object({ updated: count, unchanged: count, not_found: count, deleted: count }),
  },
  { title: 'BulkModerationAnswer' },
)
export type BulkAnswer = Static<typeof BulkAnswer>
