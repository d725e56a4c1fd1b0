import { sql } from 'kysely'
import type { Database } from '../../platform/database/connect.ts'
import type { MovesOnMerge } from '../../platform/merging.ts'

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
