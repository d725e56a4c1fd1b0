import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import proxyAddr from '@fastify/proxy-addr'

/**
 * Derives a value from the client address of a request, which a trusted proxy forwards (parsed with Fastify's
 * library). Without a trusted proxy the value is computed once per connection.
 */
export function perClientAddress<T>(
  trustProxy: string[],
  derive: (address: string | undefined) => T,
): (request: IncomingMessage) => T {
  const trusts = proxyAddr.compile(trustProxy)
  const known = new WeakMap<Socket, T>()
  return (request) => {
    if (trustProxy.length > 0) return derive(proxyAddr(request, trusts))
    const { socket } = request
    let value = known.get(socket)
    if (value === undefined) {
      value = derive(socket.remoteAddress)
      known.set(socket, value)
    }
    return value
  }
}
