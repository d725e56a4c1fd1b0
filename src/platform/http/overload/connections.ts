import type { Socket } from 'node:net'
import proxyAddr from '@fastify/proxy-addr'
import { warnOncePerMinute } from '../../log/log.ts'
import type { HttpServer } from '../http-server.ts'
import { addressCaller } from '../rate-limits/addresses.ts'

type Options = {
  /** Infinity: no limit. */
  perAddress: number
  trustProxy: string[]
}

/**
 * Closes new connections of an address (IPv6: a /64) that has reached its limit, so that one address cannot
 * use up all connections. Trusted proxies have no limit, because they serve many clients.
 */
export function boundConnections(server: HttpServer, { perAddress, trustProxy }: Options): void {
  if (perAddress === Number.POSITIVE_INFINITY) return
  const isTrusted = proxyAddr.compile(trustProxy)
  const warn = warnOncePerMinute(server.log, 'an address has too many connections: its new ones are closed')
  const counts = new Map<string, number>()
  server.server.on('connection', (socket: Socket) => {
    const { remoteAddress } = socket
    if (remoteAddress !== undefined && isTrusted(remoteAddress, 0)) return
    const address = addressCaller(remoteAddress)
    const count = counts.get(address) ?? 0
    if (count >= perAddress) {
      warn()
      socket.destroy()
      return
    }
    counts.set(address, count + 1)
    socket.once('close', () => {
      const left = (counts.get(address) ?? 1) - 1
      if (left === 0) counts.delete(address)
      else counts.set(address, left)
    })
  })
}
