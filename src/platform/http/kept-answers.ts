import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { FastifyBaseLogger, FastifyReply } from 'fastify'
import type { AppSource, AppSources } from '../access/app-sources.ts'
import type { KeptAnswers } from '../cache/answers.ts'
import type { Changes } from '../cache/changes.ts'
import { uuidv7 } from '../uuid.ts'
import { namesTag } from './conditional.ts'
import type { HttpServer } from './http-server.ts'
import type { Drain } from './operation/drain.ts'
import type { ObserveRequest } from './operation/metrics.ts'
import type { UnreadAnswers } from './overload/unread-answers.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The tables that a public read is made from: its answer is kept until one of these changes. */
    shows?: readonly string[]
  }
  interface FastifyRequest {
    /** Called with the answer as all get it, whether this caller has it already or not. */
    keepAnswer: ((reply: FastifyReply, payload: string, etag: string) => void) | null
  }
}

export type Keeping = { answers: KeptAnswers; changes: Changes; sources: AppSources }
type Watchers = {
  log: FastifyBaseLogger
  drain: Drain
  unread: UnreadAnswers
  observe?: ObserveRequest | undefined
}

/**
 * What is kept is answered before anything else is done: it has passed every check before, and was asked for in the very
 * same words. All other requests go on to the server.
 */
export function answerKept(
  server: HttpServer,
  { answers, sources }: Keeping,
  { log, drain, unread, observe }: Watchers,
): void {
  function answer(request: IncomingMessage, response: ServerResponse): boolean {
    const source = plainSource(request)
    if (source === null || drain.announced) return false
    const appSource = sources.findKept(source)
    if (appSource === null) return false
    const kept = answers.find(keyOf(request.url ?? '', appSource))
    if (kept === null) return false
    const startedAt = performance.now()
    const id = uuidv7()
    const status = namesTag(request.headers['if-none-match'], kept.etag) ? 304 : 200
    const headers = status === 304 ? withoutBody(kept.headers) : kept.headers
    response.once('close', () => {
      const ms = performance.now() - startedAt
      observe?.('GET', kept.route, status, ms / 1_000)
      const { code: app_source } = appSource
      const line = { request_id: id, method: 'GET', route: kept.route, status, ms: Math.round(ms * 10) / 10 }
      log.info({ ...line, app_source, ...(!response.writableFinished && { aborted: true }) })
    })
    response.writeHead(status, ['x-request-id', id, ...headers])
    response.end(status === 304 ? undefined : kept.body)
    if (response.writableLength > 0) unread.watch(response, kept.body.length)
    return true
  }
  const [serve] = server.server.listeners('request') as RequestListener[]
  if (serve === undefined) throw new Error('The server has no listener of its own.')
  server.server.removeListener('request', serve).prependListener('request', (request, response) => {
    if (!answer(request, response)) serve(request, response)
  })
}

/** Keeps what is answered to public reads; what is written is heard of before whoever wrote it is answered. */
export function keepWhatIsAnswered(server: HttpServer, { answers, changes }: Keeping): void {
  server.decorateRequest('keepAnswer', null)
  // After the checks of every audience: the application is known.
  server.addHook('preParsing', async (request) => {
    const { shows } = request.routeOptions.config
    if (shows === undefined || plainSource(request.raw) === null || request.caller.source === null) return
    const { source } = request.caller
    const tables = source.communeIds === null ? shows : [...shows, 'app_sources']
    const keep = answers.begin(keyOf(request.raw.url ?? '', source), tables)
    if (keep === null) return
    const route = request.routeOptions.url ?? ''
    request.keepAnswer = (reply, payload, etag) => {
      const body = Buffer.from(payload)
      void keep({ route, headers: ownHeaders(reply, body), etag, body })
    }
  })
  server.addHook('onSend', async ({ method }) => {
    if (method !== 'GET' && method !== 'HEAD') await changes.heard()
  })
}

const ownHeaders = (reply: FastifyReply, body: Buffer): string[] =>
  Object.entries({ ...reply.getHeaders(), 'content-length': body.length })
    .filter(([name]) => !ofOneAnswer.has(name))
    .flatMap(([name, value]) => [name, `${value}`])

const ofOneAnswer = new Set(['x-request-id', 'connection', 'date', 'keep-alive', 'transfer-encoding'])

/** The application of a request that asks for nothing but a document; null when anything else is to be decided. */
function plainSource({ method, headers, httpVersion }: IncomingMessage): string | null {
  const source = headers['x-app-source']
  const isPlain = method === 'GET' && httpVersion === '1.1' && headers.host !== undefined
  if (!isPlain || headers.origin !== undefined || headers['content-length'] !== undefined) return null
  if (headers['transfer-encoding'] !== undefined || headers.expect !== undefined) return null
  return typeof source === 'string' ? source.trim() || null : null
}

/** What an application shows differs only where it is restricted. */
const keyOf = (url: string, { code, communeIds }: AppSource) => (communeIds === null ? url : `${code} ${url}`)

function withoutBody(headers: readonly string[]): string[] {
  const left: string[] = []
  for (let at = 0; at < headers.length; at += 2) {
    const [name = '', value = ''] = headers.slice(at, at + 2)
    if (name !== 'content-type' && name !== 'content-length') left.push(name, value)
  }
  return left
}
