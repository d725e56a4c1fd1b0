import type { IncomingMessage, ServerResponse } from 'node:http'
import { unavailable } from '../../errors.ts'
import { uuidv7 } from '../../formats/uuid.ts'
import type { Log } from '../../log/log.ts'
import { type RequestLine, requestLog } from '../../log/request-log.ts'
import { allowedOrigin, corsHeaders } from '../cors.ts'
import { errorBody } from '../error-handler.ts'
import type { ObserveRequest } from '../http-server.ts'
import { languageOf, languages } from '../language.ts'
import { securityHeaders } from '../security-headers.ts'

export type EarlyRefusal = {
  method: string
  route: string
  reason: string
  retryAfterS: number
  /** When the request arrived, by `performance.now()`. */
  since: number
}

type Options = {
  log: Pick<Log, 'info' | 'warn'>
  corsOrigins: string[]
  /** The short form of the client's address, for the log. */
  addressOf(request: IncomingMessage): string | null
  isStopping(): boolean
  observe?: ObserveRequest | undefined
}

/**
 * Delays each refusal, because clients that retry immediately would keep the service busy with refusals. At
 * most `maxDelayed` refusals are delayed; further ones are sent immediately.
 */
const delayMs = 75
const maxDelayed = 2_048

/**
 * Returns 503 without Fastify, which would spend more on a refusal than on a small read: 512 clients that retry at once leave
 * all of the useful work instead of a third, and five times the peak 0.8 of it instead of a half. Headers and body are
 * those of any other 503. Logs at most one line per second, with the count of omitted lines.
 */
export function earlyRefusals({ log, corsOrigins, addressOf, isStopping, observe }: Options) {
  const sendLater = delayed()
  const writeLine = requestLog(log)
  const cors = corsHeaders(corsOrigins)
  let [notLogged, mutedUntil] = [0, 0]

  function logSample(line: RequestLine) {
    const now = performance.now()
    if (now < mutedUntil) {
      notLogged++
      return
    }
    writeLine({ ...line, ...(notLogged > 0 && { not_logged: notLogged }) })
    mutedUntil = now + 1_000
    notLogged = 0
  }

  function send(request: IncomingMessage, response: ServerResponse, refusal: EarlyRefusal) {
    if (response.destroyed) return
    const { method, route, reason, retryAfterS, since } = refusal
    const request_id = uuidv7()
    const body = bodies[languageOf(request.headers['accept-language'])]
    response.writeHead(503, [
      ...['x-request-id', request_id, ...fixedHeaders],
      ...cors,
      ...allowedOrigin(corsOrigins, request),
      ...['retry-after', `${retryAfterS}`, 'content-length', body.length],
      ...(isStopping() ? ['connection', 'close'] : []),
    ])
    response.end(body.text)
    const ms = performance.now() - since
    observe?.(method, route, 503, ms / 1_000)
    const from = addressOf(request)
    logSample({ request_id, method, route, status: 503, ms, from, error: 'unavailable', reason })
  }

  return (request: IncomingMessage, response: ServerResponse, refusal: EarlyRefusal) =>
    sendLater(() => send(request, response, refusal))
}

/** As text, which Node sends in one write with the headers. */
const bodies = Object.fromEntries(
  languages.map((language) => {
    const text = JSON.stringify(errorBody(unavailable(''), language))
    return [language, { text, length: `${Buffer.byteLength(text)}` }]
  }),
) as Record<(typeof languages)[number], { text: string; length: string }>

const fixedHeaders = [
  ...Object.entries(securityHeaders).flat(),
  ...['cache-control', 'no-store', 'content-type', 'application/json; charset=utf-8'],
]

/** Runs each function `delayMs` later, with one timer for all of them. */
function delayed(): (run: () => void) => void {
  const waiting: { at: number; run: () => void }[] = []
  let isRunning = false
  function runDue() {
    const now = performance.now()
    const end = waiting.findIndex(({ at }) => at > now)
    for (const { run } of waiting.splice(0, end === -1 ? waiting.length : end)) run()
    const [next] = waiting
    isRunning = next !== undefined
    if (next !== undefined) setTimeout(runDue, next.at - now)
  }
  return (run) => {
    if (waiting.length >= maxDelayed) return run()
    waiting.push({ at: performance.now() + delayMs, run })
    if (!isRunning) setTimeout(runDue, delayMs)
    isRunning = true
  }
}
