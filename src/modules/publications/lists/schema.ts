import Type, { type Static } from 'typebox'
import {
  adminPerPage,
  idsQuery,
  listQuery,
  pagingQuery,
  several,
  sortQuery,
} from '../../../platform/http/listing/paging.ts'
import { Id, oneOf, Timestamp, text, titled } from '../../../platform/http/validation/schemas.ts'
import { DuplicateKey, officeProperties, reportCategories } from '../office.ts'
import { MemberPublication, moderationStatuses } from '../schema.ts'
import { hiddenReasons } from '../visibility.ts'

// Null times and dates sort last in both directions.
const sortKeys = ['created_at', 'updated_at', 'publie_le', 'date_debut', 'titre'] as const
export type Sort = `${(typeof sortKeys)[number]}_${'asc' | 'desc'}`

const flag = (description: string) => several(Type.Boolean(), description)

/** Parameters of every list of managed publications. */
const common = {
  ...pagingQuery(adminPerPage),
  sort: sortQuery(sortKeys, 'created_at_desc'),
  q: Type.Optional(
    text(200, {
      description:
        'Words of title, body and place, whatever accents, case and endings; the last may be a beginning',
      examples: ['fête pomme'],
    }),
  ),
  commune_id: Type.Optional(Id('Attached to this commune')),
  acteur_id: Type.Optional(Id('Of this acteur')),
  type_id: several(Id(), 'Of one of these types'),
  moderation_status: several(oneOf(moderationStatuses), 'In one of these states'),
}

/** Parameters of the list of the caller's acteurs. */
export const MyQuery = Type.Object({
  ...common,
  deleted: Type.Optional(
    oneOf(['false', 'only'], '`only`: what members deleted and can restore. Default: `false`.'),
  ),
})
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

const hiddenFilter = <const Reason extends string>(reasons: readonly Reason[]) =>
  several(
    oneOf(reasons),
    'Hidden for one of these reasons, separated by commas. Accepted but without a time: `no_time` together with `moderation_status=approved`.',
  )

const adminSorts = [
  ...sortKeys.flatMap((key) => [`${key}_asc`, `${key}_desc`] as const),
  'oldest_report_asc',
] as const

export const AdminQuery = Type.Object({
  ...mairieFilters,
  ...listQuery,
  sort: Type.Optional(
    oneOf(
      adminSorts,
      'Default: `created_at_desc`. `oldest_report_asc`: the longest reported first; not with `duplicates`',
    ),
  ),
  unsettled: Type.Optional(
    Type.Boolean({
      description:
        '`true`: suspected duplicates that are still to be decided: not rejected, in groups with at least two of them that nobody settled as no duplicates; with `duplicates=true`, the members of one group next to each other',
    }),
  ),
  duplicate_key: Type.Optional(DuplicateKey('Of this group of suspected duplicates')),
  since: Type.Optional(Timestamp('Created at this time or later')),
  until: Type.Optional(Timestamp('Created before this time')),
  source_id: Type.Optional(Id('From this import source')),
  category: several(oneOf(reportCategories), 'With an open report of one of these categories'),
  created_by: Type.Optional(Id('Written by this user')),
  hidden_because: hiddenFilter(hiddenReasons),
  ids: idsQuery,
  deleted: Type.Optional(
    oneOf(['false', 'true', 'only'], '`true`: deleted ones too; `only`: just these. Default: `false`.'),
  ),
})
export type AdminQuery = Static<typeof AdminQuery>

/** A query sorted by a column. */
export type ListQuery = Omit<AdminQuery, 'sort'> & { sort?: Sort }

// A mairie does not see deleted publications.
export const MairieQuery = Type.Object({
  ...mairieFilters,
  hidden_because: hiddenFilter(hiddenReasons.filter((reason) => reason !== 'deleted')),
  supervision: Type.Optional(
    oneOf(
      ['false', 'true', 'only'],
      'Content that other acteurs attached to its commune alone: `true`: besides its own; `only`: just that. Default: `false`.',
    ),
  ),
})
export type MairieQuery = Static<typeof MairieQuery>

const duplicateReasons = ['source_url', 'signature'] as const

/** Present only with `duplicates=true`. */
const duplicateFields = {
  duplicate_key: Type.Optional(DuplicateKey('What the members of one group share')),
  duplicate_reason: Type.Optional(oneOf(duplicateReasons)),
  duplicate_count: Type.Optional(
    Type.Integer({ description: 'Members of the whole group, deleted ones apart', examples: [2] }),
  ),
}

/** A row of the back-office's list. */
export const ListedPublication = titled('ListedPublication', { ...officeProperties, ...duplicateFields })
/** A row as selected from the database. */
export type ListedPublication = Omit<Static<typeof ListedPublication>, 'record' | 'can'>

/** A row of a mairie's list. */
export const MairiePublication = titled('MairiePublication', {
  ...MemberPublication.properties,
  ...duplicateFields,
  may_moderate: Type.Boolean({
    description:
      'Whether the caller may decide on it for the mairie; to publish, the mairie must itself be allowed to',
  }),
})
export type MairiePublication = Static<typeof MairiePublication>
