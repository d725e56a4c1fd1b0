import Type, { type Static, type TString, type TUnsafe } from 'typebox'
import { memberRoles, permissions } from '../../platform/access/caller.ts'
import { idsQuery, listQuery, several, sortQuery } from '../../platform/http/listing/paging.ts'
import {
  Can,
  EmailVerified,
  filledLine,
  Id,
  line,
  nullable,
  oneOf,
  optionalBody,
  ResponseTimestamp,
  strictObject,
  strictPartial,
  text,
  textOrNull,
  titled,
  UserName,
  WebUrl,
} from '../../platform/http/validation/schemas.ts'
import { groundingWithReason } from '../grounds/statements.ts'
import { Image } from '../media/schema.ts'
import { CurrentSubscription } from '../payments/subscriptions/schema.ts'
import { withPresence } from '../presence/schema.ts'
import { acteurFields, type ContactName, contactNames, type Field, type FieldName } from './fields.ts'
import { MergedActeur } from './merge/schema.ts'

export const acteurTypes = [
  'association',
  'commerce',
  'mairie',
  'intercommunalite',
  'ecole',
  'service',
  'autre',
] as const

export const ById = Type.Object({ id: Id('Identifier of the acteur') })

export const beginningOfName = Type.Optional(
  text(200, {
    description: 'Beginning of a word of the name, whatever its accents and case',
    examples: ['petanque'],
  }),
)
export const severalTypes = several(oneOf(acteurTypes), 'Of one of these types, separated by commas')

export const ActeursQuery = Type.Object({
  ...listQuery,
  sort: sortQuery(['created_at', 'nom', 'type'], 'created_at_desc'),
  ids: idsQuery,
  q: beginningOfName,
  commune_id: Type.Optional(Id('Acteurs of this commune')),
  type: severalTypes,
  valide: several(Type.Boolean(), 'Validated or not'),
  active: several(Type.Boolean(), 'Active or not'),
  can_publish: several(Type.Boolean(), 'Publishing without moderation or not'),
  badge: Type.Optional(
    filledLine(50, { description: 'With this badge, by its whole text', examples: ['Partenaire'] }),
  ),
  deleted: Type.Optional(
    oneOf(['false', 'true', 'only'], 'Without the deleted ones (the default), with them, or only them'),
  ),
})
export type ActeursQuery = Static<typeof ActeursQuery>

const required = {
  nom: filledLine(200, { description: 'Name', examples: ['Pétanque de Chambéry'] }),
  type: oneOf(acteurTypes),
}
/** The input schema of each kind of field. */
const kinds = {
  prose: ({ max, ...options }) => text(max, options),
  text: ({ max, ...options }) => text(max, options),
  line: ({ max, ...options }) => line(max, options),
  link: ({ examples: [example = ''], description }) => WebUrl(example, description),
  hours: ({ max, ...options }) => filledLine(max, options),
  siret: ({ max: _max, ...options }) => Type.String({ pattern: '^[0-9]{14}$', ...options }),
} satisfies Record<Field['kind'], (of: Options) => TString>
type Options = { max: number; description?: string; examples: string[] }

const eachField = (schemaOf: (field: Field) => TUnsafe<string | null>) =>
  Object.fromEntries(
    Object.entries<Field>(acteurFields).map(([name, field]) => [name, schemaOf(field)]),
  ) as Record<FieldName, TUnsafe<string | null>>

const pageFields = eachField(({ kind, max, description, example }) =>
  nullable(kinds[kind]({ max, ...(description && { description }), examples: [example] })),
)
/** What an acteur says of itself, in responses. */
export const shownFields = eachField(({ example, description }) => textOrNull(example, description))
/** Its contacts alone. */
export const shownContacts = Object.fromEntries(
  contactNames.map((name) => [name, shownFields[name]]),
) as Pick<typeof shownFields, ContactName>
const optional = Type.Partial(Type.Object({ commune_id: nullable(Id('Commune it acts in')), ...pageFields }))

export const ActeurCreate = strictObject({ ...required, ...optional.properties })
export type ActeurCreate = Static<typeof ActeurCreate>
/** An acteur has its logo only after it exists: a picture is sent for an acteur. */
const logo = nullable(
  Id(
    'A picture of this acteur, by which it is recognised. It needs no description: the name stands beside it',
  ),
)
export const ActeurUpdate = strictPartial({ ...ActeurCreate.properties, logo })
/** The fields that the members of an acteur change themselves; its name, type, commune and badge stay with administrators. */
export const PageUpdate = strictPartial({ ...pageFields, logo })
export type PageUpdate = Static<typeof PageUpdate>
export type ActeurUpdate = Static<typeof ActeurUpdate>

