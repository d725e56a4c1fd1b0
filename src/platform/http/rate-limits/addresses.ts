import { isIPv4, isIPv6, SocketAddress } from 'node:net'

/**
 * Whose address it is: an IPv4 address, or the /64 of an IPv6 one, which a single line owns whole. However an address
 * is written, the answer is the same; all that is no address is one caller.
 */
export function addressCaller(ip: string | undefined): string {
  const address = bare(ip ?? '')
  if (isIPv4(address)) return address
  if (!isIPv6(address)) return 'unknown'
  const canonical = new SocketAddress({ address, family: 'ipv6' }).address
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(canonical)?.[1]
  return mapped ?? `${firstHalf(canonical)}::/64`
}

/** Some proxies add a port, and a link-local address may carry its interface. */
function bare(ip: string): string {
  const withoutPort = /^\[(.*)\](?::\d+)?$/.exec(ip)?.[1] ?? /^([\d.]+):\d+$/.exec(ip)?.[1] ?? ip
  return withoutPort.split('%', 1)[0] ?? ''
}

function firstHalf(canonical: string): string {
  const [head = '', tail = ''] = canonical.split('::')
  const before = head.split(':').filter(Boolean)
  const after = tail.split(':').filter(Boolean)
  const zeros = Array.from({ length: Math.max(0, 8 - before.length - after.length) }, () => '0')
  return [...before, ...zeros, ...after].slice(0, 4).join(':')
}
