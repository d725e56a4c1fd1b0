import { Resolver } from 'node:dns/promises'
import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'

/** Returns all addresses of a host name; throws if there are none. */
export type Resolve = (hostname: string) => Promise<readonly string[]>

type Options = {
  /** Name servers to use instead of the system's. */
  servers?: string[]
  hostsFile?: string
}

/**
 * Resolves names with the system's hosts file and name servers, without `dns.lookup`: each lookup would block
 * one of two threads until its name server responds, and the database's own lookup would queue behind it.
 */
export function resolver({ servers, hostsFile = '/etc/hosts' }: Options = {}): Resolve {
  return async (hostname) => {
    const name = hostname.replace(/\.$/, '').toLowerCase()
    const listed = listedIn(hostsFile, name)
    if (listed.length > 0) return listed
    // A new resolver for each name, because it loads the system's current name servers.
    const dns = new Resolver({ timeout: 2_000, tries: 2 })
    if (servers !== undefined) dns.setServers(servers)
    const [ipv4, ipv6] = await Promise.allSettled([dns.resolve4(name), dns.resolve6(name)])
    if (ipv4.status === 'rejected' && ipv6.status === 'rejected') throw ipv4.reason
    return [ipv4, ipv6].flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
  }
}

/** Returns the texts of the TXT records of a name; none if it has none. */
export function txtResolver({ servers }: Pick<Options, 'servers'> = {}) {
  return async (name: string): Promise<string[]> => {
    const dns = new Resolver({ timeout: 2_000, tries: 2 })
    if (servers !== undefined) dns.setServers(servers)
    // A long text comes in parts.
    return (await dns.resolveTxt(name)).map((parts) => parts.join(''))
  }
}

/** Reads the hosts file without the thread pool too, and only when a feed is fetched. */
function listedIn(hostsFile: string, name: string): string[] {
  let text = ''
  try {
    text = readFileSync(hostsFile, 'utf8')
  } catch {
    // Some systems have no hosts file.
  }
  return text.split('\n').flatMap((line) => {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().toLowerCase().split(/\s+/)
    return isIP(address) && names.includes(name) ? [address] : []
  })
}
