import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { unavailable } from '../../errors.ts'
import type { Log } from '../../log/log.ts'
import { beforeFastify } from '../before-fastify.ts'
import type { Audience, HttpServer, ObserveRequest } from '../http-server.ts'
import type { Drain } from '../operation/drain.ts'
import { addressCaller, shortAddress } from '../rate-limits/addresses.ts'
import { perClientAddress } from '../rate-limits/client-address.ts'
import type { RouteTable } from '../route-table.ts'
import {
  type ConcurrencyLimit,
  type Entrant,
  type Lane,
  type LimitSettings,
  limitConcurrency,
  type Refusal,
  type Ticket,
} from './concurrency-limit.ts'
import { earlyRefusals } from './early-refusal.ts'
import { recordQueued } from './queue-times.ts'

/** Reads by key, lists and searches, and writes do not compete for slots: they use different connection pools. */
export type AdmissionLimits = Record<'reads' | 'lists' | 'writes', LimitSettings>
export type Admission = Record<keyof AdmissionLimits, ConcurrencyLimit>

const lanes = { reserved: { signedIn: 2, anonymous: 1 }, aside: 2 }

/** A few more slots than the pools have connections, so that these are never idle while requests wait. */
export const defaultAdmissionLimits: AdmissionLimits = {
  reads: { slots: 8, ...lanes, targetMs: 150, capacity: 1_024 },
  lists: { slots: 7, ...lanes, targetMs: 500, capacity: 1_024 },
  writes: { slots: 8, ...lanes, targetMs: 500, capacity: 1_024 },
}

type Options = {
  limits?: AdmissionLimits | undefined
  routes: RouteTable
  log: Pick<Log, 'warn'>
  trustProxy: string[]
  corsOrigins: string[]
  drain: Drain
  observe?: ObserveRequest | undefined
}

/**
 * Gives each request of the API a slot of a concurrency limit before Fastify sees it, queues it, or refuses it (see
 * `limitConcurrency`). A request holds its slot until its response is made; it holds none while its body arrives, so
 * that a slow client keeps nobody waiting. Health checks and the documentation need no slot, and a webhook delivery
 * only once its signature has been checked.
 */
export function admission(server: HttpServer, options: Options): Admission {
  const { limits = defaultAdmissionLimits, routes, trustProxy, drain } = options
  const activity = { signedIn: 0 }
  const admitted = mapValues(limits, (settings) => limitConcurrency(settings, activity))
  const callerOf = perClientAddress(trustProxy, addressCaller)
  const addressOf = perClientAddress(trustProxy, shortAddress)
  const refuseEarly = earlyRefusals({ ...options, addressOf, isStopping: () => drain.announced })
  const tickets = new WeakMap<IncomingMessage, Ticket>()

  beforeFastify(server, (request, response, next) => {
    const { method = '', url = '' } = request
    const route = routes.find(method, pathOf(url))
    const audience = route?.config.audience
    if (route === null || audience === undefined || waitsForNoSlot(audience)) return next()
    const since = performance.now()
    const ticket = limitOf(admitted, method, route.config.isList).enter({
      lane: laneOf(method, audience, request),
      caller: callerOf(request),
      start(ticket) {
        tickets.set(request, ticket)
        recordQueued(request, performance.now() - since)
        next()
      },
      refuse(refusal) {
        const retryAfterS = retryAfterOf(refusal)
        refuseEarly(request, response, {
          method,
          route: route.url,
          reason: refusal.reason,
          retryAfterS,
          since,
        })
      },
    })
    response.once('close', () => {
      ticket.cancel()
      // A handler whose client has left works on, and keeps its slot: else aborted requests would pile up behind it.
      if (response.writableFinished) ticket.release()
    })
  })

  /** For requests that the route table did not find, and for those that gave their slot back. */
  async function enter(request: FastifyRequest, response: ServerResponse): Promise<void> {
    const { method, raw, routeOptions } = request
    const { audience = 'open', isList } = routeOptions.config
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const entrant: Entrant = {
      lane: laneOf(method, audience, raw),
      caller: callerOf(raw),
      start(ticket) {
        tickets.set(raw, ticket)
        resolve()
      },
      refuse: (refusal) => reject(unavailable(refusal.reason, retryAfterOf(refusal))),
    }
    const ticket = limitOf(admitted, method, isList).enter(entrant)
    response.once('close', () => {
      ticket.cancel()
      reject(unavailable('the client left'))
    })
    await promise
  }
  function release({ raw }: FastifyRequest) {
    tickets.get(raw)?.release()
    tickets.delete(raw)
  }

  // Callbacks, because they have nothing to wait for in most requests.
  server.addHook('onRequest', (request, reply, done) => {
    const { audience } = request.routeOptions.config
    if (tickets.has(request.raw) || audience === undefined || waitsForNoSlot(audience)) done()
    else enter(request, reply.raw).then(() => done(), done)
  })
  server.addHook('preParsing', (request, _reply, payload, done) => {
    if (!request.raw.complete) release(request)
    done(null, payload)
  })
  server.addHook('preValidation', (request, reply, done) => {
    const { audience } = request.routeOptions.config
    if (tickets.has(request.raw) || audience === undefined || audience === 'navigation') done()
    else enter(request, reply.raw).then(() => done(), done)
  })
  server.addHook('onSend', async (request) => release(request))
  return admitted
}

/** A webhook enters once its signature is checked. A navigation waits for another service, and bounds that itself. */
const waitsForNoSlot = (audience: Audience) => audience === 'webhook' || audience === 'navigation'

const pathOf = (url: string): string => {
  const end = url.search(/[?#;]/)
  return end === -1 ? url : url.slice(0, end)
}

function limitOf(limits: Admission, method: string, isList = false): ConcurrencyLimit {
  if (method !== 'GET' && method !== 'HEAD') return limits.writes
  return isList ? limits.lists : limits.reads
}

/** Credentials are not checked yet: whether they are good is the first thing that a request with a slot is asked. */
function laneOf(method: string, audience: Audience, { headers }: IncomingMessage): Lane {
  // Its signature has been checked.
  if (audience === 'webhook') return 'signedIn'
  const readsCredentials = audience !== 'public' || (method !== 'GET' && method !== 'HEAD')
  return readsCredentials && headers.authorization !== undefined ? 'signedIn' : 'anonymous'
}

/** The time after which a retry would be served, and no longer than a minute. */
function retryAfterOf({ expectedMs }: Refusal): number {
  const seconds = Math.ceil(expectedMs / 1_000)
  return Number.isFinite(seconds) ? Math.min(Math.max(seconds, 1), 60) : 5
}

function mapValues<K extends string, A, B>(of: Record<K, A>, make: (value: A) => B): Record<K, B> {
  return Object.fromEntries(Object.entries<A>(of).map(([key, value]) => [key, make(value)])) as Record<K, B>
}
