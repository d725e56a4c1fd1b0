import { findCommune } from '../modules/communes/reading.ts'
import type { Commune } from '../modules/communes/schema.ts'
import { restrictionOf } from '../modules/publications/visibility.ts'
import type { Caller } from '../platform/access/caller.ts'
import type { Config } from '../platform/config/config.ts'
import type { Database } from '../platform/database/connect.ts'
import { notFound } from '../platform/errors.ts'
import type { HttpServer } from '../platform/http/http-server.ts'
import type { Clock } from '../platform/time/clock.ts'
import type { SiteSettings } from './settings.ts'

/** What every page reads from. */
export type Site = {
  config: Config
  settings: SiteSettings
  /** Origin and path of canonical addresses. */
  url: string
  db: Database
  reads: Database
  lists: Database
  clock: Clock
  /** Paths of files, each with a digest in its name. */
  files: { css: string; logo: string | null }
}

export type Pages = (scope: HttpServer, site: Site) => void

/** Returns the commune of a path if the site shows it; 404 otherwise. */
export async function shownCommune(site: Site, caller: Caller, slugOrId: string): Promise<Commune> {
  const commune = await findCommune(site.reads, slugOrId)
  const communeIds = restrictionOf(caller)
  if (commune === null || (communeIds !== null && !communeIds.includes(commune.id))) throw notFound()
  return commune
}

/** Returns the query string of a request, with its question mark. */
export const searchOf = (url: string) => (url.includes('?') ? url.slice(url.indexOf('?')) : '')
