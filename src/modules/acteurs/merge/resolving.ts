import type { FastifyRequest, RouteOptions } from 'fastify'
import type { Membership, User } from '../../../platform/access/caller.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { ApiError } from '../../../platform/errors.ts'
import { isRead } from '../../../platform/formats/http-methods.ts'
import { isUuid } from '../../../platform/formats/uuid.ts'
import type { HttpServer } from '../../../platform/http/http-server.ts'
import { type FindMerged, findMergedNow, type Targets } from './merged.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Keeps the ids of merged acteurs in the request unchanged. */
    namesMerged?: true
  }
}

type Values = Record<string, unknown>
/** A request, or what would be one to the route. */
type Asked = Partial<Pick<FastifyRequest, 'params' | 'query' | 'body'>> & {
  routeOptions: Pick<RouteOptions, 'config'> & { url?: string | undefined }
}
type Field = { values: Values; name: string }

/**
 * Replaces the ids of merged acteurs in path, query and body with the ids of their targets, so that an old id
 * works on every route. Mairie paths are resolved by the checks of their audience.
 */
export function resolveMergedActeurs(server: HttpServer, findMerged: FindMerged): void {
  server.addHook('preHandler', async (request, reply) => {
    if (request.routeOptions.config.namesMerged) return
    // Changes of the target are not notified under the id of the request.
    if (await replaceIds(request, findMerged)) request.shareResponse?.(reply, null)
  })
}

/** Replaces the ids of merged acteurs in a request, in place. Returns false if there are none. */
export async function replaceIds(request: Asked, findMerged: FindMerged): Promise<boolean> {
  const fields = fieldsOf(request)
  const ids = fields.flatMap(({ values, name }) => values[name]).filter(isId)
  if (ids.length === 0) return false
  const merged = await findMerged(ids)
  if (!ids.some((id) => merged.has(id.toLowerCase()))) return false
  replaceMerged(fields, merged)
  return true
}

function replaceMerged(fields: Field[], merged: Targets): void {
  const targetOf = (id: unknown) => merged.get(String(id).toLowerCase()) ?? id
  for (const { values, name } of fields) {
    const value = values[name]
    values[name] = Array.isArray(value) ? value.map(targetOf) : targetOf(value)
  }
}

/**
 * Handles a write again if it was refused while an acteur was merged that it names, or for which its caller acts:
 * the ids and the memberships were read before the merge, the records after it, or the other way round. Register it
 * before the routes.
 */
export function retryAfterMerge(server: HttpServer, db: Database): void {
  server.addHook('onRoute', (route) => {
    const { handler, method, config } = route
    if (config?.namesMerged || isRead(String(method))) return
    route.handler = async function (request, reply) {
      try {
        return await handler.call(this, request, reply)
      } catch (error) {
        const mayBeStale = error instanceof ApiError && [403, 404, 422].includes(error.kind.status)
        if (!mayBeStale || reply.sent || !(await followMerges(db, request))) throw error
        return handler.call(this, request, reply)
      }
    }
  })
}

/** Applies merges to the ids and the memberships of a request. Returns false if there are none. */
async function followMerges(db: Database, request: FastifyRequest): Promise<boolean> {
  const fields = [...fieldsOf(request), ...namedFields(request.params, ['acteurId'])]
  const named = fields.flatMap(({ values, name }) => values[name]).filter(isId)
  const user = request.caller?.user ?? null
  const memberships = user?.memberships ?? []
  const merged = await findMergedNow(db, [...named, ...memberships.map(({ acteurId }) => acteurId)])
  if (merged.size === 0) return false
  replaceMerged(fields, merged)
  if (user !== null)
    request.caller = {
      ...request.caller,
      user: { ...withMergedKey(user, merged), memberships: withMerged(memberships, merged) },
    }
  return true
}

/** Lets the key of merged acteurs act for their targets. */
function withMergedKey(user: User, merged: Targets): User {
  const { key } = user
  if (key === undefined || key.acteurIds === null) return user
  return { ...user, key: { ...key, acteurIds: key.acteurIds.map((id) => merged.get(id) ?? id) } }
}

/** Adds the memberships of targets, and those of acteurs whose records have not all moved yet. Owners count first. */
function withMerged(memberships: Membership[], merged: Targets): Membership[] {
  const pairs = [...merged].flatMap(([from, into]) => [
    { from, into },
    { from: into, into: from },
  ])
  const added = memberships.flatMap((membership) =>
    pairs.flatMap(({ from, into }) =>
      from === membership.acteurId ? { ...membership, acteurId: into } : [],
    ),
  )
  const rank = ({ role }: Membership) => (role === 'owner' ? 0 : 1)
  return [...memberships, ...added].sort((one, other) => rank(one) - rank(other))
}

/** Returns the fields of the request that hold acteur ids. */
function fieldsOf({ params, query, body, routeOptions }: Asked): Field[] {
  const { url = '', config } = routeOptions
  const isAboutActeurs = /\/admin\/acteurs(\/|$)/.test(url)
  const ofPath =
    config?.scope?.audience === 'mairie'
      ? []
      : namedFields(params, isAboutActeurs ? ['acteurId', 'id'] : ['acteurId'])
  const names = isAboutActeurs ? [...referring, 'ids'] : referring
  const members = isValues(body) && Array.isArray(body.acteurs) ? body.acteurs : []
  return [
    ...ofPath,
    ...[query, body].flatMap((values) => [
      ...namedFields(values, names),
      ...namedFields(values, ofRecord(values)),
    ]),
    ...members.flatMap((member) => namedFields(member, referring)),
  ]
}

const referring = ['acteur_id', 'mairie_actor_id']

/** Notes and presence identify a record by its kind and id. */
const ofRecord = (values: unknown) => (isValues(values) && values.kind === 'acteur' ? ['id'] : [])

const namedFields = (values: unknown, names: readonly string[]): Field[] =>
  isValues(values) ? names.flatMap((name) => (values[name] == null ? [] : [{ values, name }])) : []

const isId = (value: unknown): value is string => typeof value === 'string' && isUuid(value)

const isValues = (values: unknown): values is Values => typeof values === 'object' && values !== null
