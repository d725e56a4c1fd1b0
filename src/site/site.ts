import type { FastifyRequest } from 'fastify'
import { findPublicActeur, type PublicActeur } from '../modules/acteurs/reading.ts'
import { findCommune } from '../modules/communes/reading.ts'
import type { Commune } from '../modules/communes/schema.ts'
import { findPublication, findPublicationBySlug, listFirst } from '../modules/publications/reading/queries.ts'
import type { Publication } from '../modules/publications/schema.ts'
import { isPinned } from '../modules/publications/stored-lists.ts'
import { isShown, restrictionOf } from '../modules/publications/visibility.ts'
import type { CountedKind } from '../modules/readings/kinds.ts'
import type { SearchTopic } from '../modules/reference/search-topics.ts'
import type { Caller } from '../platform/access/caller.ts'
import type { Config } from '../platform/config/config.ts'
import type { Database } from '../platform/database/connect.ts'
import { notFound, raise } from '../platform/errors.ts'
import { isUuid } from '../platform/formats/uuid.ts'
import type { Domain, Domains } from '../platform/http/hosts.ts'
import type { HttpServer } from '../platform/http/http-server.ts'
import type { RateLimits } from '../platform/http/rate-limits/rate-limits.ts'
import type { Jobs } from '../platform/jobs/jobs.ts'
import type { Clock } from '../platform/time/clock.ts'
import type { Banner } from './commune/header.ts'
import type { FinishedFiles } from './finished-files.ts'
import type { SiteSettings } from './settings.ts'

/** What every page reads from, on whatever host. */
export type SiteBase = {
  config: Config
  settings: SiteSettings
  db: Database
  reads: Database
  lists: Database
  jobs: Pick<Jobs, 'enqueue'>
  clock: Clock
  limits: Pick<RateLimits, 'countClient' | 'countKey'>
  /** Finds what a search within a commune is about. */
  findTopics(q: string): Promise<SearchTopic[]>
  /** The files of the open data and of the sitemap. */
  finished: FinishedFiles
  /** Paths of files, each with a digest in its name. */
  files: {
    css: string
    screen: string
    logo: string | null
    subscribe: string
    around: string
    mapButton: string
    keep: string
  }
}

/** The site as the host of a request shows it. */
export type Site = SiteBase & Shown
type Shown = {
  /** Origin of its addresses. */
  url: string
  /** Origin of the platform, which shows all. */
  platform: string
  /** Before paths that the platform alone serves. */
  service: string
  /** Null: the platform. */
  domain: Domain | null
  domains: Domains
  /** Reads the urgent alertes of the one commune that the site shows, for pages that have not its head; null: it shows several. */
  readBanner(): Promise<Banner | null>
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Of a page of the site. */
    site: Site
  }
}

export type Pages = (scope: HttpServer, site: SiteBase) => void

/** Returns the site under its name, colour and origin on a domain; null: on the platform. */
export function siteOn<Base extends Omit<SiteBase, 'limits'>>(
  base: Base,
  domain: Domain | null,
  domains: Domains,
): Base & Shown {
  const { publicSiteUrl, publicUrl } = base.config
  const platform = publicSiteUrl ?? publicUrl
  const readBanner = async () => null
  if (domain === null) return { ...base, url: platform, platform, service: '', domain, domains, readBanner }
  const { nom: name, couleur, origin: url } = domain
  const settings = { ...base.settings, name, color: couleur ?? base.settings.color }
  // The picture of the platform is not that of the place.
  const files = { ...base.files, logo: null }
  return { ...base, settings, files, url, platform, service: publicUrl, domain, domains, readBanner }
}

/** Returns the commune of a path if the site shows it; 404 otherwise. */
export async function shownCommune(site: SiteBase, caller: Caller, slugOrId: string): Promise<Commune> {
  return (await findShownCommune(site, caller, slugOrId)) ?? raise(notFound())
}

/** Returns the commune of a path if the site shows it; null otherwise. */
export async function findShownCommune(
  site: SiteBase,
  caller: Caller,
  slugOrId: string,
): Promise<Commune | null> {
  const commune = await findCommune(site.reads, slugOrId)
  const communeIds = restrictionOf(caller)
  return commune === null || (communeIds !== null && !communeIds.includes(commune.id)) ? null : commune
}

/** Returns the publication of a path, also of a former slug, if the site shows it; 404 otherwise. */
export async function shownPublication(
  { reads }: SiteBase,
  caller: Caller,
  slugOrId: string,
): Promise<Publication> {
  const publication = isUuid(slugOrId)
    ? await findPublication(reads, slugOrId.toLowerCase())
    : await findPublicationBySlug(reads, slugOrId)
  if (publication === undefined || !(await isShown(reads, caller, publication))) throw notFound()
  return publication
}

/**
 * Returns the acteur of a path, also of a former slug, if the site shows it; 404 otherwise. A site restricted to
 * communes shows acteurs of these, and those of which it shows a publication.
 */
export async function shownActeur(site: SiteBase, caller: Caller, idOrSlug: string): Promise<PublicActeur> {
  const acteur = await findPublicActeur(site.reads, idOrSlug)
  if (acteur === null) throw notFound()
  const communeIds = restrictionOf(caller)
  if (communeIds === null || (acteur.commune !== null && communeIds.includes(acteur.commune.id)))
    return acteur
  const list = { filters: { acteur_id: acteur.id }, communeIds, comesFirst: isPinned }
  const shown = await listFirst(site.lists, list, 1)
  if (shown.length === 0) throw notFound()
  return acteur
}

/** Has the readings of a page counted, for the record that it shows. */
export function countReadings(request: FastifyRequest, kind: CountedKind, { id }: { id: string }): void {
  request.countedPage = { kind, id }
}

/** Returns the query string of a request, with its question mark. */
export const searchOf = (url: string) => (url.includes('?') ? url.slice(url.indexOf('?')) : '')
