import Type, { type Static } from 'typebox'
import { adminPerPage, pagingQuery } from '../../../platform/http/paging.ts'
import { Id, oneOf, text } from '../../../platform/http/schemas.ts'
import { ManagedPublication, moderationStatuses } from '../schema.ts'

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

// What is deleted is no longer there for a mairie.
const { deleted, ...mairieFilters } = AdminQuery.properties

export const MairieQuery = Type.Object({
  ...mairieFilters,
  supervision: Type.Optional(
    oneOf(
      ['false', 'true', 'only'],
      'Content that other acteurs attached to its commune alone: `true`: besides its own; `only`: just that. Default: `false`.',
    ),
  ),
})
export type MairieQuery = Static<typeof MairieQuery>

const duplicateReasons = ['source_url', 'signature'] as const

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
