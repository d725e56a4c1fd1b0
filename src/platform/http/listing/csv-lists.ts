import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import { type AuditedKind, recordAudit } from '../../audit/record.ts'
import type { Database } from '../../database/connect.ts'
import { unavailable } from '../../errors.ts'
import { uuidv7 } from '../../formats/uuid.ts'
import type { Clock } from '../../time/clock.ts'
import { todayInParis } from '../../time/paris-time.ts'
import type { HttpServer } from '../http-server.ts'
import { type Language, languageOf } from '../language.ts'
import { weightsOf } from '../weights.ts'
import { type Column, csvWriter } from './csv.ts'
import { type Answer, belowAdmin, type CsvRoute, csvRouteOf, type Filters, filterNames } from './csv-route.ts'

type Read = (after: string) => Promise<Answer>

const attempts = 3

/** Writes a list as CSV, batch by batch, as fast as the client reads. */
function csvStream(first: Answer, read: Read, columns: Column[], language: Language): Readable {
  return Readable.from(linesOf(first, read, csvWriter(columns, language)), { objectMode: false })
}

/** Reads the next batch while this one is sent: the database and the client work concurrently. */
async function* linesOf(first: Answer, read: Read, writer: ReturnType<typeof csvWriter>) {
  let head = writer.head
  for (let batch: Answer | null = first; batch !== null; ) {
    const { data, meta }: Answer = batch
    const following: Promise<Answer> | null = meta.next === null ? null : readWithRetries(read, meta.next)
    // If the client has left, nobody awaits it.
    following?.catch(() => {})
    const lines: string = head + writer.rows(data)
    if (lines !== '') yield lines
    head = ''
    batch = await following
  }
}

/** Retries a failed read, so that a short database overload does not abort a response in progress. */
async function readWithRetries(read: Read, after: string): Promise<Answer> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await read(after)
    } catch (error) {
      if (attempt === attempts) throw error
      await sleep(1_000)
    }
  }
}

export type CsvLists = {
  /** Adds CSV output to a route that returns a list; leaves other routes unchanged. */
  serve(route: RouteOptions): void
  /** Returns the list at a path below `/admin/`; null if there is none. */
  find(path: string): FoundList | null
}

/** A list by its path, to be exported at another address. */
export type FoundList = Pick<CsvRoute, 'area' | 'readFilters'> & {
  /** Throws the errors of the list for these filters, and 503 if no slot is free. */
  check(request: FastifyRequest, reply: FastifyReply, filters: Filters): Promise<void>
  /**
   * Sends all rows that match. Calls `begin` when the first rows have been read and before the response
   * begins: it may still refuse.
   */
  send(request: FastifyRequest, reply: FastifyReply, wanted: Wanted): Promise<FastifyReply>
}
type Wanted = { filters: Filters; language: Language; begin: () => Promise<unknown> }

type Options = {
  db: Database
  clock: Clock
  csvLimit?: number
  /** Replaces the ids of records that answer under another one. */
  replaceIds: (request: { params: object; query: Filters; routeOptions: CsvRoute }) => Promise<unknown>
}

/** Usual maximum number of concurrent exports; further ones are refused. */
const defaultMaxConcurrent = 2
const batchRows = 1_000
/** Exports that take longer are aborted, to free their slot for others. */
const longestMs = 15 * 60_000

export const exported: AuditedKind = { entity: 'export', personal: [] }

/**
 * Serves back-office lists as CSV: all rows that match the filters. Reads by cursor, the next batch while the
 * client reads the previous one: no snapshot is held, no connection while the client does not read, and memory
 * holds two batches.
 */
export function csvLists(
  server: HttpServer,
  { db, clock, csvLimit = defaultMaxConcurrent, replaceIds }: Options,
): CsvLists {
  const routes: CsvRoute[] = []
  const open = new Set<Readable>()
  let freeSlots = csvLimit
  server.addHook('preClose', async () => {
    for (const lines of open) lines.destroy()
  })
  const requirePlace = () => {
    if (freeSlots === 0) throw unavailable('too many lists are being written as CSV', 30)
  }

  async function send(
    request: FastifyRequest,
    reply: FastifyReply,
    { route, params, filters, language, begin }: Wanted & { route: CsvRoute; params: object },
  ): Promise<FastifyReply> {
    const part = { rows: batchRows, memo: new Map() }
    const read = (after?: string) => route.read(request, reply, { params, filters, language, part, after })
    requirePlace()
    freeSlots--
    let lines: Readable
    try {
      // Errors of the first batch are returned before the response begins.
      const first = await read()
      await begin()
      lines = csvStream(first, read, route.columns, language)
    } catch (error) {
      freeSlots++
      throw error
    }
    open.add(lines)
    const timer = setTimeout(() => lines.destroy(), longestMs)
    lines.once('close', () => {
      clearTimeout(timer)
      open.delete(lines)
      freeSlots++
    })
    return reply
      .header('content-type', 'text/csv; charset=utf-8')
      .header('content-disposition', `attachment; filename="${route.name}-${todayInParis(clock())}.csv"`)
      .send(lines)
  }

  return {
    serve(options) {
      const route = csvRouteOf(options)
      if (route === null) return
      const answer = options.handler as (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>
      options.handler = (request, reply) => {
        if (!wantsCsv(request)) return answer(request, reply)
        const { params, headers, url } = request
        const filters = request.query as Filters
        const language = languageOf(headers['accept-language'])
        const after = { list: belowAdmin(url), filters: filterNames(filters) }
        const change = { action: 'export.create', kind: exported, entityId: uuidv7(), before: null, after }
        const begin = () => recordAudit(db, request.caller, change)
        return send(request, reply, { route, params: params as object, filters, language, begin })
      }
      routes.push(route)
    },
    find(path) {
      for (const route of routes) {
        const params = route.paramsAt(path)
        if (params === null) continue
        const { area, readFilters } = route
        // The server resolves the ids of its own requests only, and these are parts of a body or of a stored text.
        const resolve = (filters: Filters) => replaceIds({ params, query: filters, routeOptions: route })
        return {
          area,
          readFilters,
          async check(request, reply, filters) {
            requirePlace()
            await resolve(filters)
            const language = languageOf(request.headers['accept-language'])
            const part = { rows: 1, memo: new Map() }
            await route.read(request, reply, { params, filters, language, part })
          },
          async send(request, reply, wanted) {
            await resolve(wanted.filters)
            return send(request, reply, { ...wanted, route, params })
          },
        }
      }
      return null
    },
  }
}

/** Returns whether the client prefers CSV; with equal weights it gets JSON. */
function wantsCsv({ method, headers: { accept = '' } }: FastifyRequest): boolean {
  if (method !== 'GET') return false
  const weights = weightsOf(accept)
  const weightOf = (type: string) => weights.find(([value]) => value === type)?.[1] ?? 0
  return weightOf('text/csv') > weightOf('application/json')
}
