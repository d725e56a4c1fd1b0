import { createServer, type Server } from 'node:http'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { JobsRole } from '../../config/config.ts'
import { version } from '../../config/version.ts'
import type { Pools } from '../../database/connect.ts'
import type { ResponseCache } from '../cache/store.ts'
import type { HttpServer, ObserveRequest } from '../http-server.ts'
import type { Admission } from '../overload/admission.ts'
import type { Budgets } from '../overload/budgets.ts'
import { queuedMs } from '../overload/queue-times.ts'
import type { ReceivedBodies } from '../overload/received-bodies.ts'
import type { Turns } from '../overload/turns.ts'
import type { UnreadResponses } from '../overload/unread-responses.ts'

type Load = {
  limits: Admission
  bodies: ReceivedBodies
  unread: UnreadResponses
  cache: ResponseCache | null
  budgets: Budgets
  turns: Turns
}

/** Creates the registry of a process. */
export function createRegistry(jobs: JobsRole = 'on'): Registry {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  new Gauge({
    name: 'parvis_build_info',
    help: 'Always 1: what runs, and whether it runs jobs (on, off, only)',
    labelNames: ['version', 'node', 'jobs'],
    aggregator: 'first',
    registers: [registry],
  }).set({ version, node: process.versions.node, jobs }, 1)
  return registry
}

/** Measures requests. Returns a function that counts a request that bypasses Fastify. */
export function watchRequests(registry: Registry, server: HttpServer): ObserveRequest {
  const latency = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time to answer, by route',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  })
  server.addHook('onResponse', async (request, reply) => {
    // Unknown paths share one label: a scanner must not create a series per address.
    const route = request.routeOptions.url ?? 'none'
    const ms = queuedMs(request.raw) + reply.elapsedTime
    latency.observe({ method: request.method, route, status: reply.statusCode }, ms / 1000)
  })
  return (method, route, status, seconds) => latency.observe({ method, route, status }, seconds)
}

export function watchLoad(registry: Registry, { limits, bodies, unread, cache, budgets, turns }: Load): void {
  new Gauge({
    name: 'http_requests_admitted',
    help: 'Requests that run and that are queued, by kind of request and lane',
    labelNames: ['kind', 'lane', 'state'],
    registers: [registry],
    collect() {
      for (const [kind, { load }] of Object.entries(limits)) {
        for (const [lane, { running, queued }] of Object.entries(load)) {
          this.set({ kind, lane, state: 'running' }, running)
          this.set({ kind, lane, state: 'queued' }, queued)
        }
      }
    },
  })
  new Counter({
    name: 'http_requests_refused_total',
    help: 'Requests that were refused with 503 because of load, by kind of request, lane and reason',
    labelNames: ['kind', 'lane', 'reason'],
    registers: [registry],
    collect() {
      this.reset()
      for (const [kind, { load }] of Object.entries(limits))
        for (const [lane, { refused }] of Object.entries(load))
          for (const [reason, count] of Object.entries(refused)) this.inc({ kind, lane, reason }, count)
    },
  })
  new Gauge({
    name: 'http_request_body_bytes',
    help: 'Memory used by request bodies, including those still being received',
    registers: [registry],
    collect() {
      this.set(bodies.bytes)
    },
  })
  new Gauge({
    name: 'http_unread_response_bytes',
    help: 'Memory used by responses that clients have not read yet',
    registers: [registry],
    collect() {
      this.set(unread.bytes)
    },
  })
  new Gauge({
    name: 'clients_over_budget',
    help: 'Addresses and signed-in people that have used more than a tenth of the machine over ten seconds',
    registers: [registry],
    collect() {
      this.set(budgets.spent)
    },
  })
  new Counter({
    name: 'late_requests_total',
    help: 'Requests of such clients, which waited behind those of others',
    registers: [registry],
    collect() {
      this.reset()
      this.inc(turns.late)
    },
  })
  if (cache !== null) watchCache(registry, cache)
}

function watchCache(registry: Registry, cache: ResponseCache): void {
  new Gauge({
    name: 'cached_responses_bytes',
    help: 'Memory used by cached responses of public reads',
    registers: [registry],
    collect() {
      this.set(cache.bytes)
    },
  })
  new Counter({
    name: 'cached_responses_total',
    help: 'Public reads served from the cache (hit), by an identical read in progress (shared) or by the database (miss)',
    labelNames: ['outcome'],
    registers: [registry],
    collect() {
      this.reset()
      this.inc({ outcome: 'hit' }, cache.hits)
      this.inc({ outcome: 'miss' }, cache.misses)
      this.inc({ outcome: 'shared' }, cache.shared)
    },
  })
}

export function watchPools(registry: Registry, pools: Pools): void {
  new Gauge({
    name: 'database_pool_connections',
    help: 'Connections of each pool, and who waits for one',
    labelNames: ['pool', 'state'],
    registers: [registry],
    collect() {
      for (const [pool, { totalCount, idleCount, waitingCount }] of Object.entries(pools)) {
        this.set({ pool, state: 'total' }, totalCount)
        this.set({ pool, state: 'idle' }, idleCount)
        this.set({ pool, state: 'waiting' }, waitingCount)
      }
    },
  })
}

/** Serves metrics on their own port: they are for the operator, not for the public. */
export async function serveMetrics(
  registry: Pick<Registry, 'contentType' | 'metrics'>,
  host: string,
  port: number,
): Promise<Server> {
  const server = createServer(async (request, response) => {
    if (request.url !== '/metrics') {
      response.writeHead(404).end()
      return
    }
    response.writeHead(200, { 'content-type': registry.contentType }).end(await registry.metrics())
  })
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  server.once('error', reject).listen(port, host, resolve)
  await promise
  return server
}
