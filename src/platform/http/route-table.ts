import { parse } from 'node:querystring'
import type { FastifyContextConfig, FastifySchema, RouteOptions } from 'fastify'
import type { HttpServer } from './http-server.ts'
import { validatorCompiler } from './validation/validation.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    load?: Load
  }
}

/**
 * What a request takes of the service.
 *
 * - `list`: returns a list or search results, and waits for a slot of lists. Routes with `per_page` do by default.
 * - `file`: sends a file that is kept finished, and built apart. It needs no slot.
 * - `static`: sends a file that is in memory. It needs no slot, and is sent even while the event loop is behind.
 * - `upload`: receives a file of at most so many bytes as `multipart/form-data`. It needs no slot, and its body no
 *   memory: whoever handles it bounds how many are handled at a time.
 */
export type Load = 'list' | 'file' | 'static' | { upload: number }

/** Returns how many bytes of a file a route receives; null if it receives none. */
export const uploadBytes = ({ load }: FastifyContextConfig): number | null =>
  typeof load === 'object' ? load.upload : null

export type TableRoute = {
  /** Path pattern with its parameters, as in the API. */
  readonly url: string
  readonly config: FastifyContextConfig
  /** Returns the parameters that the route knows, with their parsed values; null if they are not valid. */
  readQuery(query: string): object | null
}

export type RouteTable = {
  /** Returns the route of a request target; null if it is unknown or not in plain form. */
  find(method: string, path: string): TableRoute | null
}

/** Parses query strings. Fastify and the route table must use the same parser. */
export const parseQuery = (query: string) => parse(query, '&', '=', { maxKeys: 0 })

type Node = { fixed: Map<string, Node>; parameter: Node | null; routes: Map<string, TableRoute> }

/**
 * Finds the route of a request before Fastify does, so that requests can be answered from the cache, queued
 * or refused without its hooks. Create it before routes are registered. It does not find a target that
 * Fastify would decode first (an absolute URL, percent-encoding): Fastify's hooks handle such a request.
 */
export function routeTable(server: HttpServer): RouteTable {
  const root = newNode()
  server.addHook('onRoute', (route) => {
    const { properties = {} } = (route.schema?.querystring ?? {}) as { properties?: object }
    route.config = { ...('per_page' in properties && { load: 'list' }), ...route.config }
    const node = route.url.split('/').slice(1).reduce(childOf, root)
    for (const method of [route.method].flat()) node.routes.set(method, tableRoute(route))
  })
  return {
    find: (method, path) => findIn(root, path.split('/'), 1, method === 'HEAD' ? 'GET' : method),
  }
}

function tableRoute(route: RouteOptions): TableRoute {
  let read: ((query: string) => object | null) | undefined
  return {
    url: route.url,
    // A getter, because later hooks of the scope replace it.
    get config() {
      return route.config ?? {}
    },
    readQuery(query) {
      read ??= queryReader(route.schema)
      return read(query)
    },
  }
}

function queryReader({ querystring }: FastifySchema = {}): (query: string) => object | null {
  if (querystring === undefined) return () => ({})
  const validate = validatorCompiler({
    schema: querystring as never,
    method: 'GET',
    url: '',
    httpPart: 'querystring',
  })
  return (query) => {
    const { value, error } = validate(parseQuery(query)) as { value?: object; error?: unknown }
    return error === undefined && value !== undefined ? value : null
  }
}

const newNode = (): Node => ({ fixed: new Map(), parameter: null, routes: new Map() })

function childOf(node: Node, segment: string): Node {
  if (segment.startsWith(':')) {
    node.parameter ??= newNode()
    return node.parameter
  }
  const child = node.fixed.get(segment) ?? newNode()
  node.fixed.set(segment, child)
  return child
}

/** Prefers a fixed segment to a parameter, as Fastify does. */
function findIn(node: Node, segments: string[], at: number, method: string): TableRoute | null {
  if (at === segments.length) return node.routes.get(method) ?? null
  const segment = segments[at] as string
  const fixed = node.fixed.get(segment)
  const found = fixed === undefined ? null : findIn(fixed, segments, at + 1, method)
  if (found !== null || node.parameter === null || segment === '') return found
  return findIn(node.parameter, segments, at + 1, method)
}
