import { unavailable } from '../../errors.ts'
import type { HttpServer } from '../http-server.ts'

export type Drain = {
  readonly announced: boolean
  /** Makes `/readyz` return 503 and closes each connection after its response; requests are still served. */
  announce(): void
  /**
   * Registers a callback that ends endless responses. It runs when the shutdown is announced, or when the
   * server closes without an announcement.
   */
  onStop(end: () => void): void
  /** Accepts no new work and waits for requests in flight, for `maxMs` at most. */
  finish(maxMs: number): Promise<void>
}

/**
 * Prepares the shutdown of the server. States: serving → announced (the load balancer notices and sends its requests
 * elsewhere) → finishing.
 */
export function drainable(server: HttpServer): Drain {
  let state: 'serving' | 'announced' | 'finishing' = 'serving'
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
    inFlight++
    response.once('close', () => {
      inFlight--
      checkIdle()
    })
  })
  server.addHook('onRequest', async (request) => {
    if (state === 'finishing' && request.routeOptions.url !== '/healthz') throw unavailable('stopping')
  })
  server.addHook('preClose', async () => endAll())
  server.addHook('onSend', async (_request, reply) => {
    if (state !== 'serving') reply.header('connection', 'close')
  })

  return {
    get announced() {
      return state !== 'serving'
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
