import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../platform/database/connect.ts'
import { notFound, raise } from '../../platform/errors.ts'
import type { MovesOnMerge } from '../../platform/merging.ts'
import { attachedTo } from '../publications/visibility.ts'
import type { Readings } from './schema.ts'

export type Counted = { kind: string; id: string; day: string; count: number }
/** What a process has counted. Its batches are numbered, and each counts once, however often it is sent. */
export type Batch = { process: string; number: number; counted: readonly Counted[] }

/** Adds a batch, in one statement. Processes lock the rows in the same order, so that none waits for another in a circle. */
export async function addReadings(db: Database, { process, number, counted }: Batch): Promise<void> {
  const of = <K extends keyof Counted>(key: K) => counted.map((one) => one[key])
  await sql`
    with fresh as (
      insert into reading_processes (id, batch) values (${process}, ${number})
      on conflict (id) do update set batch = excluded.batch, added_at = now()
      where reading_processes.batch < excluded.batch
      returning 1),
    ended as (
      delete from reading_processes where id in (
        select id from reading_processes where added_at < now() - interval '7 days' and id <> ${process}
        for update skip locked))
    insert into readings (kind, record_id, day, count)
    select kind, id, day, count
    from unnest(${of('kind')}::text[], ${of('id')}::uuid[], ${of('day')}::date[], ${of('count')}::integer[])
      c(kind, id, day, count)
    where exists (select from fresh)
    order by kind, id, day
    on conflict (kind, record_id, day) do update set count = readings.count + excluded.count`.execute(db)
}

/** Adds the readings of a merged acteur to those of its target. */
export const moveReadings: MovesOnMerge = async (tx, _deps, { from, into }, limit) => {
  const { numAffectedRows } = await sql`
    with moved as (
      delete from readings where kind = 'acteur' and record_id = ${from} and day = any(array(
        select day from readings where kind = 'acteur' and record_id = ${from} order by day limit ${limit}))
      returning day, count)
    insert into readings (kind, record_id, day, count)
    select 'acteur', ${into}, day, count from moved order by day
    on conflict (kind, record_id, day) do update set count = readings.count + excluded.count`.execute(tx)
  return Number(numAffectedRows)
}

/** Publications, and pages, that are looked up. */
const maxNewest = 100

/** Days that are listed: `from` and `today`, and those between them. */
export type Days = { from: string; today: string }
type OfActeur = {
  acteurId: string
  /** This publication alone; null: all records. */
  publicationId: string | null
  /** Communes the application is restricted to; null: no restriction. */
  communeIds: string[] | null
}

/** Reads how often the pages of an acteur were read. A record that only some acteurs have is left out until it was. */
export function readingsOfActeur(
  db: Database,
  { acteurId, publicationId, communeIds }: OfActeur,
  days: Days,
): Promise<Found> {
  const isShown = communeIds === null ? sql`true` : sql`c.id = any(${communeIds}::uuid[])`
  const isAttached = communeIds === null ? sql`true` : attachedTo(communeIds)
  const isWanted = publicationId === null ? sql`true` : sql`p.id = ${publicationId}`
  const others = sql`
    select 1 as place, 'acteur' as kind, id, nom as title from acteurs where id = ${acteurId}
    union all select 2, 'group', id, nom from groups where acteur_id = ${acteurId}
    union all select 3, 'commune', c.id, c.nom from communes c where c.mairie_actor_id = ${acteurId} and ${isShown}
    union all (
      select 4, 'page', g.id, g.title from commune_pages g join communes c on c.id = g.commune_id
      where c.mairie_actor_id = ${acteurId} and ${isShown} order by g.created_at desc, g.id limit ${sql.lit(maxNewest)})
    union all`
  const records = sql`
    ${publicationId === null ? others : sql``} (
      select ${sql.lit(publicationId === null ? 5 : 1)} as place, 'publication' as kind, p.id, p.title from publications p
      where p.acteur_id = ${acteurId} and p.deleted_at is null and ${isAttached} and ${isWanted}
      order by p.created_at desc, p.id desc limit ${sql.lit(maxNewest)})`
  return readingsOf(db, records, days)
}

/** Reads how often a publication was read, in any state; 404 if it does not exist. */
export async function readingsOfPublication(db: Database, id: string, days: Days): Promise<Found> {
  const found = await readingsOf(
    db,
    sql`select 1 as place, 'publication' as kind, id, title from publications where id = ${id}`,
    days,
  )
  if (found.records.length === 0) throw notFound()
  return found
}

type Found = Omit<Readings, 'behind_edge'>

async function readingsOf(db: Database, records: RawBuilder<unknown>, { from, today }: Days): Promise<Found> {
  const { rows } = await sql<Found>`
    with wanted as materialized (${records}),
    counted as (
      select w.*, n.last_30_days, n.total
      from wanted w
      cross join lateral (
        select coalesce(sum(r.count) filter (where r.day >= ${from}), 0)::int as last_30_days,
          coalesce(sum(r.count), 0)::int as total
        from readings r where r.kind = w.kind and r.record_id = w.id) n
      where w.place < 4 or n.total > 0),
    -- The primary key finds the days of a record.
    recent as (
      select r.day, sum(r.count)::int as count
      from wanted w join readings r on r.kind = w.kind and r.record_id = w.id and r.day >= ${from}
      group by r.day)
    select
      (select min(day)::text from readings) as since,
      (select json_agg(json_build_object('day', d.day::date, 'count', coalesce(recent.count, 0)) order by d.day)
        from generate_series(${from}::date, ${today}::date, interval '1 day') d(day)
        left join recent on recent.day = d.day::date) as days,
      (select coalesce(json_agg(
          json_build_object('kind', kind, 'id', id, 'title', title, 'last_30_days', last_30_days, 'total', total)
          order by place, last_30_days desc, total desc, id), '[]')
        from counted) as records`.execute(db)
  return rows[0] ?? raise(notFound())
}
