import { unavailable } from '../../errors.ts'
import type { HttpServer } from '../http-server.ts'

export type Drain = {
  /** Whether `/readyz` returns 503. */
  readonly announced: boolean
  /** Whether each connection is closed after its response. */
  readonly closesConnections: boolean
  /**
   * Closes each connection after its response, and ends endless responses; `/readyz` still returns 200, since
   * another instance takes over.
   */
  retire(): void
  /** Makes `/readyz` return 503 and closes each connection after its response; requests are still served. */
  announce(): void
  /**
   * Registers a callback that ends endless responses. It runs when the shutdown is announced, or when the
   * server closes without an announcement.
   */
  onStop(end: () => void): void
  /** Answers new requests with 503, and waits for those in flight, for `maxMs` at most. */
  finish(maxMs: number): Promise<void>
}

const sweepMs = 100

/**
 * Prepares the shutdown of the server. States: serving → announced (the load balancer notices and sends its requests
 * elsewhere), or retiring (another instance takes over) → finishing.
 */
export function drainable(server: HttpServer): Drain {
  let state: 'serving' | 'retiring' | 'announced' | 'finishing' = 'serving'
  let inFlight = 0
  const endings = new Set<() => void>()
  const endAll = () => {
    for (const end of endings) end()
  }
  const { promise: idle, resolve: becomeIdle } = Promise.withResolvers<void>()
  const checkIdle = () => {
    if (state === 'finishing' && inFlight === 0) becomeIdle()
  }

  server.server.on('request', (_request, response) => {
    // A later one is refused: nothing waits for it.
    if (state === 'finishing') return
    inFlight++
    response.once('close', () => {
      inFlight--
      checkIdle()
    })
  })
  server.addHook('onRequest', async (request) => {
    if (state === 'finishing' && request.routeOptions.url !== '/healthz') throw unavailable('stopping')
  })
  server.addHook('preClose', async () => {
    endAll()
    if (!server.server.listening) return
    // Fastify closes those that are idle now. One whose request was answered before its body had arrived is idle later.
    const sweep = setInterval(() => server.server.closeIdleConnections(), sweepMs)
    server.server.once('close', () => clearInterval(sweep))
  })
  server.addHook('onSend', async (_request, reply) => {
    if (state !== 'serving') reply.header('connection', 'close')
  })

  return {
    get announced() {
      return state === 'announced' || state === 'finishing'
    },
    get closesConnections() {
      return state !== 'serving'
    },
    retire() {
      if (state === 'serving') state = 'retiring'
      endAll()
    },
    announce() {
      state = 'announced'
      endAll()
    },
    onStop(end) {
      endings.add(end)
    },
    async finish(maxMs) {
      state = 'finishing'
      checkIdle()
      const timer = setTimeout(becomeIdle, maxMs)
      await idle
      clearTimeout(timer)
    },
  }
}
