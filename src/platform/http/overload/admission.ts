import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyContextConfig, FastifyRequest } from 'fastify'
import { sendsSession } from '../../access/cookies.ts'
import { unavailable } from '../../errors.ts'
import { isRead } from '../../formats/http-methods.ts'
import { addressCaller, shortAddress } from '../../formats/network-address.ts'
import type { Log } from '../../log/log.ts'
import { beforeFastify } from '../before-fastify.ts'
import {
  type Audience,
  type HttpServer,
  hasConnection,
  type ObserveRequest,
  readsBodyFirst,
} from '../http-server.ts'
import type { Drain } from '../operation/drain.ts'
import { perClientAddress } from '../rate-limits/client-address.ts'
import type { RouteTable } from '../route-table.ts'
import type { Budgets } from './budgets.ts'
import { type ConcurrencyLimit, type LimitSettings, limitConcurrency } from './concurrency-limit.ts'
import { earlyRefusals } from './early-refusal.ts'
import type { Entrant, Lane, Refusal, Ticket } from './lane.ts'
import { recordQueued } from './queue-times.ts'

/** Reads by key, lists and searches, and writes do not compete for slots: they use different connection pools. */
export type AdmissionLimits = Record<'reads' | 'lists' | 'writes', LimitSettings>
export type Admission = Record<keyof AdmissionLimits, ConcurrencyLimit>

/** The slots of requests that are answered without Fastify. */
export type Slots = {
  /** Lets a request keep its slot until it is released, also if its client disconnects. */
  hold(request: IncomingMessage): void
  release(request: IncomingMessage): void
}

const lanes = { reserved: { signedIn: 2, anonymous: 1 }, anonymousWhileSignedIn: 2 }
/**
 * Anonymous lists leave at least one of the four connections of their pool, where each waits for its turn. One at a time
 * runs beside signed-in requests: a search occupies two connections, and a processor.
 */
const listLanes = { reserved: { signedIn: 4, anonymous: 1 }, anonymousWhileSignedIn: 1 }
const queue = { maxWaitMs: 2_000, capacity: 1_024 }

/** Slightly more slots than pool connections, so that no connection is idle while requests are queued. */
export const defaultAdmissionLimits: AdmissionLimits = {
  reads: { slots: 8, ...lanes, targetMs: 150, ...queue },
  lists: { slots: 7, ...listLanes, targetMs: 500, ...queue },
  writes: { slots: 8, ...lanes, targetMs: 500, ...queue },
}

type Options = {
  limits?: AdmissionLimits | undefined
  routes: RouteTable
  log: Pick<Log, 'info' | 'warn'>
  trustProxy: string[]
  corsOrigins: string[]
  drain: Drain
  budgets: Pick<Budgets, 'isCurrentSpent'>
  observe?: ObserveRequest | undefined
}

/**
 * Gives each API request a slot of a concurrency limit before Fastify sees it, queues it, or refuses it (see
 * `limitConcurrency`). A request holds its slot until its response is ready, but not while its body arrives:
 * a slow client blocks no slot. Health checks and the documentation need no slot; a webhook delivery needs
 * one only once its signature has been checked.
 */
