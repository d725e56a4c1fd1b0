import { createGuardedFetch } from '../../platform/fetch/guarded-fetch.ts'
import { type Resolve, resolver, txtResolver } from '../../platform/fetch/resolve.ts'
import type { DomainsSettings } from './settings.ts'

type Asked = { host: string; token: string }
export type Prover = (asked: Asked) => Promise<boolean>

/** The name of the DNS record, and the path of the file, that show the token of a host. */
export const recordOf = (host: string): string => `_parvis.${host}`
export const proofPath = '/.well-known/parvis-domain'

type Options = DomainsSettings & {
  resolve?: Resolve
  /** Origins at which the file is looked for, the first that answers with it counts. */
  originsOf?: (host: string) => readonly string[]
}

const timeoutMs = 5_000
const maxBytes = 1_000
const both = (host: string) => [`https://${host}`, `http://${host}`]

/** Returns what finds out whether a host shows its token: in a TXT record, or as a file that the host itself answers with. */
export function createProver({ nameServers, allowPrivate, originsOf = both, ...options }: Options): Prover {
  const asking = nameServers.length > 0 ? { servers: nameServers } : {}
  const findTexts = txtResolver(asking)
  const resolve = options.resolve ?? resolver(asking)
  const read = createGuardedFetch({ allowPrivate, timeoutMs, maxBytes, resolve })
  const isInDns = async ({ host, token }: Asked) =>
    (await findTexts(recordOf(host))).some((text) => text.trim() === token)
  const isFileAt = async (origin: string, token: string) => {
    const { hostname } = new URL(origin)
    const beforeRedirect = async (next: URL) => {
      // Another host proves nothing about this one.
      if (next.hostname !== hostname) throw new Error('The file is on another host.')
    }
    const { status, body } = await read(`${origin}${proofPath}`, { beforeRedirect })
    return status === 200 && body.toString().trim() === token
  }
  return async (asked) => {
    const found = await Promise.all([
      isInDns(asked).catch(() => false),
      ...originsOf(asked.host).map((origin) => isFileAt(origin, asked.token).catch(() => false)),
    ])
    return found.includes(true)
  }
}
