export const roles = ['admin', 'platform_admin', 'moderator', 'support'] as const
export type Role = (typeof roles)[number]

/**
 * Maps each role to the back-office areas it opens. An area is named after the module that defines its
 * routes.
 */
export const areasOf: Record<Role, readonly string[] | 'all'> = {
  admin: 'all',
  platform_admin: 'all',
  moderator: ['publications', 'claims', 'dashboard'],
  support: ['messages', 'dashboard'],
}

export const opens = (granted: readonly Role[], area: string): boolean =>
  granted.some((role) => areasOf[role] === 'all' || areasOf[role].includes(area))

/** Areas that no access key opens: a leaked key must not make accounts, hand out roles, export people, or name a webhook or a domain. */
export const closedToKeys: readonly string[] = ['users', 'privacy', 'audit', 'system', 'webhooks', 'domains']
