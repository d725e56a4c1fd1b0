import type { FastifyRequest } from 'fastify'
import type { HttpServer } from '../http-server.ts'
import { createGate, type Gate, type GateLimits, type Place } from './gate.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the route answers a list in pages, or a search. */
    isList?: boolean
  }
  interface FastifyRequest {
    places: Place[] | undefined
  }
}

/** Which requests share their places: what the public reads takes none from who signs in, nor from what is written. */
export type AdmissionLimits = Record<
  'publicReads' | 'publicLists' | 'otherReads' | 'otherLists' | 'writes',
  GateLimits
>
export type Admission = Record<keyof AdmissionLimits, Gate>

/** Little more than the database's connections: who is inside waits for one of these for an instant only. */
export const usualAdmissionLimits: AdmissionLimits = {
  publicReads: { inside: 12, waiting: 120 },
  publicLists: { inside: 8, waiting: 100 },
  otherReads: { inside: 8, waiting: 60 },
  otherLists: { inside: 5, waiting: 40 },
  writes: { inside: 8, waiting: 60 },
}

/**
 * More requests than can be served are refused at once, so that the others are served as ever. A request has its place
 * from before its first statement until its answer is made: neither a client that sends slowly nor one that reads
 * slowly keeps it. Health and documentation need none. Registered after the checks that cost nothing, and after what
 * counts before a body is read.
 */
export function admission(server: HttpServer, limits: AdmissionLimits = usualAdmissionLimits): Admission {
  const gates = mapValues(limits, createGate)
  server.decorateRequest('places')
  server.addHook('onRoute', (route) => {
    const { properties = {} } = (route.schema?.querystring ?? {}) as { properties?: object }
    route.config = { ...route.config, isList: 'per_page' in properties }
  })
  server.addHook('onRequest', async (request, reply) => {
    const { audience } = request.routeOptions.config
    if (audience === undefined) return
    // Who is inside stays, and works on for nobody: were the place free, aborted requests would pile up behind it.
    reply.raw.once('close', () => request.places?.at(-1)?.giveUpWaiting())
    // Its signature is over the body: who has not shown it yet keeps nobody from a place.
    if (audience === 'webhook') request.places = []
    else await enter(request, gates)
  })
  server.addHook('preParsing', async (request) => {
    if (!request.raw.complete) leave(request)
  })
  server.addHook('preValidation', async (request) => {
    if (request.places?.length === 0) await enter(request, gates)
  })
  server.addHook('onSend', async (request) => leave(request))
  return gates
}

/** A list takes a place among the lists before it takes one among all. */
async function enter(request: FastifyRequest, gates: Admission): Promise<void> {
  const places: Place[] = []
  request.places = places
  for (const gate of gatesOf(request, gates)) {
    const place = gate.enter()
    places.push(place)
    await place.entered
  }
}

function leave(request: FastifyRequest): void {
  for (const place of request.places?.splice(0) ?? []) place.leave()
}

function gatesOf({ method, routeOptions }: FastifyRequest, gates: Admission): Gate[] {
  const { audience, isList } = routeOptions.config
  if (method !== 'GET' && method !== 'HEAD') return [gates.writes]
  const [lists, reads] =
    audience === 'public' ? [gates.publicLists, gates.publicReads] : [gates.otherLists, gates.otherReads]
  return isList ? [lists, reads] : [reads]
}

function mapValues<K extends string, A, B>(of: Record<K, A>, make: (value: A) => B): Record<K, B> {
  return Object.fromEntries(Object.entries<A>(of).map(([key, value]) => [key, make(value)])) as Record<K, B>
}
