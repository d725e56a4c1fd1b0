import type { components } from '../../api/api.generated.ts'

export type Role = components['schemas']['User']['roles'][number]

/** In the order in which screens show them. */
export const roles = ['moderator', 'support', 'admin', 'platform_admin'] as const satisfies readonly Role[]
