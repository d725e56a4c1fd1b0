import type { AppSource } from './app-sources.ts'
import type { Role } from './areas.ts'

export const permissions = ['manage_publications', 'publish_publications'] as const
export type Permission = (typeof permissions)[number]

/** What a user is to an acteur. */
export type Membership = { acteurId: string; role: 'owner' | 'editor'; permissions: Permission[] }

/** A signed-in user, with rights as the database has them at this request. */
export type User = { id: string; roles: Role[]; memberships: Membership[] }

/** Who asks, from where: what a rule needs to decide and to record. */
export type Caller = {
  /** Null: nobody signed in, a command, or a job. */
  user: User | null
  source: AppSource | null
  requestId: string | null
  /** The `If-Match` header: the version that the caller believes it changes. */
  ifMatch: string | null
}

export type SignedIn = Caller & { user: User }

/** Commands and jobs act in the operator's name. */
export const operator: Caller = { user: null, source: null, requestId: null, ifMatch: null }

/** The global administrator, under either name. */
export const isAdmin = (user: User | null): boolean =>
  user !== null && (user.roles.includes('admin') || user.roles.includes('platform_admin'))