export function admission(server: HttpServer, options: Options): { limits: Admission; slots: Slots } {
  const { limits = defaultAdmissionLimits, routes, trustProxy, drain, budgets } = options
  const activity = { signedIn: 0 }
  const admitted = mapValues(limits, (settings) => limitConcurrency(settings, activity))
  const callerOf = perClientAddress(trustProxy, addressCaller)
  const addressOf = perClientAddress(trustProxy, shortAddress)
  const laneOf = (method: string, audience: Audience, request: IncomingMessage): Lane =>
    audience !== 'webhook' && budgets.isCurrentSpent() ? 'late' : laneByCredentials(method, audience, request)
  const refuseEarly = earlyRefusals({ ...options, addressOf, isStopping: () => drain.closesConnections })
  const tickets = new WeakMap<IncomingMessage, Ticket>()
  /** Refused pages: Fastify answers them, so that people read a page, and a form is shown again with its text. */
  const refusedPages = new WeakMap<IncomingMessage, Refusal>()
  /** Requests whose body has been read: from here on, Fastify always calls `onSend`, or who holds the slot releases it. */
  const received = new WeakSet<IncomingMessage>()

  beforeFastify(server, (request, response, next) => {
    const { method = '', url = '' } = request
    const route = routes.find(method, pathOf(url))
    const audience = route?.config.scope?.audience
    if (route === null || audience === undefined || waitsForNoSlot(route.config)) return next()
    const since = performance.now()
    const ticket = limitOf(admitted, method, route.config).enter({
      lane: laneOf(method, audience, request),
      caller: callerOf(request),
      start(ticket) {
        tickets.set(request, ticket)
        recordQueued(request, performance.now() - since)
        next()
      },
      refuse(refusal) {
        if (audience === 'page') {
          refusedPages.set(request, refusal)
          return next()
        }
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
      // A handler whose client has disconnected continues, and keeps its slot: otherwise aborted requests
      // would pile up. Before that, Fastify waits for ever for the body of a client that is gone.
      if (!received.has(request)) tickets.delete(request)
      if (response.writableFinished || !received.has(request)) ticket.release()
    })
  })

  /** Queues requests that the route table did not find, and requests that released their slot. */
  async function enter(request: FastifyRequest, response: ServerResponse): Promise<void> {
    if (response.destroyed) throw unavailable('the client left')
    const { method, raw, routeOptions } = request
    const audience = routeOptions.config.scope?.audience ?? 'open'
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const entrant: Entrant = {
      lane: laneOf(method, audience, raw),
      caller: callerOf(raw),
      start(ticket) {
        tickets.set(raw, ticket)
        resolve()
      },
      refuse: (refusal) => reject(unavailableFor(refusal)),
    }
    const ticket = limitOf(admitted, method, routeOptions.config).enter(entrant)
    const leave = () => {
      ticket.cancel()
      reject(unavailable('the client left'))
    }
    response.once('close', leave)
    await promise
    response.off('close', leave)
  }
  function release(request: IncomingMessage) {
    tickets.get(request)?.release()
    tickets.delete(request)
  }

  // Callback hooks, because most requests have nothing to await.
  server.addHook('onRequest', (request, reply, done) => {
    const { config } = request.routeOptions
    const refusal = refusedPages.get(request.raw)
    if (refusal !== undefined) done(readsBodyFirst(config) ? undefined : unavailableFor(refusal))
    else if (tickets.has(request.raw) || waitsForNoSlot(config)) done()
    else enter(request, reply.raw).then(() => done(), done)
  })
  server.addHook('preParsing', (request, _reply, payload, done) => {
    // An injected request has its body already.
    if (!request.raw.complete && hasConnection(request.raw)) release(request.raw)
    done(null, payload)
  })
  server.addHook('preValidation', (request, reply, done) => {
    const { config } = request.routeOptions
    received.add(request.raw)
    const refusal = refusedPages.get(request.raw)
    if (refusal !== undefined) done(unavailableFor(refusal))
    else if (tickets.has(request.raw) || (waitsForNoSlot(config) && config.scope?.audience !== 'webhook'))
      done()
    else enter(request, reply.raw).then(() => done(), done)
  })
  server.addHook('onSend', async (request) => release(request.raw))
  return { limits: admitted, slots: { hold: (request) => void received.add(request), release } }
}

/**
 * A webhook takes a slot after its signature check. A navigation that reads no list waits for another service,
 * with its own limit. A finished file and an upload have their own too.
 */
const waitsForNoSlot = ({ scope, load }: FastifyContextConfig) =>
  scope === undefined ||
  scope.audience === 'webhook' ||
  (scope.audience === 'navigation' && load !== 'list') ||
  load === 'file' ||
  load === 'static' ||
  typeof load === 'object'

const pathOf = (url: string): string => {
  const end = url.search(/[?#;]/)
  return end === -1 ? url : url.slice(0, end)
}

function limitOf(limits: Admission, method: string, { load }: FastifyContextConfig): ConcurrencyLimit {
  if (!isRead(method)) return limits.writes
  return load === 'list' ? limits.lists : limits.reads
}

/** Chooses the lane by the presence of credentials; they are verified only once the request has a slot. */
function laneByCredentials(method: string, audience: Audience, { headers }: IncomingMessage): Lane {
  // Its signature has already been checked.
  if (audience === 'webhook') return 'signedIn'
  const readsCredentials = audience !== 'public' || !isRead(method)
  const hasSome = headers.authorization !== undefined || sendsSession(headers)
  return readsCredentials && hasSome ? 'signedIn' : 'anonymous'
}

const unavailableFor = (refusal: Refusal) => unavailable(refusal.reason, retryAfterOf(refusal))

/** Returns the seconds after which a retry is likely to be served, at most 60. */
function retryAfterOf({ expectedMs }: Refusal): number {
  const seconds = Math.ceil(expectedMs / 1_000)
  return Number.isFinite(seconds) ? Math.min(Math.max(seconds, 1), 60) : 5
}

function mapValues<K extends string, A, B>(of: Record<K, A>, make: (value: A) => B): Record<K, B> {
  return Object.fromEntries(Object.entries<A>(of).map(([key, value]) => [key, make(value)])) as Record<K, B>
}
