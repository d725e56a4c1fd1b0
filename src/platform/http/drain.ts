import { unavailable } from '../errors.ts'
import type { HttpServer } from './http-server.ts'

export type Drain = { readonly started: boolean; begin(maxMs: number): Promise<void> }

/**
 * Before the server closes: no new work is taken, so that `/readyz` tells the balancer, while the requests in
 * flight are answered.
 */
export function drainable(server: HttpServer): Drain {
  let started = false
  let inFlight = 0
  let settle = () => {}

  server.server.on('request', (_request, response) => {
    inFlight++
    response.once('close', () => {
      inFlight--
      if (inFlight === 0) settle()
    })
  })
  server.addHook('onRequest', async (request, reply) => {
    if (!started) return
    reply.header('connection', 'close')
    if (request.routeOptions.url !== '/healthz') throw unavailable('stopping')
  })

  return {
    get started() {
      return started
    },
    async begin(maxMs) {
      started = true
      if (inFlight === 0) return
      const { promise, resolve } = Promise.withResolvers<void>()
      settle = resolve
      const timer = setTimeout(resolve, maxMs)
      await promise
      clearTimeout(timer)
    },
  }
}
