import Type, { type Static } from 'typebox'
import { roles } from '../../platform/access/areas.ts'
import { memberRoles, permissions } from '../../platform/access/caller.ts'
import { idsQuery, listQuery, several, sortQuery } from '../../platform/http/listing/paging.ts'
import {
  Can,
  EmailVerified,
  filledLine,
  Id,
  named,
  nullable,
  oneOf,
  ResponseTimestamp,
  strictObject,
  strictPartial,
  text,
  textOrNull,
  titled,
} from '../../platform/http/validation/schemas.ts'
import { withPresence } from '../presence/schema.ts'

const Roles = Type.Array(oneOf(roles), { examples: [['moderator']] })
const Permissions = Type.Array(oneOf(permissions), {
  uniqueItems: true,
  maxItems: permissions.length,
  examples: [['manage_publications']],
})
const memberRole = oneOf(memberRoles, 'An owner may do all; an editor what its permissions say')

export const ByUserId = Type.Object({ userId: Id('Identifier of the user') })
export const ByUserIdAndRole = Type.Object({ ...ByUserId.properties, role: oneOf(roles, 'Role to remove') })

export const UsersQuery = Type.Object({
  ...listQuery,
  sort: sortQuery(['created_at', 'email', 'nom', 'last_seen_at'], 'created_at_desc'),
  ids: idsQuery,
  q: Type.Optional(
    text(200, {
      description: 'Beginning of a word of the name or of the e-mail address, whatever its accents and case',
      examples: ['zoe'],
    }),
  ),
  role: several(oneOf(roles), 'Who holds one of these roles, separated by commas'),
  actif: several(Type.Boolean(), 'Enabled or disabled'),
  acteur_id: Type.Optional(Id('Members of this acteur')),
})
export type UsersQuery = Static<typeof UsersQuery>

const MembershipBody = strictObject({
  acteur_id: Id('Acteur the user may act for'),
  role: memberRole,
  permissions: Type.Optional(Permissions),
})

export const UserUpdate = strictPartial({
  nom: nullable(filledLine(200, { description: 'Name', examples: ['Zoé Lambert'] })),
  actif: Type.Boolean({
    description: "A disabled user's tokens are refused, its sessions ended",
    examples: [true],
  }),
  acteurs: Type.Array(MembershipBody, { maxItems: 500, description: 'Replaced whole when given' }),
  revoke_tokens: Type.Boolean({
    description:
      'Refuse every token issued until now, also one whose date lies a few seconds ahead, and end every session',
    examples: [false],
  }),
})
export type UserUpdate = Static<typeof UserUpdate>

export const RoleBody = strictObject({ role: oneOf(roles, 'Role to give') })

export const UserRoles = titled('UserRoles', { user_id: Id(), roles: Roles })

const Membership = titled('Membership', { acteur_id: Id(), role: memberRole, permissions: Permissions })
export type Membership = Static<typeof Membership>

const ActeurName = named('ActeurName', 'Les Randonneurs')

/** Stored fields of a user that responses show. */
export const stored = {
  id: Id(),
  email: textOrNull('zoe@example.org', 'Information; it proves nothing'),
  email_verified: EmailVerified,
  nom: textOrNull('Zoé Lambert'),
  actif: Type.Boolean({ examples: [true] }),
  created_at: ResponseTimestamp(),
  last_seen_at: nullable(ResponseTimestamp('To within five minutes')),
  version: Type.Integer({ examples: [1] }),
}

type Facts = { actif: boolean; is_erased: boolean; has_sessions: boolean; has_factors: boolean }

const isKept = ({ is_erased }: Facts) => !is_erased

/** Actions that each state allows. An erased account gets nothing again. */
export const userActions = {
  edit: isKept,
  roles: isKept,
  sessions: ({ has_sessions }: Facts) => has_sessions,
  reset: ({ has_sessions, has_factors }: Facts) => has_sessions || has_factors,
}

export const User = titled('User', {
  ...stored,
  roles: Roles,
  acteurs: Type.Array(Membership),
  acteur_names: Type.Array(ActeurName, { description: 'The acteurs of `acteurs`, in the same order' }),
  can: Can(userActions),
})
export type User = Static<typeof User>
/** A user as the query returns it. */
export type SelectedUser = Omit<User, 'can'> & Facts

export const UserRead = withPresence(User.properties, 'UserRead')
