import { createServer, type Server } from 'node:http'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { KeptAnswers } from '../../cache/answers.ts'
import type { Pools } from '../../database/connect.ts'
import { version } from '../../version.ts'
import type { HttpServer } from '../http-server.ts'
import type { Admission } from '../overload/admission.ts'
import type { UnreadAnswers } from '../overload/unread-answers.ts'

type Load = { gates: Admission; unread: UnreadAnswers; kept: KeptAnswers | null }

export type ObserveRequest = (method: string, route: string, status: number, seconds: number) => void

export type Metrics = {
  registry: Registry
  /** Answers what notes a request that the server does not see. */
  watchRequests(server: HttpServer): ObserveRequest
  watchLoad(load: Load): void
  watchPools(pools: Pools): void
}

export function createMetrics(): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  new Gauge({
    name: 'parvis_build_info',
    help: 'Always 1: what runs',
    labelNames: ['version', 'node'],
    registers: [registry],
  }).set({ version, node: process.versions.node }, 1)
  return {
    registry,
    watchRequests: (server) => watchRequests(registry, server),
    watchLoad: (load) => watchLoad(registry, load),
    watchPools: (pools) => watchPools(registry, pools),
  }
}

function watchRequests(registry: Registry, server: HttpServer): ObserveRequest {
  const latency = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time to answer, by route',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  })
  server.addHook('onResponse', async (request, reply) => {
    // Unknown paths share one label: a scanner must not make a series per address.
    const route = request.routeOptions.url ?? 'none'
    latency.observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1000)
  })
  return (method, route, status, seconds) => latency.observe({ method, route, status }, seconds)
}

function watchLoad(registry: Registry, { gates, unread, kept }: Load): void {
  new Gauge({
    name: 'http_requests_admitted',
    help: 'Requests that are being served, and that wait for their turn, by kind',
    labelNames: ['kind', 'state'],
    registers: [registry],
    collect() {
      for (const [kind, { inside, waiting }] of Object.entries(gates)) {
        this.set({ kind, state: 'inside' }, inside)
        this.set({ kind, state: 'waiting' }, waiting)
      }
    },
  })
  new Gauge({
    name: 'http_unread_answer_bytes',
    help: 'What is kept in memory for clients that have yet to read it',
    registers: [registry],
    collect() {
      this.set(unread.bytes)
    },
  })
  if (kept !== null) watchKept(registry, kept)
}

function watchKept(registry: Registry, kept: KeptAnswers): void {
  new Gauge({
    name: 'kept_answers_bytes',
    help: 'What is kept in memory of public reads',
    registers: [registry],
    collect() {
      this.set(kept.bytes)
    },
  })
  new Counter({
    name: 'kept_answers_total',
    help: 'Public reads that were answered from memory, and those that were not',
    labelNames: ['outcome'],
    registers: [registry],
    collect() {
      this.reset()
      this.inc({ outcome: 'hit' }, kept.hits)
      this.inc({ outcome: 'miss' }, kept.misses)
    },
  })
}

function watchPools(registry: Registry, pools: Pools): void {
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

/** Metrics have a port of their own: they are for the operator, not for the public. */
export async function serveMetrics(registry: Registry, host: string, port: number): Promise<Server> {
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
