import { opens, roles } from '../../access/areas.ts'
import type { Audience } from '../http-server.ts'

type Config = { audience?: Audience; area?: string; needs?: string }

/** Whom a route is for, in words; for each audience where the route itself says nothing closer. */
export function whoMay({ audience, area, needs }: Config): string {
  if (area !== undefined) return `Roles: ${roles.filter((role) => opens([role], area)).join(', ')}`
  return needs ?? usual[audience ?? 'open']
}

const usual: Record<Audience, string> = {
  open: 'Anybody',
  public: 'Anybody',
  bearer: 'Anybody signed in',
  mairie: 'Members of the mairie, and administrators',
  admin: '',
  webhook: 'Whoever signs with the secret',
}
