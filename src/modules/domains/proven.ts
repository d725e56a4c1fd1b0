import { cachedUntilChange } from '../../platform/access/cached-until-change.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Changes } from '../../platform/database/changes.ts'
import type { Database } from '../../platform/database/connect.ts'
import { type Domain, type Domains, noDomains, tagsOfDomains } from '../../platform/http/hosts.ts'
import { listProven, type ProvenDomain } from './queries.ts'

type Addresses = Pick<Config, 'hasSite' | 'publicSiteUrl' | 'publicUrl'>

/** Reads the domains that are served, once until one changes; none where the public site is not served. */
export function provenDomains(db: Database, changes: Changes | null, addresses: Addresses) {
  const read = async () => (addresses.hasSite ? domainsOf(await listProven(db), addresses) : noDomains)
  return { cached: cachedUntilChange(changes, tagsOfDomains, read), read }
}

function domainsOf(rows: readonly ProvenDomain[], addresses: Addresses): Domains {
  const all = rows.map(({ host, commune_id, slug, nom, couleur, blason, commune_ids }): Domain => {
    const home = `/${commune_id === null ? 'groupes' : 'communes'}/${slug}`
    return { host, origin: originOf(host, addresses), home, nom, couleur, blason, communeIds: commune_ids }
  })
  return {
    byHost: new Map(all.map((domain) => [domain.host, domain])),
    // Of several, the first one stays: the primary, else the oldest.
    byHome: new Map(all.toReversed().map((domain) => [domain.home, domain])),
  }
}

/** Returns the origin of a domain: with the scheme and the port of the platform, which one proxy serves with it. */
export function originOf(host: string, { publicSiteUrl, publicUrl }: Omit<Addresses, 'hasSite'>): string {
  const { protocol, port } = new URL(publicSiteUrl ?? publicUrl)
  return `${protocol}//${host}${port === '' ? '' : `:${port}`}`
}

type OriginFinder = (communeIds: readonly string[], groupIds?: readonly string[]) => string

/**
 * Returns what finds the origin of links in mails about some communes: that of the domain which all of them have, of several the
 * primary one, else the oldest; without any, that of the first of these groups that has one; at last that of the platform.
 */
export async function originFinder(db: Database, addresses: Addresses): Promise<OriginFinder> {
  const platform = addresses.publicSiteUrl ?? addresses.publicUrl
  const origins = new Map<string, string>()
  for (const { host, commune_id, group_id } of addresses.hasSite ? await listProven(db) : []) {
    const place = commune_id ?? group_id ?? ''
    if (!origins.has(place)) origins.set(place, originOf(host, addresses))
  }
  return (communeIds, groupIds = []) => {
    const [only, ...others] = new Set(communeIds.map((id) => origins.get(id)))
    const ofGroups = groupIds.map((id) => origins.get(id)).find((origin) => origin !== undefined)
    return (others.length === 0 ? only : undefined) ?? ofGroups ?? platform
  }
}
