import { hash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { FastifyContextConfig, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import type { Changes } from '../database/changes.ts'
import type { Databases } from '../database/connect.ts'
import { ApiError, keyRefused, raise, unauthenticated } from '../errors.ts'
import { isRead } from '../formats/http-methods.ts'
import { closedToKeys, type Role } from './areas.ts'
import type { Membership, Scope, User } from './caller.ts'
import { platformRules, type Rule } from './rules.ts'
import { sharedLookups } from './shared-lookups.ts'
import { leaveToNextRequest, membershipsOf, rolesOf } from './users.ts'

const prefix = 'pvs_'
const checksumOf = (text: string) => crc32(text).toString(16).padStart(8, '0')

/** Returns a new key: 192 random bits, and a checksum by which scanners of secrets recognise it. */
export function newKey(): string {
  const text = prefix + randomBytes(24).toString('hex')
  return text + checksumOf(text)
}

export const digestOfKey = (key: string): Buffer => hash('sha256', key, 'buffer')

export const isKey = (token: string): boolean => token.startsWith(prefix)

const isWellFormed = (key: string) =>
  /^pvs_[0-9a-f]{56}$/.test(key) && checksumOf(key.slice(0, -8)) === key.slice(-8)

type Row = {
  id: string
  user_id: string
  acteur_ids: string[] | null
  scopes: Scope[]
  app_source: string | null
  roles: Role[]
  memberships: Membership[]
  used_long_ago: boolean
  same_for_ms: number
}

/** Returns the owner of the key of a request, narrowed to what the key opens; refuses what it does not open. */
export type AuthenticateKey = (key: string, request: FastifyRequest, network: string | null) => Promise<User>

/** Tables whose changes can end a key or change what it opens. */
const readTables = ['access_keys', 'users', 'user_roles', 'actor_users', 'acteurs']

/** Authenticates by access keys, looked up as `sharedLookups` allows. */
export function keyAuthenticator(
  { db, reads }: Pick<Databases, 'db' | 'reads'>,
  changes: Changes | null,
): AuthenticateKey {
  const share = sharedLookups<Row | null>(changes, readTables)
  return async (key, request, network) => {
    if (!isWellFormed(key)) throw unauthenticated()
    const digest = digestOfKey(key)
    const find = () => findKey(reads, digest)
    const row =
      (await share(digest.toString('latin1'), find, (found) => found?.same_for_ms ?? 0)) ??
      raise(unauthenticated())
    if (row.used_long_ago) {
      row.used_long_ago = false
      await updateLastUsed(db, row.id, network).catch(leaveToNextRequest)
    }
    requireScopes(row, request)
    return narrowed(row, request.method)
  }
}

async function findKey(reads: Databases['reads'], digest: Buffer): Promise<Row | null> {
  const { rows } = await sql<Row>`
    select k.id, k.user_id, k.scopes, k.app_source,
      case
        when k.acteur_id is not null then array(select coalesce(merged_into, id) from acteurs where id = k.acteur_id)
        when k.commune_id is not null then array(
          select a.id from actor_users m join acteurs a on a.id = m.acteur_id
          where m.user_id = k.user_id and a.commune_id = k.commune_id)
      end as acteur_ids,
      coalesce(k.last_used_at < now() - interval '5 minutes', true) as used_long_ago,
      1000 * extract(epoch from least(k.expires_at,
        case when k.digest <> ${digest} then k.former_until end) - now())::float8 as same_for_ms,
      ${rolesOf(sql`k.user_id`)} as roles, ${membershipsOf(sql`k.user_id`)} as memberships
    from access_keys k join users u on u.id = k.user_id
    where (k.digest = ${digest} or (k.former_digest = ${digest} and k.former_until > now()))
      and k.ended_at is null and k.expires_at > now() and u.actif`.execute(reads)
  return rows[0] ?? null
}

async function updateLastUsed(db: Databases['db'], id: string, network: string | null): Promise<void> {
  await sql`
    update access_keys set last_used_at = now(), network = ${network}
    where id = ${id} and coalesce(last_used_at < now() - interval '5 minutes', true)`.execute(db)
}

/** Narrows the owner: to the acteurs of the key if it is of some, and to no role unless the key reads or writes for the back-office. */
function narrowed(
  { id, user_id, acteur_ids, scopes, app_source, roles, memberships }: Row,
  method: string,
): User {
  return {
    id: user_id,
    roles: acteur_ids === null && scopes.includes(officeScope(method)) ? roles : [],
    memberships: memberships.filter(({ acteurId }) => acteur_ids?.includes(acteurId) ?? true),
    key: { id, scopes, acteurIds: acteur_ids, appSource: app_source },
  }
}

const officeScope = (method: string): Scope => (isRead(method) ? 'office.read' : 'office.write')

/** Refuses a route that keys do not open, or that needs a scope which this key lacks. */
function requireScopes({ scopes }: Row, { method, routeOptions }: FastifyRequest): void {
  const needed = scopesOf(method, routeOptions.config)
  if (needed === null) throw keyRefused()
  const missing = needed.filter((scope) => !scopes.includes(scope))
  if (missing.length > 0) throw lacking(missing)
}

/**
 * Returns the scopes that a key needs for a route, by the rules that guard it; null if no key opens the route. What hands
 * out rights, changes an account or needs a confirmation stays closed: a rule without a scope is closed to keys.
 */
export function scopesOf(
  method: string,
  { scope, confirms }: Pick<FastifyContextConfig, 'scope' | 'confirms'>,
): Scope[] | null {
  const { audience, rules = [], area } = scope ?? {}
  if (confirms === true) return null
  const named = scopesOfRules(rules)
  if (named === null) return null
  switch (audience) {
    case 'bearer':
      return rules.length > 0 ? named : ['own.read']
    case 'mairie':
      return rules.some(({ over }) => over === 'mairie') ? named : [platformRules.enterMairie.scope, ...named]
    case 'admin':
      if (area === undefined || closedToKeys.includes(area)) return null
      return [officeScope(method), ...named]
    default:
      return null
  }
}

function scopesOfRules(rules: readonly Rule[]): Scope[] | null {
  const scopes = rules.map(({ scope }) => scope)
  return scopes.every((scope) => scope !== undefined) ? [...new Set(scopes)] : null
}

const lacking = (scopes: Scope[]) =>
  new ApiError(keyRefused().code, {
    status: 403,
    en: `This access key lacks the scope ${scopes.join(', ')}.`,
    fr: `Il manque à cette clé d’API la portée ${scopes.join(', ')}.`,
  })
