import { isAdmin, type Permission, type User } from './caller.ts'

/** `foreign`: the acteur is none of theirs. `lacking`: it is, without the permission. */
export type Right = 'allowed' | 'lacking' | 'foreign'

/**
 * The central resolver: may this user do what needs these permissions, in the name of this acteur? An owner and the
 * administrators may do all.
 */
export function rightOver(user: User, acteurId: string | null, needs: readonly Permission[]): Right {
  if (isAdmin(user)) return 'allowed'
  const membership = user.memberships.find((membership) => membership.acteurId === acteurId)
  if (membership === undefined) return 'foreign'
  if (membership.role === 'owner') return 'allowed'
  return needs.every((permission) => membership.permissions.includes(permission)) ? 'allowed' : 'lacking'
}

export const isMember = (user: User, acteurId: string): boolean =>
  user.memberships.some((membership) => membership.acteurId === acteurId)
