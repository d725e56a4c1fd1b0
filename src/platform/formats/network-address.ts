import { isIPv4, isIPv6, SocketAddress } from 'node:net'

/**
 * Returns the caller key of an address: the IPv4 address, or the /64 of an IPv6 address, which belongs to one
 * line. All notations of an address give the same key; all invalid addresses share one key.
 */
export function addressCaller(ip: string | undefined): string {
  const address = canonicalOf(ip)
  if (address === null) return 'unknown'
  return isIPv4(address) ? address : networkOf(address, 64)
}

/**
 * Returns the /48 of an IPv6 address, which several lines of one home or company may share; null for IPv4.
 */
export function addressNetwork(ip: string | undefined): string | null {
  const address = canonicalOf(ip)
  return address === null || isIPv4(address) ? null : networkOf(address, 48)
}

/** True for a name of this machine, as `URL` normalises it: any numeric form is dotted; IPv6 may have its brackets. */
export const isLoopback = (host: string): boolean => /^(?:localhost|127(?:\.\d+){3}|\[::1\]|::1)$/.test(host)

/** Shortens an address to its /24 or /48: enough to see where a flood comes from, too little to identify a line. */
export function shortAddress(ip: string | undefined): string | null {
  const address = canonicalOf(ip)
  if (address === null) return null
  return isIPv4(address) ? `${address.slice(0, address.lastIndexOf('.'))}.0/24` : networkOf(address, 48)
}

function canonicalOf(ip: string | undefined): string | null {
  const address = bare(ip ?? '')
  if (isIPv4(address)) return address
  if (!isIPv6(address)) return null
  const canonical = new SocketAddress({ address, family: 'ipv6' }).address
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(canonical)?.[1] ?? canonical
}

/** Strips the port that some proxies add and the interface of a link-local address. */
function bare(ip: string): string {
  const withoutPort = /^\[(.*)\](?::\d+)?$/.exec(ip)?.[1] ?? /^([\d.]+):\d+$/.exec(ip)?.[1] ?? ip
  return withoutPort.split('%', 1)[0] ?? ''
}

function networkOf(canonical: string, bits: 48 | 64): string {
  const [head = '', tail = ''] = canonical.split('::')
  const before = head.split(':').filter(Boolean)
  const after = tail.split(':').filter(Boolean)
  const zeros = Array.from({ length: Math.max(0, 8 - before.length - after.length) }, () => '0')
  const groups = [...before, ...zeros, ...after].slice(0, bits / 16)
  return `${groups.join(':')}::/${bits}`
}
