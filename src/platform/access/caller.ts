import type { AppSource } from './app-sources.ts'
import type { Role } from './areas.ts'

export const permissions = ['manage_publications', 'publish_publications'] as const
export type Permission = (typeof permissions)[number]

export const memberRoles = ['owner', 'editor'] as const

/** What a user is to an acteur. */
export type Membership = {
  acteurId: string
  role: (typeof memberRoles)[number]
  permissions: Permission[]
}

/** A signed-in user, with rights as the database has them at this request. */
export type User = { id: string; roles: Role[]; memberships: Membership[] }

/** What tells a request that is sent again by its `Idempotency-Key`. */
export type RepeatKey = {
  /** A keyed digest of the caller, the path with its query, and the caller's key. */
  key: string
  bodyDigest: string
}

/** Who asks, from where: what a rule needs to decide and to record. */
export type Caller = {
  /** Null: nobody signed in, a command, or a job. */
  user: User | null
  source: AppSource | null
  requestId: string | null
  /** The `If-Match` header: the version that the caller believes it changes. */
  ifMatch: string | null
  /** Tells a creating request that is sent again; null where it is none. */
  repeat: RepeatKey | null
}

export type SignedIn = Caller & { user: User }

/** Commands and jobs act in the operator's name. */
export const operator: Caller = { user: null, source: null, requestId: null, ifMatch: null, repeat: null }

/** The global administrator, under either name. */
export const isAdmin = (user: User | null): boolean =>
  user !== null && (user.roles.includes('admin') || user.roles.includes('platform_admin'))
