import { type BlockList, connect as connectTcp, isIP, type LookupFunction, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { buildConnector } from 'undici'
import { isRefused } from './addresses.ts'
import { FetchFailed } from './fetch-failed.ts'
import type { Resolve } from './resolve.ts'

export type ConnectRules = { refused: BlockList; resolve: Resolve; ca: string | undefined }

type Target = { hostname: string; protocol: string; port: string }

/** Creates a connector for undici that only connects to checked addresses, until the signal aborts. */
export function guardedConnector(rules: ConnectRules, signal: AbortSignal): buildConnector.connector {
  return (target, callback) => {
    connect(target, rules, signal).then(
      (socket) => callback(null, socket),
      (error) => callback(error, null),
    )
  }
}

async function connect(target: Target, rules: ConnectRules, signal: AbortSignal): Promise<Socket> {
  const addresses = await checkedAddresses(target.hostname, rules)
  signal.throwIfAborted()
  const secure = target.protocol === 'https:'
  const tcp = connectTcp({
    host: target.hostname,
    port: target.port === '' ? (secure ? 443 : 80) : Number(target.port),
    lookup: answering(addresses),
    // A second check, on the address itself when the socket connects. tls.connect ignores the option, so TCP comes
    // first.
    blockList: rules.refused,
    noDelay: true,
  })
  signal.addEventListener('abort', () => tcp.destroy(), { once: true })
  await once(tcp, 'connect', 'connection')
  if (!secure) return tcp
  const tls = connectTls({ socket: tcp, ...identity(target.hostname), ...(rules.ca ? { ca: rules.ca } : {}) })
  await once(tls, 'secureConnect', 'tls')
  return tls
}

// Refuses a name if one of its addresses is private: DNS rebinding mixes both kinds, honest sites do not.
async function checkedAddresses(hostname: string, { resolve, refused }: ConnectRules) {
  const addresses = isIP(hostname) ? [hostname] : [...(await resolve(hostname).catch(notFound))]
  if (addresses.length === 0) throw new FetchFailed('dns')
  if (addresses.some((address) => isRefused(address, refused))) throw new FetchFailed('private_address')
  return addresses
}

function notFound(cause: unknown): never {
  throw new FetchFailed('dns', cause)
}

// Returns the checked addresses without another DNS lookup, so that there is nothing to rebind.
function answering(addresses: readonly string[]): LookupFunction {
  const answers = addresses.map((address) => ({ address, family: isIP(address) }))
  return (_hostname, { all }, callback) => {
    const [first] = answers
    if (all || !first) callback(null, answers)
    else callback(null, first.address, first.family)
  }
}

// Sets `rejectUnauthorized` explicitly; otherwise NODE_TLS_REJECT_UNAUTHORIZED would decide.
function identity(hostname: string) {
  const name = isIP(hostname) ? {} : { servername: hostname.replace(/\.$/, '') }
  return { host: hostname, ...name, rejectUnauthorized: true, ALPNProtocols: ['http/1.1'] }
}

function once(socket: Socket, event: 'connect' | 'secureConnect', reason: 'connection' | 'tls') {
  return new Promise<void>((resolve, reject) => {
    socket.once(event, resolve)
    // The listener stays for the life of the socket, so that no error is unhandled. undici adds its own.
    socket.on('error', (error) => reject(new FetchFailed(reason, error)))
    socket.once('close', () => reject(new FetchFailed(reason)))
  })
}
