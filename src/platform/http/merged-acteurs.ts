import type { FastifyRequest } from 'fastify'
import type { FindMerged } from '../access/merged-acteurs.ts'
import { isUuid } from '../formats/uuid.ts'
import type { HttpServer } from './http-server.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Keeps the ids of merged acteurs in the request unchanged. */
    namesMerged?: true
  }
}

type Values = Record<string, unknown>
type Field = { values: Values; name: string }

/**
 * Replaces the ids of merged acteurs in path, query and body with the ids of their targets, so that an old id
 * works on every route. Mairie paths are resolved by the checks of their audience.
 */
export function resolveMergedActeurs(server: HttpServer, findMerged: FindMerged): void {
  server.addHook('preHandler', async (request, reply) => {
    if (request.routeOptions.config.namesMerged) return
    const fields = fieldsOf(request)
    const ids = fields.flatMap(({ values, name }) => values[name]).filter(isId)
    if (ids.length === 0) return
    const merged = await findMerged(ids)
    if (!ids.some((id) => merged.has(id.toLowerCase()))) return
    // Changes of the target are not notified under the id of the request.
    request.shareResponse?.(reply, null)
    const targetOf = (id: unknown) => merged.get(String(id).toLowerCase()) ?? id
    for (const { values, name } of fields) {
      const value = values[name]
      values[name] = Array.isArray(value) ? value.map(targetOf) : targetOf(value)
    }
  })
}

/** Returns the fields of the request that hold acteur ids. */
function fieldsOf({ params, query, body, routeOptions }: FastifyRequest): Field[] {
  const { url = '', config } = routeOptions
  const isAboutActeurs = /\/admin\/acteurs(\/|$)/.test(url)
  const ofPath =
    config.audience === 'mairie'
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
