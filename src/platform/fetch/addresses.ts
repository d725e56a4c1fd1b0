import { BlockList, isIP } from 'node:net'

/** Lists every address that is not on the public internet, in each of its notations. */
export function privateAddresses(): BlockList {
  const list = new BlockList()
  for (const [network, prefix] of ipv4) {
    list.addSubnet(network, prefix, 'ipv4')
    list.addSubnet(`${nat64}${network}`, 96 + prefix, 'ipv6')
  }
  for (const [start, end] of ipv6) list.addRange(start, end, 'ipv6')
  return list
}

/** Refuses text that is not an address, and addresses tied to an interface (`fe80::1%eth0`). */
export function isRefused(address: string, list: BlockList): boolean {
  const family = isIP(address)
  if (family === 0 || address.includes('%')) return true
  return list.check(address, family === 4 ? 'ipv4' : 'ipv6')
}

/** Returns whether the host of a URL is a private address, or a name of this machine. Any other name has to be resolved. */
export function isPrivateHost(hostname: string): boolean {
  const host = hostname.replace(/^\[(.*)\]$/, '$1')
  return isIP(host) === 0 ? /^(.*\.)?localhost\.?$/.test(host) : isRefused(host, privateAddresses())
}

// A DNS64 network maps every IPv4 site to this prefix: only the embedded address decides.
const nat64 = '64:ff9b::'

const ipv4: ReadonlyArray<readonly [string, number]> = [
  ['0.0.0.0', 8], // this network, unspecified
  ['10.0.0.0', 8], // private
  ['100.64.0.0', 10], // carrier-grade NAT, and a cloud's metadata
  ['127.0.0.0', 8], // loopback
  ['168.63.129.16', 32], // Azure's platform: a public address, reachable from inside only
  ['169.254.0.0', 16], // link-local, and the clouds' metadata
  ['172.16.0.0', 12], // private
  ['192.0.0.0', 24], // protocol assignments
  ['192.0.2.0', 24], // documentation
  ['192.88.99.0', 24], // 6to4 relays
  ['192.168.0.0', 16], // private
  ['198.18.0.0', 15], // benchmarking
  ['198.51.100.0', 24], // documentation
  ['203.0.113.0', 24], // documentation
  ['224.0.0.0', 4], // multicast
  ['240.0.0.0', 4], // reserved, broadcast
]

// Only 2000::/3 is public. The rest is refused, except IPv4-mapped addresses, which BlockList checks by the IPv4 rules
// (a rule for ::ffff:0:0/96 would match all of IPv4), and NAT64.
const ipv6: ReadonlyArray<readonly [string, string]> = [
  ['::', '::fffe:ffff:ffff'], // unspecified, loopback, IPv4-compatible
  ['0:0:0:0:1::', '64:ff9a:ffff:ffff:ffff:ffff:ffff:ffff'], // IPv4-translated
  ['64:ff9b:0:0:0:1::', '1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'], // local NAT64, discard
  ['2001::', '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff'], // Teredo, benchmarking, ORCHID
  ['2001:db8::', '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff'], // documentation
  ['2002::', '2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff'], // 6to4: no site uses it, whatever address it embeds
  ['3fff::', '3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff'], // documentation
  ['4000::', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'], // unique local, link-local, site-local, multicast
]
