import Type, { type Static } from 'typebox'
import { memberRoles, permissions } from '../../platform/access/caller.ts'
import {
  Can,
  EmailVerified,
  Id,
  line,
  nullable,
  oneOf,
  ResponseTimestamp,
  strictObject,
  strictPartial,
  textOrNull,
  titled,
} from '../../platform/http/validation/schemas.ts'
import {
  Acteur,
  communeOfActeur,
  communesOfMairie,
  groupsOfActeur,
  Logo,
  shownFields,
} from '../acteurs/schema.ts'
import { type ActeurDeed, acteurDeeds } from './can.ts'

export const ByActeur = Type.Object({ acteurId: Id('Identifier of the acteur') })
export const ByMember = Type.Object({
  ...ByActeur.properties,
  userId: Id('Identifier of the member, or of an invitation'),
})

/** The actions that the caller may take for an acteur. */
export const CanForActeur = Type.Array(oneOf(Object.keys(acteurDeeds) as ActeurDeed[]), {
  description:
    'What the caller may do for it: `edit` its page, manage its `members`, create `publications`, `pin` them; for a mairie `moderate` what it supervises, edit the `commune`; for a mairie or a group write `alertes`',
  examples: [['edit', 'publications']],
})

const role = oneOf(memberRoles, 'An owner may do all; an editor what its permissions say')
const Permissions = Type.Array(oneOf(permissions), {
  uniqueItems: true,
  maxItems: permissions.length,
  description: 'Of an editor; `manage_commune` and `publish_acts` concern mairies and intercommunalités only',
  examples: [['manage_page', 'manage_publications']],
})

export const memberStates = ['member', 'invited'] as const

export const TeamMember = titled('TeamMember', {
  user_id: Id('Identifier of the member, or of the invitation'),
  nom: nullable(Type.String({ description: 'Null until they accept', examples: ['Zoé Lambert'] })),
  email: textOrNull('zoe@example.org'),
  email_verified: EmailVerified,
  role,
  permissions: Permissions,
  status: oneOf(
    memberStates,
    '`invited`: the reader of the address has not accepted yet, with an account or without',
  ),
  invited_until: nullable(ResponseTimestamp('When the invitation expires; null for a member')),
  since: ResponseTimestamp('When they joined or were invited'),
  is_self: Type.Boolean({ description: 'Whether it is the caller', examples: [false] }),
  version: Type.Integer({ examples: [1] }),
  can: Can({ edit: true, delete: true }),
})
export type TeamMember = Static<typeof TeamMember>

export const MemberCreate = strictObject({
  email: line(254, {
    minLength: 3,
    description: 'Is invited by mail, with an account or without',
    examples: ['zoe@example.org'],
  }),
  role,
  permissions: Type.Optional(Permissions),
})
export type MemberCreate = Static<typeof MemberCreate>

export const MemberUpdate = strictPartial({ role, permissions: Permissions })
export type MemberUpdate = Static<typeof MemberUpdate>

export const Invitation = titled(
  'Invitation',
  {
    id: Id(),
    acteur: Type.Object({
      id: Id(),
      nom: Type.String({ examples: ['Mairie de Chambéry'] }),
      slug: Type.String({ examples: ['mairie-de-chambery'] }),
    }),
    role,
    permissions: Permissions,
    since: ResponseTimestamp('When they were invited'),
    invited_until: ResponseTimestamp('When the invitation expires'),
    version: Type.Integer({ examples: [1] }),
    can: Can({ accept: true, delete: true }),
  },
  'To the team of an acteur',
)
export type Invitation = Static<typeof Invitation>

const count = (description: string, example: number) => Type.Integer({ description, examples: [example] })

export const ActeurCounts = titled(
  'ActeurCounts',
  {
    published: count('Visible to the public, as far as its publication decides', 12),
    pending: count('Waiting for a decision', 1),
    rejected: count('Rejected', 1),
    scheduled: count('Accepted, with a time that is still to come or not set', 2),
    reported: count('With a report that nobody has answered', 0),
  },
  'Publications that are not deleted, of its newest ten thousand',
)

const { id, slug, nom, type, badge } = Acteur.properties
const { valide, active, can_publish, created_at, updated_at, version } = Acteur.properties

/** Fields stored in the acteur's own row. */
export const pageColumns = {
  id,
  slug,
  nom,
  type,
  badge,
  ...shownFields,
  valide,
  active,
  can_publish,
  created_at,
  updated_at,
  version,
}

export const ActeurPage = titled('ActeurPage', {
  ...pageColumns,
  logo: Logo,
  commune: communeOfActeur,
  mairie_of: communesOfMairie,
  groups: groupsOfActeur,
  role: nullable(oneOf(memberRoles, 'Role of the caller; null for an administrator who is no member')),
  permissions: Permissions,
  can: CanForActeur,
  counts: ActeurCounts,
  members: nullable(Type.Array(TeamMember, { description: 'For those who manage the team, else null' })),
})
export type ActeurPage = Static<typeof ActeurPage>
