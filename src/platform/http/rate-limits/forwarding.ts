import type { HttpServer } from '../http-server.ts'

/**
 * Behind a proxy that TRUST_PROXY does not name, every caller has the proxy's address and shares its limits: said
 * once in the life of the server. The peer is not named: it may as well be a person who makes the header up.
 */
export function warnOfUntrustedForwarding(server: HttpServer): void {
  let warned = false
  server.addHook('onRequest', async (request) => {
    // Fastify lists what it believes: the peer alone, unless it trusts the peer.
    if (warned || !request.headers['x-forwarded-for'] || (request.ips?.length ?? 0) > 1) return
    warned = true
    server.log.warn(
      'X-Forwarded-For comes from a peer that TRUST_PROXY does not name, and is not believed: ' +
        'when that peer is your proxy, all who come through it share its rate limits',
    )
  })
}
