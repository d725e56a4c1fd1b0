import { sql } from 'kysely'
import type { Changes } from '../database/changes.ts'
import type { Database, Databases } from '../database/connect.ts'
import type { Role } from './areas.ts'
import { isAdmin, type Membership, type User } from './caller.ts'
import { digestOfValue } from './cookies.ts'
import { sharedLookups } from './shared-lookups.ts'
import { leaveToNextRequest, membershipsOf, rolesOf } from './users.ts'

/**
 * Status of a session.
 * - `second_factor`: the user has a second factor, and this session has not shown it. It authenticates
 *   nothing.
 * - `enrolment`: the user must have a second factor and has none. It only opens the routes that set one up.
 * - `signed_in`: it authenticates like a bearer token.
 *
 * The status is derived at each lookup from the user's factors and roles. A new role or a reset factor
 * therefore takes effect immediately, and no stored status can contradict them.
 */
export type SessionStatus = 'second_factor' | 'enrolment' | 'signed_in'
export type SessionMethod = 'email' | 'operator' | 'passkey' | 'oidc'
export type SecondFactorPolicy = 'admin' | 'all' | 'none'

export type Session = {
  id: string
  user: User
  status: SessionStatus
  method: SessionMethod
  hasFactor: boolean
  /** Whether this cookie value has a fresh confirmation: the value from before it never has. */
  isConfirmed: boolean
  /** Whether the cookie has the value from before the last confirmation. */
  isFormer: boolean
  /** Digest of the cookie value. */
  hash: Buffer
  /** How long the session stays as it is unless a table changes. */
  sameForMs: number
}

export type Sessions = {
  /** Returns the session of a cookie value; null if there is none or it has ended. */
  find(value: string): Promise<Session | null>
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The session that authenticates this request; null for a bearer token or an anonymous request. */
    session: Session | null
  }
}

export const sessionTimes = {
  idle: '8 hours',
  absolute: '7 days',
  former: '30 seconds',
  confirmed: '10 minutes',
}

/** Tables whose changes can end a session or change its permissions. */
const readTables = ['sessions', 'users', 'user_roles', 'actor_users', 'totp_factors', 'passkeys']

/** Looks up sessions, shared as `sharedLookups` allows. */
export function sessionFinder(
  databases: Pick<Databases, 'db' | 'reads'>,
  changes: Changes | null,
  policy: SecondFactorPolicy,
): Sessions {
  const share = sharedLookups<Session | null>(changes, readTables)
  return {
    find(value) {
      const digest = digestOfValue(value)
      // Values without a session are not cached.
      const sameForMs = (session: Session | null) => session?.sameForMs ?? 0
      return share(digest.toString('latin1'), () => findSession(databases, digest, policy), sameForMs)
    },
  }
}

type Row = {
  id: string
  user_id: string
  method: SessionMethod
  is_former: boolean
  is_confirmed: boolean
  has_shown_factor: boolean
  has_factor: boolean
  seen_long_ago: boolean
  same_for_ms: number
  roles: Role[]
  memberships: Membership[]
}

async function findSession(
  { db, reads }: Pick<Databases, 'db' | 'reads'>,
  digest: Buffer,
  policy: SecondFactorPolicy,
): Promise<Session | null> {
  const { rows } = await sql<Row>`
    select s.id, s.user_id, s.method, s.token_hash <> ${digest} as is_former,
      coalesce(s.confirmed_until > now(), false) as is_confirmed, s.factor_at is not null as has_shown_factor,
      exists (select from totp_factors where user_id = s.user_id and confirmed_at is not null)
        or exists (select from passkeys where user_id = s.user_id) as has_factor,
      s.last_seen_at < now() - interval '5 minutes' as seen_long_ago,
      1000 * extract(epoch from least(s.expires_at, s.last_seen_at + ${sessionTimes.idle}::interval,
        case when s.confirmed_until > now() then s.confirmed_until end,
        case when s.token_hash <> ${digest} then s.former_until end) - now())::float8 as same_for_ms,
      ${rolesOf(sql`s.user_id`)} as roles, ${membershipsOf(sql`s.user_id`)} as memberships
    from sessions s join users u on u.id = s.user_id
    where (s.token_hash = ${digest} or (s.former_hash = ${digest} and s.former_until > now()))
      and s.ended_at is null and s.expires_at > now()
      and s.last_seen_at > now() - ${sessionTimes.idle}::interval and u.actif`.execute(reads)
  const [row] = rows
  if (row === undefined) return null
  if (row.seen_long_ago) await updateLastSeen(db, row.id).catch(leaveToNextRequest)
  const user = { id: row.user_id, roles: row.roles, memberships: row.memberships }
  return {
    id: row.id,
    user,
    status: statusOf(row, user, policy),
    method: row.method,
    hasFactor: row.has_factor,
    isConfirmed: row.is_confirmed && !row.is_former,
    isFormer: row.is_former,
    hash: digest,
    sameForMs: row.same_for_ms,
  }
}

function statusOf(row: Row, user: User, policy: SecondFactorPolicy): SessionStatus {
  if (row.has_factor) return row.has_shown_factor ? 'signed_in' : 'second_factor'
  return mustHaveFactor(user, policy) ? 'enrolment' : 'signed_in'
}

export const mustHaveFactor = (user: User, policy: SecondFactorPolicy): boolean =>
  policy === 'all' || (policy === 'admin' && isAdmin(user))

async function updateLastSeen(db: Database, id: string): Promise<void> {
  await sql`
    with seen as (
      update sessions set last_seen_at = now() where id = ${id} and ended_at is null returning user_id)
    update users set last_seen_at = now() from seen where users.id = seen.user_id and erased_at is null`.execute(
    db,
  )
}
