import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import proxyAddr from '@fastify/proxy-addr'
import type { FastifyBaseLogger, FastifyReply } from 'fastify'
import type { AppSource, AppSources } from '../access/app-sources.ts'
import type { KeptAnswers } from '../cache/answers.ts'
import type { Changes } from '../cache/changes.ts'
import { infoLines } from '../log/log.ts'
import { uuidv7 } from '../uuid.ts'
import { namesTag } from './conditional.ts'
import type { HttpServer } from './http-server.ts'
import type { Drain } from './operation/drain.ts'
import type { ObserveRequest } from './operation/metrics.ts'
import type { UnreadAnswers } from './overload/unread-answers.ts'
import { shortAddress } from './rate-limits/addresses.ts'

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
  /** Proxies that are believed about whom they speak for. */
  trustProxy: string[]
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
  { log, trustProxy, drain, unread, observe }: Watchers,
): void {
  const addressOf = shortAddresses(trustProxy)
  // All that it says is ours, and needs no quotes taken out: routes, numbers, and codes that a constraint forms.
  const writeLine = infoLines(log)
  function answer(request: IncomingMessage, response: ServerResponse): boolean {
    const source = plainSource(request)
    if (source === null || drain.announced) return false
    const appSource = sources.findKept(source)
    if (appSource === null) return false
    const kept = answers.find(keyOf(request.url ?? '', appSource))
    if (kept === null) return false
    const startedAt = performance.now()
    const request_id = uuidv7()
    const from = addressOf(request)
    const status = namesTag(fieldOf(request, 'if-none-match'), kept.etag) ? 304 : 200
    const headers = status === 304 ? kept.headersOf304 : kept.headers
    // It comes once; to say so would cost more than the listener does.
    response.on('close', () => {
      const spentMs = performance.now() - startedAt
      const { route } = kept
      observe?.('GET', route, status, spentMs / 1_000)
      const ms = Math.round(spentMs * 10) / 10
      writeLine(
        `"request_id":"${request_id}","method":"GET","route":"${route}","status":${status},"ms":${ms},"from":${from},` +
          `"app_source":"${appSource.code}"${response.writableFinished ? '' : ',"aborted":true'}`,
      )
    })
    response.writeHead(status, ['x-request-id', request_id, ...headers])
    if (status === 304) response.end()
    else response.end(kept.body, 'latin1')
    if (response.writableLength > 0) unread.watch(response, kept.body.length)
    return true
  }
  const [serve] = server.server.listeners('request') as RequestListener[]
  if (serve === undefined) throw new Error('The server has no listener of its own.')
  server.server.removeListener('request', serve).prependListener('request', (request, response) => {
    if (!answer(request, response)) serve(request, response)
  })
}

/** As JSON. As the server does, by the same library; where no proxy is believed, once for each connection. */
function shortAddresses(trustProxy: string[]): (request: IncomingMessage) => string {
  const trusts = proxyAddr.compile(trustProxy)
  const known = new WeakMap<Socket, string>()
  return (request) => {
    if (trustProxy.length > 0) return JSON.stringify(shortAddress(proxyAddr(request, trusts)))
    const { socket } = request
    let address = known.get(socket)
    if (address === undefined) {
      address = JSON.stringify(shortAddress(socket.remoteAddress))
      known.set(socket, address)
    }
    return address
  }
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
      const body = Buffer.from(payload).toString('latin1')
      const headers = ownHeaders(reply, body)
      void keep({ route, headers, headersOf304: withoutBody(headers), etag, body })
    }
  })
  server.addHook('onSend', async ({ method }) => {
    if (method !== 'GET' && method !== 'HEAD') await changes.heard()
  })
}

const ownHeaders = (reply: FastifyReply, body: string): string[] =>
  Object.entries({ ...reply.getHeaders(), 'content-length': body.length })
    .filter(([name]) => !ofOneAnswer.has(name))
    .flatMap(([name, value]) => [name, `${value}`])

const ofOneAnswer = new Set(['x-request-id', 'connection', 'date', 'keep-alive', 'transfer-encoding'])

/** The application of a request that asks for nothing but a document; null when anything else is to be decided. */
function plainSource(request: IncomingMessage): string | null {
  const isPlain =
    request.method === 'GET' && request.httpVersion === '1.1' && fieldOf(request, 'host') !== undefined
  if (!isPlain || decidedElsewhere.some((name) => fieldOf(request, name) !== undefined)) return null
  return fieldOf(request, 'x-app-source')?.trim() || null
}

const decidedElsewhere = ['origin', 'content-length', 'transfer-encoding', 'expect']

/** Of those that come once. By a name that varies: V8 has no quick way to a field that is absent, if it is always the same. */
const fieldOf = ({ headers }: IncomingMessage, name: string) => headers[name] as string | undefined

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
