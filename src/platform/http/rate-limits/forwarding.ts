import type { HttpServer } from '../http-server.ts'

/**
 * Warns once when an untrusted peer sends X-Forwarded-For: behind a proxy that TRUST_PROXY does not name, all callers
 * share the proxy's address and its limits. The peer is not logged: it may be a person who invents the header.
 */
export function warnOfUntrustedForwarding(server: HttpServer): void {
  let warned = false
  server.addHook('onRequest', async (request) => {
    // `request.ips` contains only the peer unless Fastify trusts it.
    if (warned || !request.headers['x-forwarded-for'] || (request.ips?.length ?? 0) > 1) return
    warned = true
    server.log.warn(
      'X-Forwarded-For ignored: its sender is not in TRUST_PROXY. ' +
        'If it is your proxy, all its clients share one rate limit',
    )
  })
}
