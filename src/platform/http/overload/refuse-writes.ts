import { unavailable } from '../../errors.ts'
import type { WriteGate } from '../../write-gate.ts'
import { errorBody } from '../error-handler.ts'
import type { HttpServer } from '../http-server.ts'
import { languageOf } from '../language.ts'

const reads = ['GET', 'HEAD', 'OPTIONS']
const retryAfterS = 30

/** While the gate is closed, what would write is told why; what reads goes on. */
export function refuseWrites(server: HttpServer, gate: WriteGate): void {
  server.addHook('onRequest', async ({ method, headers }, reply) => {
    if (gate.writesRefused === null || reads.includes(method)) return
    const language = headers['accept-language']
    const message = gate.writesRefused[languageOf(language)]
    return reply
      .code(503)
      .header('retry-after', retryAfterS)
      .send({ ...errorBody(unavailable(), language), message })
  })
}
