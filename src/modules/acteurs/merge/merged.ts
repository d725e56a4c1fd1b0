import { type RawBuilder, sql } from 'kysely'
import { cachedUntilChange } from '../../../platform/access/cached-until-change.ts'
import type { Changes } from '../../../platform/database/changes.ts'
import type { Database } from '../../../platform/database/connect.ts'

/** Selects the id of the acteur, or the id of its target if it was merged. */
export const answeringActeur = (id: string): RawBuilder<string> =>
  sql<string>`(select coalesce(merged_into, id) from acteurs where id = ${id})`

/** Merge targets by the ids of merged acteurs. */
export type Targets = ReadonlyMap<string, string>
/** Returns the targets of the given acteurs that were merged. */
export type FindMerged = (ids: string[]) => Promise<Targets>

/** Upper bound of cached acteurs; with more they are looked up for each request. */
const maxCached = 10_000

/**
 * Caches which acteurs were merged until an acteur changes. Without notifications from the database it looks them up for
 * each request.
 */
export function mergedActeurs(db: Database, changes: Changes | null): FindMerged {
  const all = cachedUntilChange(changes, ['acteurs'], () => mapAllMerged(db))
  return async (ids) => (await all.read()) ?? mapMerged(db, ids)
}

/**
 * Returns the targets of the given acteurs that were merged, and those of acteurs that are being merged into them, as
 * the database has them now.
 */
export async function findMergedNow(db: Database, ids: string[]): Promise<Targets> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<Merged>`
    select id, merged_into from acteurs where id = any(${ids}::uuid[]) and merged_into is not null
    union
    select id, merged_into from acteurs where merged_into = any(${ids}::uuid[]) and deleted_at is null`.execute(
    db,
  )
  return mapOf(rows)
}

/** Returns the targets of all merged acteurs; null if there are too many to cache. */
async function mapAllMerged(db: Database): Promise<Targets | null> {
  const { rows } = await sql<Merged>`
    select id, merged_into from acteurs where merged_into is not null limit ${maxCached + 1}`.execute(db)
  return rows.length > maxCached ? null : mapOf(rows)
}

async function mapMerged(db: Database, ids: string[]): Promise<Targets> {
  const { rows } = await sql<Merged>`
    select id, merged_into from acteurs where id = any(${ids}::uuid[]) and merged_into is not null`.execute(
    db,
  )
  return mapOf(rows)
}

const mapOf = (rows: Merged[]): Targets => new Map(rows.map(({ id, merged_into }) => [id, merged_into]))

type Merged = { id: string; merged_into: string }
