import { Counter, Gauge, type Registry } from 'prom-client'
import type { WriteState } from '../../database/watch/watch-disk.ts'
import { unavailable } from '../../errors.ts'
import { isRead } from '../../formats/http-methods.ts'
import { errorBody } from '../error-handler.ts'
import { type HttpServer, readsBodyFirst } from '../http-server.ts'
import { languageOf } from '../language.ts'

const retryAfterS = 30

/** Returns 503 and the reason for writes while `writeState.writesRefused` is set; still serves reads. */
export function refuseWrites(server: HttpServer, writeState: WriteState, registry?: Registry): void {
  const refused = registry && countRefusals(registry, writeState)
  server.addHook('onRequest', async (request, reply) => {
    const { method, headers } = request
    if (writeState.writesRefused === null || isRead(method) || method === 'OPTIONS') return
    if (readsBodyFirst(request.routeOptions.config)) return
    refused?.inc()
    request.failure = { error: 'unavailable', reason: writeState.writesRefused.en }
    const language = headers['accept-language']
    const message = writeState.writesRefused[languageOf(language)]
    return reply
      .code(503)
      .header('retry-after', retryAfterS)
      .send({ ...errorBody(unavailable(writeState.writesRefused.en), language), message })
  })
  server.addHook('preValidation', async (request) => {
    if (writeState.writesRefused === null || !readsBodyFirst(request.routeOptions.config)) return
    refused?.inc()
    throw unavailable(writeState.writesRefused.en, retryAfterS)
  })
}

function countRefusals(registry: Registry, writeState: WriteState): Counter {
  new Gauge({
    name: 'writes_refused',
    help: '1 while everything that writes is refused and no job is run, as on a full disk; else 0',
    aggregator: 'max',
    registers: [registry],
    collect() {
      this.set(writeState.writesRefused === null ? 0 : 1)
    },
  })
  return new Counter({
    name: 'writes_refused_total',
    help: 'Requests that were refused for that reason',
    registers: [registry],
  })
}
