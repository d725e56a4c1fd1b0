import type { Changes } from '../database/changes.ts'
import type { Database } from '../database/connect.ts'
import { readShared } from '../database/replica/public-databases.ts'
import { scopeViolation } from '../errors.ts'

/** The application that a request comes from. It filters content; it is not a security boundary. */
export type AppSource = {
  code: string
  /** Null: no restriction. Otherwise the application sees only the publications of these communes. */
  communeIds: string[] | null
}
type Row = { code: string; commune_ids: string[] | null; active: boolean }

export type AppSources = {
  /** Looks the code up. An unknown code counts as `public`; an inactive one is refused. */
  find(code: string): Promise<AppSource>
  /** Reads from the cache only. Returns null when the code is not cached or the application is inactive. */
  findCached(code: string): AppSource | null
}

/** Upper bound of cached codes; with more, each request looks up its own code. */
const maxCached = 1_000

/**
 * Caches the application sources until one changes. Without notifications from the database it reads them for each
 * request.
 */
export function appSources(db: Database, changes: Changes | null): AppSources {
  let cached: { generation: number; rows: Map<string, Row> } | null = null
  let reading: Promise<Map<string, Row> | null> | null = null

  const generation = () => changes?.generationOf(['app_sources']) ?? null
  const cachedRows = () => (cached !== null && cached.generation === generation() ? cached.rows : null)

  async function readAll(): Promise<Map<string, Row> | null> {
    const now = generation()
    if (now === null) return null
    const [all, mayBeOutdated] = await readShared(() => listAppSources(db, maxCached + 1))
    if (all.length > maxCached || now !== generation()) return null
    const rows = new Map(all.map((row) => [row.code, row]))
    if (!mayBeOutdated) cached = { generation: now, rows }
    return rows
  }

  return {
    async find(code) {
      let rows = cachedRows()
      if (changes !== null && rows === null) {
        reading ??= readAll().finally(() => {
          reading = null
        })
        rows = await reading
      }
      const source = choose(rows ?? (await listNamed(db, code)), code)
      if (source === undefined || !source.active) throw scopeViolation()
      return { code: source.code, communeIds: source.commune_ids }
    },
    findCached(code) {
      const rows = cachedRows()
      const source = rows === null ? undefined : choose(rows, code)
      return source?.active ? { code: source.code, communeIds: source.commune_ids } : null
    },
  }
}

const choose = (rows: Map<string, Row>, code: string) => rows.get(code.toLowerCase()) ?? rows.get('public')

function listAppSources(db: Database, limit: number): Promise<Row[]> {
  return db.selectFrom('app_sources').select(['code', 'commune_ids', 'active']).limit(limit).execute()
}

async function listNamed(db: Database, code: string): Promise<Map<string, Row>> {
  const rows = await db
    .selectFrom('app_sources')
    .select(['code', 'commune_ids', 'active'])
    .where('code', 'in', [code.toLowerCase(), 'public'])
    .execute()
  return new Map(rows.map((row) => [row.code, row]))
}
