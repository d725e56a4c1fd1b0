import type { AppSource } from './app-sources.ts'
import type { Role } from './areas.ts'

/** The permissions of an editor; `manage_commune` concerns mairies only, `publish_acts` these and intercommunalités. */
export const permissions = [
  'manage_commune',
  'manage_page',
  'manage_publications',
  'publish_acts',
  'publish_publications',
] as const
export type Permission = (typeof permissions)[number]

export const memberRoles = ['owner', 'editor'] as const

/** The relation of a user to an acteur. */
export type Membership = {
  acteurId: string
  role: (typeof memberRoles)[number]
  permissions: Permission[]
}

/** What an access key can be made for. */
export const scopes = [
  'own.read',
  'acteur.read',
  'acteur.write',
  'publication.read',
  'publication.write',
  'publication.moderate',
  'media.read',
  'media.write',
  'mairie.read',
  'commune.write',
  'alerte.write',
  'office.read',
  'office.write',
] as const
export type Scope = (typeof scopes)[number]

/** The access key of a request, with the only acteurs that it acts for (null: all) and the only application that it may name. */
type UsedKey = {
  id: string
  scopes: readonly Scope[]
  acteurIds: readonly string[] | null
  appSource: string | null
}

/** A signed-in user with the permissions that the database holds at the time of the request. */
export type User = {
  id: string
  roles: Role[]
  memberships: Membership[]
  /** The access key that signed the user in. Absent for a token or a session. */
  key?: UsedKey
}

/** Identifies a retried request by its `Idempotency-Key`. */
export type IdempotencyKey = {
  /** Keyed digest of the caller, the path with its query, and the key the client sent. */
  key: string
  bodyDigest: string
}

/** The user and the application behind a request: what a rule needs to decide and to write the audit log. */
export type Caller = {
  /** Null for an anonymous request, a command or a job. */
  user: User | null
  source: AppSource | null
  requestId: string | null
  /** Value of `If-Match`: the version the client believes it is changing. */
  ifMatch: string | null
  /** Identifies a retried POST; null when the request carries no `Idempotency-Key`. */
  repeat: IdempotencyKey | null
}

export type SignedIn = Caller & { user: User }

/** The caller for commands and jobs, which act on behalf of the operator. */
export const operator: Caller = { user: null, source: null, requestId: null, ifMatch: null, repeat: null }

/** True for a global administrator, under either role name. */
export const isAdmin = (user: User | null): boolean =>
  user !== null && (user.roles.includes('admin') || user.roles.includes('platform_admin'))
