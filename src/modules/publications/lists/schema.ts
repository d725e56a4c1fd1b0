import Type, { type Static } from 'typebox'
import { idsQuery, several, sortQuery } from '../../../platform/http/lists.ts'
import { adminPerPage, pagingQuery } from '../../../platform/http/paging.ts'
import { Id, oneOf, text } from '../../../platform/http/schemas.ts'
import { ManagedPublication, moderationStatuses } from '../schema.ts'

// What has no such time or date comes last, either way.
const sortKeys = ['created_at', 'updated_at', 'publie_le', 'date_debut', 'titre'] as const
export type Sort = `${(typeof sortKeys)[number]}_${'asc' | 'desc'}`

const flag = (description: string) => several(Type.Boolean(), description)

/** What every list of managed publications takes. */
const common = {
  ...pagingQuery(adminPerPage),
  sort: sortQuery(sortKeys, 'created_at_desc'),
  q: Type.Optional(
    text(200, {
      description: 'Words of title and body, whatever accents, case and endings; the last may be a beginning',
      examples: ['fête pomme'],
    }),
  ),
  commune_id: Type.Optional(Id('Attached to this commune')),
  acteur_id: Type.Optional(Id('Of this acteur')),
  type_id: several(Id(), 'Of one of these types'),
  moderation_status: several(oneOf(moderationStatuses), 'In one of these states'),
}

/** Of one's own acteurs. */
export const MyQuery = Type.Object(common)
export type MyQuery = Static<typeof MyQuery>

const mairieFilters = {
  ...common,
  valide: flag('Validated, or not'),
  duplicates: Type.Optional(
    Type.Boolean({
      description: '`true`: suspected duplicates alone, the members of one group next to each other',
    }),
  ),
  reported: flag('With open reports of readers, or without'),
  en_avant: flag('Featured now, or not'),
  visible: flag('Seen by the public now, or not: then `hidden_because` says why'),
}

export const AdminQuery = Type.Object({
  ...mairieFilters,
  ids: idsQuery,
  deleted: Type.Optional(
    oneOf(['false', 'true', 'only'], '`true`: deleted ones too; `only`: just these. Default: `false`.'),
  ),
})
export type AdminQuery = Static<typeof AdminQuery>

// What is deleted is no longer there for a mairie.
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

/** The same for a mairie. */
export const MairiePublication = Type.Object(
  {
    ...ListedPublication.properties,
    may_moderate: Type.Boolean({
      description:
        'Whether the caller may decide on it for the mairie; to publish, the mairie must itself be allowed to',
    }),
  },
  { title: 'MairiePublication' },
)
export type MairiePublication = Static<typeof MairiePublication>
