import { type RawBuilder, sql } from 'kysely'
import type { Changes } from '../database/changes.ts'
import type { Database } from '../database/connect.ts'
import { readShared } from '../database/replica/public-databases.ts'

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
  let kept: { generation: number; targets: Targets | null } | null = null
  let reading: Promise<Targets | null> | null = null

  const generation = () => changes?.generationOf(['acteurs']) ?? null
  const isCurrent = () => kept !== null && kept.generation === generation()

  async function readAll(): Promise<Targets | null> {
    const now = generation()
    if (now === null) return null
    const [all, mayBeOutdated] = await readShared(() => mapAllMerged(db, maxCached + 1))
    const targets = all.size > maxCached ? null : all
    if (!mayBeOutdated) kept = { generation: now, targets }
    return now === generation() ? targets : null
  }

  return async (ids) => {
    let targets = isCurrent() ? (kept?.targets ?? null) : null
    if (generation() !== null && !isCurrent()) {
      reading ??= readAll().finally(() => {
        reading = null
      })
      targets = await reading
    }
    return targets ?? mapMerged(db, ids)
  }
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

async function mapAllMerged(db: Database, limit: number): Promise<Targets> {
  const { rows } = await sql<Merged>`
    select id, merged_into from acteurs where merged_into is not null limit ${limit}`.execute(db)
  return mapOf(rows)
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
