import { sql } from 'kysely'
import { allOf } from '../../../platform/database/conditions.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { prepared } from '../../../platform/database/pools/prepared.ts'
import { publicationTables, publicColumns } from '../columns.ts'
import type { Publication } from '../schema.ts'
import { shownIn, visible } from '../visibility.ts'

/**
 * Imports and programs may announce an event by a publication for each of its dates: the same acteur, title and place. Pages
 * show them as one series, as they show a recurrence.
 */
type Named = Pick<Publication, 'id' | 'acteur_id' | 'titre' | 'date_debut' | 'recurrence' | 'lieu'>

/** A date of a series, as its publication. */
export type DateOfSeries = { id: string; slug: string; jour: string }

/** Returns what the dates of a series share; null for what has no date, or has a recurrence. */
export const seriesKeyOf = ({ acteur_id, titre, date_debut, recurrence, lieu }: Named): string | null =>
  acteur_id === null || date_debut === null || recurrence !== null
    ? null
    : JSON.stringify([acteur_id, titre, lieu?.nom ?? null])

/** So many dates of a series are read at most. */
export const maxDatesOfSeries = 60

/** Lists the dates of series from a day on that are visible, in these communes if given, by their keys, in order. */
export async function mapNextDates(
  db: Database,
  publications: readonly Named[],
  from: string,
  communeIds: string[] | null,
): Promise<Map<string, DateOfSeries[]>> {
  const keys = [...new Set(publications.map(seriesKeyOf))].filter((key) => key !== null)
  if (keys.length === 0) return new Map()
  const isNext = allOf(
    sql`p.acteur_id = wanted.acteur_id and md5(p.title) = md5(wanted.title) and p.title = wanted.title`,
    sql`p.date_debut >= ${from}::date and p.jours is null and p.deleted_at is null`,
    sql`p.lieu ->> 'nom' is not distinct from wanted.lieu`,
    visible,
    communeIds !== null && shownIn(communeIds),
  )
  const { rows } = await sql<DateOfSeries & { key: string }>`
    with wanted as materialized (
      select key, (key::jsonb ->> 0)::uuid as acteur_id, key::jsonb ->> 1 as title, key::jsonb ->> 2 as lieu
      from unnest(${keys}::text[]) key)
    select wanted.key, next.* from wanted cross join lateral (
      select p.id, p.slug, p.date_debut as jour from publications p left join acteurs a on a.id = p.acteur_id
      where ${isNext} order by p.date_debut, p.id limit ${sql.lit(maxDatesOfSeries)}) next
    order by wanted.key, next.jour, next.id`.execute(prepared(db))
  return Map.groupBy(rows, ({ key }) => key)
}

/** Lists these publications as far as they are visible. */
export async function listByIds(db: Database, ids: readonly string[]): Promise<Publication[]> {
  const { rows } = await sql<Publication>`
    select ${publicColumns} from ${publicationTables} where p.id = any(${ids}::uuid[]) and ${visible}`.execute(
    prepared(db),
  )
  return rows
}
