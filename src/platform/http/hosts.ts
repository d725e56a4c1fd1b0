import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import type { CachedValue } from '../access/cached-until-change.ts'
import type { Config } from '../config/config.ts'
import { misdirected } from '../errors.ts'
import type { HttpServer } from './http-server.ts'

/** A host name of its own, under which the public site shows one place as its home. */
export type Domain = {
  host: string
  /** Origin of its addresses. */
  origin: string
  /** Path of the page that is its home, as the platform has it. */
  home: string
  /** The name and the colour of that place. */
  nom: string
  couleur: string | null
  /** The picture of its arms. */
  blason: string | null
  /** The communes that it shows, and nothing of others. */
  communeIds: readonly string[]
}

/** All proven domains. */
export type Domains = {
  byHost: ReadonlyMap<string, Domain>
  /** The primary domain of each place, else its oldest, by the path of its home: its addresses are canonical. */
  byHome: ReadonlyMap<string, Domain>
}

export type Hosts = {
  /** All proven domains; read once until one changes. */
  domains(): Promise<Domains>
  /** Returns the domain that a request names; null: the platform's own address. Refuses a host that is neither. */
  find(request: IncomingMessage): Promise<Domain | null>
  /** Reads from the cache only. Returns undefined when it is empty, and for a host that `find` refuses. */
  findCached(request: IncomingMessage): Domain | null | undefined
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** An open route that domains serve too; `any`: also hosts that are unknown, without a look at the database. */
    hosts?: 'domains' | 'any'
  }
  interface FastifyRequest {
    /** The domain that the request names; null: the platform's own address. */
    domain: Domain | null
  }
}

/** Tables from which domains are read. */
export const tagsOfDomains = ['domains', 'communes', 'groups', 'group_communes'] as const

type Source = { cached: CachedValue<Domains>; read: () => Promise<Domains> }
type Addresses = Pick<Config, 'publicUrl' | 'publicSiteUrl'>

/**
 * Tells hosts apart. Only `Host` counts, as edge caches and browsers see it: a trusted proxy passes it on, and nobody can write
 * another one into `X-Forwarded-Host`. A host that is not known is the platform's as long as nobody has said what the platform's
 * own name is, or no domain is proven: then everything is as it was without domains.
 */
export function createHosts(addresses: Addresses, { cached, read }: Source): Hosts {
  const ours = [addresses.publicUrl, addresses.publicSiteUrl ?? addresses.publicUrl].map(
    (address) => new URL(address).hostname,
  )
  const refusesUnknown = !ours.some(isInternal)
  const isOurs = (name: string) => ours.includes(name) || isInternal(name)
  const refuses = (name: string, { byHost }: Domains) =>
    refusesUnknown && byHost.size > 0 && !name.endsWith('.localhost')
  const domains = async () => (await cached.read()) ?? read()

  return {
    domains,
    async find({ headers }) {
      const name = nameOf(headers.host)
      if (isOurs(name)) return null
      const all = await domains()
      const domain = all.byHost.get(name)
      if (domain === undefined && refuses(name, all)) throw misdirected()
      return domain ?? null
    },
    findCached({ headers }) {
      const name = nameOf(headers.host)
      if (isOurs(name)) return null
      const all = cached.current()
      if (all === undefined) return undefined
      return all.byHost.get(name) ?? (refuses(name, all) ? undefined : null)
    },
  }
}

/** No domains, as where the public site is not served. */
export const noDomains: Domains = { byHost: new Map(), byHome: new Map() }

/** Refuses hosts that are not known, and on domains whatever is not of the public site. */
export function separateHosts(server: HttpServer, hosts: Hosts): void {
  server.decorateRequest('domain', null)
  server.addHook('onRequest', async (request) => {
    const { hosts: servedOn, scope } = request.routeOptions.config ?? {}
    if (servedOn === 'any') return
    request.domain = await hosts.find(request.raw)
    const isOfSite = servedOn === 'domains' || scope?.audience === 'page'
    if (request.domain !== null && !isOfSite && !request.is404) throw misdirected()
  })
}

/** Returns the name of a Host header, without its port and a dot at its end. HTTP/1.0 has none. */
const nameOf = (host = ''): string => host.replace(/\.?(?::\d*)?$/, '').toLowerCase()

/** True for names and addresses by which machines of the operator reach each other: none is a domain. */
const isInternal = (name: string): boolean => !name.includes('.') || isIP(name) !== 0 || name.startsWith('[')
