import { sql } from 'kysely'
import type { Changes } from '../database/changes.ts'
import type { Database } from '../database/connect.ts'
import { scopeViolation } from '../errors.ts'
import { cachedUntilChange } from './cached-until-change.ts'

/** The application that a request comes from. It filters content; it is not a security boundary. */
export type AppSource = {
  code: string
  /** Null: no restriction. Otherwise the application sees only the publications of these communes, of a group its present members. */
  communeIds: string[] | null
}
type Row = { code: string; commune_ids: string[] | null; active: boolean }

export type AppSources = {
  /** Looks the code up. An unknown code counts as `public`; an inactive one is refused. */
  find(code: string): Promise<AppSource>
  /** Reads from the cache only. Returns null when the code is not cached or the application is inactive. */
  findCached(code: string): AppSource | null
}

/** Returns a source that shows nothing but these communes, of those that it shows. */
export const within = (source: AppSource, communeIds: readonly string[]): AppSource => ({
  ...source,
  communeIds:
    source.communeIds === null ? [...communeIds] : source.communeIds.filter((id) => communeIds.includes(id)),
})

/** Tables from which sources are read. */
export const tablesOfSources = ['app_sources', 'group_communes'] as const

/** Upper bound of cached codes; with more, each request looks up its own code. */
const maxCached = 1_000

/**
 * Caches the application sources until one changes. Without notifications from the database it reads them for each
 * request.
 */
export function appSources(db: Database, changes: Changes | null): AppSources {
  const all = cachedUntilChange(changes, tablesOfSources, () => mapAll(db))

  return {
    async find(code) {
      const source = choose((await all.read()) ?? (await mapNamed(db, code)), code)
      if (source === undefined || !source.active) throw scopeViolation()
      return { code: source.code, communeIds: source.commune_ids }
    },
    findCached(code) {
      const rows = all.current()
      const source = rows ? choose(rows, code) : undefined
      return source?.active ? { code: source.code, communeIds: source.commune_ids } : null
    },
  }
}

const columns = [
  'code' as const,
  'active' as const,
  sql<string[] | null>`case when group_id is null then commune_ids else array(
    select commune_id from group_communes m where m.group_id = app_sources.group_id order by commune_id) end`.as(
    'commune_ids',
  ),
]

const choose = (rows: Map<string, Row>, code: string) => rows.get(code.toLowerCase()) ?? rows.get('public')

/** Returns all sources by code; null if there are too many to cache. */
async function mapAll(db: Database): Promise<Map<string, Row> | null> {
  const rows = await db
    .selectFrom('app_sources')
    .select(columns)
    .limit(maxCached + 1)
    .execute()
  return rows.length > maxCached ? null : new Map(rows.map((row) => [row.code, row]))
}

async function mapNamed(db: Database, code: string): Promise<Map<string, Row>> {
  const rows = await db
    .selectFrom('app_sources')
    .select(columns)
    .where('code', 'in', [code.toLowerCase(), 'public'])
    .execute()
  return new Map(rows.map((row) => [row.code, row]))
}
