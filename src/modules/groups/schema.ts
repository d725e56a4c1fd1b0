import Type, { type Static } from 'typebox'
import { idsQuery, listQuery, several, sortQuery } from '../../platform/http/listing/paging.ts'
import {
  Can,
  filledLine,
  Id,
  nullable,
  oneOf,
  ResponseTimestamp,
  strictObject,
  strictPartial,
  text,
  titled,
} from '../../platform/http/validation/schemas.ts'
import { CommuneListed } from '../communes/schema.ts'

const groupKinds = ['epci', 'syndicat', 'autre'] as const

/** More than any département has communes. */
export const maxMembers = 2_000

export const ById = Type.Object({ id: Id('Identifier of the group') })

const nom = Type.String({ examples: ['CA du Grand Chambéry'] })
const kind = oneOf(groupKinds, '`epci`: an intercommunality with its own taxes')
const siren = nullable(
  Type.String({
    pattern: '^[0-9]{9}$',
    description: 'Its number in the national register of organisations',
    examples: ['200069110'],
  }),
)
const slug = Type.String({ examples: ['ca-du-grand-chambery'] })
const acteur_id = nullable(
  Id(
    'The acteur that publishes for its members, of type intercommunalite; as it represents them all, administrators choose it',
  ),
)
const acteur = nullable(
  titled(
    'ActeurOfGroup',
    {
      id: Id(),
      slug: Type.String({ examples: ['grand-chambery'] }),
      nom: Type.String({ examples: ['Grand Chambéry'] }),
    },
    'The acteur that publishes for its members',
  ),
)
const count = Type.Integer({ description: 'How many communes are members', examples: [38] })

/** The members of a group, by name. */
export const communes = Type.Array(CommuneListed)

/** What the public sees of a group in a list. */
export const Group = titled('Group', { id: Id(), slug, nom, kind, siren, acteur, communes_count: count })
export type Group = Static<typeof Group>

/** Columns that are stored in the row of a group. */
export const storedFields = {
  id: Id(),
  ...{ slug, nom, kind, siren, acteur_id },
  version: Type.Integer({ examples: [1] }),
  created_at: ResponseTimestamp(),
  updated_at: ResponseTimestamp(),
}
const StoredGroup = Type.Object(storedFields)
export type StoredGroup = Static<typeof StoredGroup>

export const groupActions = { edit: () => true, delete: () => true }
const managed = { ...storedFields, acteur, communes_count: count, can: Can(groupActions) }
export const ManagedGroup = titled('ManagedGroup', managed)
export type ListedGroup = Omit<Static<typeof ManagedGroup>, 'can'>

export const ManagedGroupFull = titled('ManagedGroupFull', { ...managed, communes })
export type ManagedGroupFull = Static<typeof ManagedGroupFull>

export const groupFilters = {
  q: Type.Optional(
    text(200, {
      description: 'Beginning of a word of the name, whatever its accents and case, or of the SIREN',
      examples: ['chambery'],
    }),
  ),
  kind: several(kind),
  commune_id: Type.Optional(Id('Groups of which this commune is a member')),
}

export const GroupsAdminQuery = Type.Object({
  ...listQuery,
  sort: sortQuery(['nom', 'created_at'], 'nom_asc'),
  ids: idsQuery,
  ...groupFilters,
})
export type GroupsAdminQuery = Static<typeof GroupsAdminQuery>

const writtenName = filledLine(200, { examples: ['CA du Grand Chambéry'] })
const writtenSlug = Type.String({
  pattern: '^[a-z0-9]+(-[a-z0-9]+)*$',
  maxLength: 200,
  description: 'Address on the public site. Default: from the name',
  examples: ['ca-du-grand-chambery'],
})
const commune_ids = Type.Array(Id(), {
  maxItems: maxMembers,
  description: 'All its members; one that is repeated counts once',
})

export const GroupCreate = strictObject({
  nom: writtenName,
  slug: Type.Optional(writtenSlug),
  kind,
  siren: Type.Optional(siren),
  acteur_id: Type.Optional(acteur_id),
  commune_ids: Type.Optional(commune_ids),
})
export type GroupCreate = Static<typeof GroupCreate>

export const GroupUpdate = strictPartial(
  { nom: writtenName, slug: writtenSlug, kind, siren, acteur_id, commune_ids },
  { minProperties: 1 },
)
export type GroupUpdate = Static<typeof GroupUpdate>
