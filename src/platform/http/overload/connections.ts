import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import proxyAddr from '@fastify/proxy-addr'
import { addressCaller, addressNetwork } from '../../formats/network-address.ts'
import { warnOncePerMinute } from '../../log/log.ts'
import type { HttpServer } from '../http-server.ts'

type Connection = {
  /** Its address and network, under which it is counted. */
  keys: string[]
  isKnown: boolean
  /** How many of its requests run: more than one if they are pipelined. */
  served: number
}
type Options = {
  total?: number | undefined
  /** Infinity: no limit. */
  perAddress: number
  trustProxy: string[]
}

export const defaultConnections = 4_096

/** Idle connections are kept open this long, and for `busyKeepAliveMs` while more than half of the total is used. */
const keepAliveMs = 65_000
const busyKeepAliveMs = 10_000
/** How many addresses of signed-in people are remembered. */
const maxKnown = 10_000
/** A company may have several lines in its /48. */
const linesPerNetwork = 4

/**
 * Bounds the open connections. One is
 * - waiting: its client has yet to send a request, or the rest of one;
 * - served: a complete request of it runs, or its response is being sent.
 *
 * When the connections are full, a new one replaces the one that has waited longest. A quarter of them is for addresses from
 * which signed-in requests came: the others may not fill it, and are replaced first. An address (IPv6: a /64) and a /48 that
 * have reached their limits get no new one, so that they cannot displace others. Trusted proxies serve many clients: they
 * have no limit, and use the whole.
 */
export function boundConnections(
  server: HttpServer,
  { total = defaultConnections, perAddress, trustProxy }: Options,
): void {
  const { server: http } = server
  const isTrusted = proxyAddr.compile(trustProxy)
  const warnAddress = warnOncePerMinute(
    server.log,
    'an address has too many connections: its new ones are closed',
  )
  const warnFull = warnOncePerMinute(server.log, 'too many connections: those that wait longest are closed')
  const open = new Map<Socket, Connection>()
  // In the order since when they wait.
  const waiting = { known: new Set<Socket>(), strangers: new Set<Socket>() }
  const counts = countByKey()
  const known = knownAddresses()
  const maxStrangers = Math.max(1, Math.floor((total * 3) / 4))
  let strangers = 0

  const groupOf = (isKnown: boolean) => (isKnown ? waiting.known : waiting.strangers)
  function startWaiting(socket: Socket) {
    const connection = open.get(socket)
    if (connection === undefined || connection.served > 0) return
    stopWaiting(socket)
    groupOf(connection.isKnown).add(socket)
  }
  function stopWaiting(socket: Socket) {
    waiting.known.delete(socket)
    waiting.strangers.delete(socket)
  }
  function forget(socket: Socket) {
    const connection = open.get(socket)
    if (connection === undefined) return
    open.delete(socket)
    stopWaiting(socket)
    if (!connection.isKnown) strangers--
    counts.remove(connection.keys)
    adjustKeepAlive()
  }
  function adjustKeepAlive() {
    http.keepAliveTimeout = open.size > total / 2 ? busyKeepAliveMs : keepAliveMs
  }
  /** Closes the connection that has waited longest; false if none waits that may be replaced. */
  function makeRoom(isKnown: boolean): boolean {
    warnFull()
    const replacesKnown = isKnown || strangers < maxStrangers
    const groups = replacesKnown ? [waiting.strangers, waiting.known] : [waiting.strangers]
    for (const [longest] of groups) {
      if (longest === undefined) continue
      forget(longest)
      longest.destroy()
      return true
    }
    return false
  }
  function accept(socket: Socket): boolean {
    const { remoteAddress } = socket
    const isProxy = remoteAddress !== undefined && isTrusted(remoteAddress, 0)
    const limits = isProxy ? [] : limitsOf(remoteAddress, perAddress)
    if (limits.some(([key, most]) => counts.of(key) >= most)) {
      warnAddress()
      return false
    }
    const isKnown = isProxy || known.has(addressCaller(remoteAddress))
    const isFull = open.size >= total || (!isKnown && strangers >= maxStrangers)
    if (isFull && !makeRoom(isKnown)) return false
    const keys = limits.map(([key]) => key)
    counts.add(keys)
    if (!isKnown) strangers++
    open.set(socket, { keys, isKnown, served: 0 })
    return true
  }

  http.on('connection', (socket: Socket) => {
    if (!accept(socket)) {
      socket.destroy()
      return
    }
    startWaiting(socket)
    adjustKeepAlive()
    socket.once('close', () => forget(socket))
  })
  http.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request
    let isCounted = false
    function serve() {
      const connection = open.get(socket)
      if (connection === undefined || response.closed) return
      isCounted = true
      connection.served++
      stopWaiting(socket)
    }
    if (!hasBody(request)) serve()
    else {
      startWaiting(socket)
      request.once('end', serve)
    }
    // More than ten listeners wait for the end of a response.
    response.setMaxListeners(20)
    response.once('close', () => {
      const connection = open.get(socket)
      if (connection === undefined) return
      if (isCounted) connection.served--
      if (connection.served === 0) startWaiting(socket)
    })
  })
  /** Counts the connection of a signed-in request, and later ones of its address, as known. */
  server.addHook('preParsing', (request, _reply, payload, done) => {
    if (request.caller?.user) remember(request.raw.socket)
    done(null, payload)
  })
  function remember(socket: Socket) {
    known.add(addressCaller(socket.remoteAddress))
    const connection = open.get(socket)
    if (connection === undefined || connection.isKnown) return
    const waits = waiting.strangers.has(socket)
    connection.isKnown = true
    strangers--
    if (waits) startWaiting(socket)
  }
}

/** Returns the keys under which a connection is counted, each with the most that may be open. */
function limitsOf(remoteAddress: string | undefined, perAddress: number): [key: string, most: number][] {
  const ofAddress: [string, number] = [addressCaller(remoteAddress), perAddress]
  const network = addressNetwork(remoteAddress)
  return network === null ? [ofAddress] : [ofAddress, [network, linesPerNetwork * perAddress]]
}

/** Counts connections by address and by network. */
function countByKey() {
  const counts = new Map<string, number>()
  const of = (key: string) => counts.get(key) ?? 0
  return {
    of,
    add(keys: readonly string[]) {
      for (const key of keys) counts.set(key, of(key) + 1)
    },
    remove(keys: readonly string[]) {
      for (const key of keys) {
        if (of(key) > 1) counts.set(key, of(key) - 1)
        else counts.delete(key)
      }
    },
  }
}

/** Remembers the addresses from which signed-in requests came last. */
function knownAddresses() {
  const known = new Set<string>()
  return {
    has: (address: string) => known.has(address),
    add(address: string) {
      known.delete(address)
      known.add(address)
      const [oldest = address] = known
      if (known.size > maxKnown) known.delete(oldest)
    },
  }
}

const hasBody = ({ headers }: IncomingMessage) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
