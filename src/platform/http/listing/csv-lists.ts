import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import { type AuditedKind, recordAudit } from '../../audit/record.ts'
import type { Database } from '../../database/connect.ts'
import { unavailable } from '../../errors.ts'
import { uuidv7 } from '../../uuid.ts'
import type { HttpServer } from '../http-server.ts'
import { languageOf } from '../language.ts'
import { type Column, columnsOf, csvWriter } from './csv.ts'
import { batch } from './list-page.ts'

/** Adds CSV output to a route that returns a list; leaves other routes unchanged. */
export type ServeAsCsv = (route: RouteOptions) => void

type Answer = { data: unknown[]; meta: { next: string | null } }
type Read = (more: { after?: string }) => Promise<Answer>

/** Maximum number of concurrent exports; further ones are refused. */
const mostAtOnce = 2
const batchRows = 1_000
/** Exports that take longer are aborted, to free their slot for others. */
const longestMs = 15 * 60_000
const attempts = 3

const exported: AuditedKind = { entity: 'export', personal: [] }

/**
 * Serves back-office lists as CSV to clients that ask for `text/csv`: all rows that match the filters. Reads
 * by cursor, the next batch after the client has read the previous one: no snapshot and no connection is held
 * meanwhile, and memory holds one batch.
 */
export function csvLists(server: HttpServer, db: Database): ServeAsCsv {
  const open = new Set<Readable>()
  let places = mostAtOnce
  server.addHook('preClose', async () => {
    for (const lines of open) lines.destroy()
  })

  async function send(request: FastifyRequest, reply: FastifyReply, read: Read, columns: Column[]) {
    if (places === 0) throw unavailable('too many lists are being written as CSV', 30)
    places--
    let lines: Readable
    try {
      // Errors of the first batch are returned before the response begins.
      const first = await read({})
      await recordExport(db, request)
      const writer = csvWriter(columns, languageOf(request.headers['accept-language']))
      lines = Readable.from(linesOf(first, read, writer), { objectMode: false })
    } catch (error) {
      places++
      throw error
    }
    open.add(lines)
    const timer = setTimeout(() => lines.destroy(), longestMs)
    lines.once('close', () => {
      clearTimeout(timer)
      open.delete(lines)
      places++
    })
    return reply
      .header('content-type', 'text/csv; charset=utf-8')
      .header('content-disposition', `attachment; filename="${fileNameOf(request)}"`)
      .send(lines)
  }

  return (route) => {
    const list = describedList(route)
    if (list === null || route.method !== 'GET') return
    const columns = columnsOf(list)
    const answer = route.handler as (request: FastifyRequest, reply: FastifyReply) => Promise<Answer>
    route.handler = (request, reply) =>
      wantsCsv(request)
        ? send(request, reply, (more) => answer(withQuery(request, more), reply), columns)
        : answer(request, reply)
  }
}

/** Returns the record schema of a list with cursor pagination; null for other routes. */
function describedList({ schema = {} }: RouteOptions): object | null {
  const { querystring, response } = schema as {
    querystring?: { properties?: object }
    response?: Record<string, { properties?: { data?: { items?: object } } }>
  }
  if (!('after' in (querystring?.properties ?? {}))) return null
  return response?.['200']?.properties?.data?.items ?? null
}

/** Returns the request with the query of one batch. Only the first batch counts the total. */
function withQuery(request: FastifyRequest, { after }: { after?: string }): FastifyRequest {
  const {
    page: _page,
    per_page: _perPage,
    after: _after,
    ...filters
  } = request.query as Record<string, unknown>
  const query = { ...filters, ...(after !== undefined && { after }), [batch]: batchRows }
  return Object.create(request, { query: { value: query } })
}

async function* linesOf(first: Answer, read: Read, writer: ReturnType<typeof csvWriter>) {
  yield writer.head + writer.rows(first.data)
  for (let { next } = first.meta; next !== null; ) {
    const { data, meta } = await patiently(() => read({ after: next ?? '' }))
    if (data.length > 0) yield writer.rows(data)
    next = meta.next
  }
}

/** Retries a failed read, so that a short database overload does not abort a response in progress. */
async function patiently<T>(read: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await read()
    } catch (error) {
      if (attempt === attempts) throw error
      await sleep(1_000)
    }
  }
}

/**
 * Writes an audit entry with the list and the filter names, not their values, which may be names of people.
 */
async function recordExport(db: Database, request: FastifyRequest): Promise<void> {
  const filters = Object.keys(request.query as object).filter((name) => !placing.has(name))
  const after = { list: pathOf(request), filters: filters.toSorted() }
  const change = { action: 'export.create', kind: exported, entityId: uuidv7(), before: null, after }
  await recordAudit(db, request.caller, change)
}

const placing = new Set(['page', 'per_page', 'after', 'sort'])

/** The path of the list below `/admin/`. */
const pathOf = ({ url }: FastifyRequest) => (url.split('?')[0] ?? '').split('/admin/')[1] ?? ''

const fileNameOf = ({ routeOptions }: FastifyRequest) => {
  const words = (routeOptions.url ?? '').split('/admin/')[1]?.split('/') ?? []
  const name = words.filter((word) => !word.startsWith(':')).join('-')
  return `${name}-${new Date().toISOString().slice(0, 10)}.csv`
}

/** Returns whether the client prefers CSV; with equal weights it gets JSON. */
const wantsCsv = ({ method, headers: { accept = '' } }: FastifyRequest) =>
  method === 'GET' && weightOf(accept, 'text/csv') > weightOf(accept, 'application/json')

function weightOf(accept: string, type: string): number {
  for (const part of accept.split(',').slice(0, 20)) {
    const [name, ...params] = part.split(';').map((piece) => piece.trim().toLowerCase())
    if (name !== type) continue
    const quality = params.find((param) => param.startsWith('q='))?.slice(2)
    return quality === undefined ? 1 : Number(quality) || 0
  }
  return 0
}
