/** The parts of the back-office. A role opens some of them; a route lies in one. */
export const areas = [
  'acteurs',
  'audit',
  'claims',
  'communes',
  'dashboard',
  'defibrillateurs',
  'imports',
  'messages',
  'publications',
  'subscriptions',
  'users',
] as const
export type Area = (typeof areas)[number]

export const roles = ['admin', 'platform_admin', 'moderator', 'support'] as const
export type Role = (typeof roles)[number]

/** The one table of who may enter where. */
export const areasOf: Record<Role, readonly Area[]> = {
  admin: areas,
  platform_admin: areas,
  moderator: ['publications', 'claims', 'dashboard'],
  support: ['messages', 'dashboard'],
}

export const opens = (held: readonly Role[], area: Area): boolean =>
  held.some((role) => areasOf[role].includes(area))
