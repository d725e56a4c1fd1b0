import { unavailable } from '../errors.ts'
import type { HttpServer } from './http-server.ts'

export type Drain = {
  readonly announced: boolean
  /** From now on `/readyz` answers 503 and each connection closes after its answer; all is served as before. */
  announce(): void
  /** Takes no new work, and waits until the requests in flight are answered, though no longer than `maxMs`. */
  finish(maxMs: number): Promise<void>
}

/**
 * What comes before the server closes: serving → announced, while the balancer notices and sends its requests
 * elsewhere → finishing.
 */
export function drainable(server: HttpServer): Drain {
  let state: 'serving' | 'announced' | 'finishing' = 'serving'
  let inFlight = 0
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
  server.addHook('onSend', async (_request, reply) => {
    if (state !== 'serving') reply.header('connection', 'close')
  })

  return {
    get announced() {
      return state !== 'serving'
    },
    announce() {
      state = 'announced'
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
