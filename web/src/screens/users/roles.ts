import type { components } from '../../api/api.generated.ts'

export type Role = components['schemas']['User']['roles'][number]

/** Roles in display order. */
export const roles = ['moderator', 'support', 'admin', 'platform_admin'] as const satisfies readonly Role[]
