export const roles = ['admin', 'platform_admin', 'moderator', 'support'] as const
export type Role = (typeof roles)[number]

/** The one table of who may enter which parts of the back-office. A part is named by the module whose routes it has. */
export const areasOf: Record<Role, readonly string[] | 'all'> = {
  admin: 'all',
  platform_admin: 'all',
  moderator: ['publications', 'claims', 'dashboard'],
  support: ['messages', 'dashboard'],
}

export const opens = (granted: readonly Role[], area: string): boolean =>
  granted.some((role) => areasOf[role] === 'all' || areasOf[role].includes(area))
