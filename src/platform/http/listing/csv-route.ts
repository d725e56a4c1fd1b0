import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import type { TSchema } from 'typebox'
import type { Language } from '../language.ts'
import { parseQuery } from '../route-table.ts'
import { validatorCompiler } from '../validation/validation.ts'
import { type Column, columnsOf } from './csv.ts'
import { type Batch, batch } from './list-page.ts'

export type Answer = { data: unknown[]; meta: { next: string | null } }
export type Filters = Readonly<Record<string, unknown>>

/** A back-office list with a cursor, which can be exported. */
export type CsvRoute = {
  /** The path of the route. */
  url: string
  columns: Column[]
  /** The fixed words of its path, for the name of the file. */
  name: string
  /** The area that opens it; null if any role does and the list checks the area of its record. */
  area: string | null
  /** Returns the parameters of a path below `/admin/`; null if it is the path of another route. */
  paramsAt(path: string): object | null
  /** Returns the filters; throws 422. */
  readFilters(query: string): Filters
  /** Returns a batch of rows, from the beginning or after a cursor, with the permissions of the request's caller. */
  read(request: FastifyRequest, reply: FastifyReply, wanted: Wanted): Promise<Answer>
}
type Wanted = {
  params: object
  filters: Filters
  /** Of the texts in the rows. */
  language: Language
  part: Batch
  after?: string | undefined
}
type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<Answer>

/** Describes a route that returns a list with a cursor; null for other routes. */
export function csvRouteOf(route: RouteOptions): CsvRoute | null {
  const record = recordOf(route)
  if (record === null || route.method !== 'GET') return null
  const { schema = {}, url, config } = route
  const segments = belowAdmin(url).split('/')
  const answer = route.handler as Handler
  const readQuery = reader(schema.querystring, 'querystring', url)
  const readParams = reader(schema.params, 'params', url)

  return {
    url,
    columns: columnsOf(record),
    name: segments.filter((segment) => !segment.startsWith(':')).join('-'),
    area: config?.scope?.area ?? null,
    paramsAt(path) {
      const words = path.split('/')
      const isThere =
        words.length === segments.length &&
        segments.every((segment, at) => segment.startsWith(':') || segment === words[at])
      if (!isThere) return null
      const given = segments.flatMap((segment, at) =>
        segment.startsWith(':') ? [[segment.slice(1), words[at]]] : [],
      )
      const { value = null } = readParams(Object.fromEntries(given))
      return value
    },
    readFilters(query) {
      const { value, error } = readQuery(parseQuery(query))
      if (error !== undefined) throw error
      return value as Filters
    },
    read(request, reply, { params, filters, language, part, after }) {
      const { page: _page, per_page: _perPage, after: _after, ...others } = filters
      const query = { ...others, ...(after !== undefined && { after }), [batch]: part }
      const headers = { ...request.headers, 'accept-language': language }
      const asked = { query: { value: query }, params: { value: params }, headers: { value: headers } }
      return answer(Object.create(request, asked), reply)
    },
  }
}

/** The path of a list below `/admin/`. */
export const belowAdmin = (url: string): string => (url.split('?')[0] ?? '').split('/admin/')[1] ?? ''

/** Names of the filters, without their values, which may be names of people. */
export const filterNames = (filters: object): string[] =>
  Object.keys(filters)
    .filter((name) => !placing.has(name))
    .toSorted()

const placing = new Set(['page', 'per_page', 'after', 'sort'])

function recordOf({ schema = {} }: RouteOptions): object | null {
  const { querystring, response } = schema as {
    querystring?: { properties?: object }
    response?: Record<string, { properties?: { data?: { items?: object } } }>
  }
  if (!('after' in (querystring?.properties ?? {}))) return null
  return response?.['200']?.properties?.data?.items ?? null
}

type Read = { value?: object; error?: Error }

/** Compiles the schema when it is first needed: most lists are never asked for by name. */
function reader(schema: unknown, httpPart: string, url: string): (given: object) => Read {
  let read: ((given: object) => Read) | undefined
  return (given) => {
    if (schema === undefined) return { value: {} }
    read ??= validatorCompiler({ schema: schema as TSchema, method: 'GET', url, httpPart }) as (
      given: object,
    ) => Read
    return read(given)
  }
}