export const ValidateBody = optionalBody(
  strictObject({
    valide: Type.Optional(Type.Boolean({ default: true, description: 'Validated', examples: [true] })),
  }),
)
export const BadgeBody = strictObject({
  badge: nullable(filledLine(50, { description: 'Null: none', examples: ['Partenaire'] })),
})
export const ActiveBody = strictObject({
  active: Type.Boolean({
    description: 'While inactive, nothing of it is public',
    examples: [false],
  }),
  ...groundingWithReason,
})
export const CanPublishBody = strictObject({
  can_publish: Type.Boolean({
    description: 'Whether it publishes without moderation',
    examples: [true],
  }),
})

export const Acteur = titled('Acteur', {
  id: Id(),
  slug: Type.String({ examples: ['petanque-de-chambery'] }),
  nom: Type.String({ examples: ['Pétanque de Chambéry'] }),
  type: oneOf(acteurTypes),
  commune_id: nullable(Id()),
  ...shownFields,
  logo: nullable(Id()),
  valide: Type.Boolean({ examples: [true] }),
  badge: textOrNull('Partenaire'),
  active: Type.Boolean({ examples: [true] }),
  can_publish: Type.Boolean({ examples: [false] }),
  deleted_at: nullable(ResponseTimestamp()),
  created_at: ResponseTimestamp(),
  updated_at: ResponseTimestamp(),
  version: Type.Integer({ examples: [1] }),
})
export type Acteur = Static<typeof Acteur>

const subscription = nullable(CurrentSubscription)
const communeName = {
  id: Id(),
  slug: Type.String({ examples: ['chambery'] }),
  nom: Type.String({ examples: ['Chambéry'] }),
}
const groupName = {
  id: Id(),
  slug: Type.String({ examples: ['ca-du-grand-chambery'] }),
  nom: Type.String({ examples: ['CA du Grand Chambéry'] }),
}
/** The commune that an acteur acts in. */
export const communeOfActeur = nullable(titled('ActeurOfCommune', communeName))
/** The communes that name an acteur as their mairie. */
export const communesOfMairie = Type.Array(titled('MairieOf', communeName), {
  description: 'The communes that name it as their mairie',
})
/** The groups of communes that name an acteur. */
export const groupsOfActeur = Type.Array(titled('GroupOfActeur', groupName), {
  description: 'The groups of communes that name it as the acteur that publishes for their members',
})
export const isLive = ({ deleted_at }: Pick<Acteur, 'deleted_at'>): boolean => deleted_at === null

/** Actions that each state allows. A deleted acteur can only be read and restored. */
export const acteurActions = {
  edit: isLive,
  validate: isLive,
  badge: isLive,
  active: isLive,
  'can-publish': isLive,
  merge: isLive,
  delete: isLive,
  restore: (acteur: Pick<Acteur, 'deleted_at'>) => !isLive(acteur),
}

/** The logo in responses. */
export const Logo = nullable({ ...Image, title: 'Logo' })

/** An acteur as administrators see it, with its logo, its commune and its subscription. */
export const AdminActeur = titled('Acteur', {
  ...Acteur.properties,
  logo: Logo,
  commune: communeOfActeur,
  subscription,
  can: Can(acteurActions),
})

export const Member = titled('ActeurMember', {
  user_id: Id(),
  user: UserName,
  nom: textOrNull('Zoé Lambert'),
  email: textOrNull('zoe@example.org'),
  email_verified: EmailVerified,
  role: oneOf(memberRoles, 'An owner may do all; an editor what its permissions say'),
  permissions: Type.Array(oneOf(permissions), { examples: [['manage_publications']] }),
})
export type Member = Static<typeof Member>

export const ListingRefresh = titled('ListingRefresh', {
  total: Type.Integer({ description: 'Its publications', examples: [50_000] }),
  done: Type.Integer({ description: 'Those of them that are done', examples: [12_500] }),
})
export type ListingRefresh = Static<typeof ListingRefresh>

export const ActeurRead = withPresence(
  {
    ...AdminActeur.properties,
    members: Type.Array(Member, { description: 'Who may act for it' }),
    groups: groupsOfActeur,
    merged: Type.Array(MergedActeur, {
      description:
        'What was merged into it, latest first, at most a hundred: their ids and slugs answer as this one',
    }),
    refreshing: nullable({
      ...ListingRefresh,
      description:
        'How far a job has followed a decision that hid or showed many publications. Readers see the decision at once. Null: nothing is left to do',
    }),
  },
  'ActeurRead',
)
