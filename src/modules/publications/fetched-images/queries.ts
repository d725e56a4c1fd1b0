import { sql } from 'kysely'
import type { Database } from '../../../platform/database/connect.ts'
import { deletionOf } from '../../../platform/jobs/sweeps.ts'
import type { ImageProblem } from '../schema.ts'

/** An address that a worker has. `attempts` tells whether it still has it. */
export type Claimed = {
  id: string
  acteur_id: string | null
  address: string
  attempts: number
  media_id: string | null
}

/**
 * Lists hosts with a due address that are free within two seconds, longer than a fetch leaves one alone, those first that
 * are free the longest.
 */
export async function listReadyHosts(db: Database): Promise<{ host: string; free_in_ms: number }[]> {
  const { rows } = await sql<{ host: string; free_in_ms: number }>`
    with recursive waiting (host) as (
      -- Jumps from host to host, however many addresses each has.
      (select host from image_fetches where state = 'waiting' order by host limit 1)
      union all
      select (select f.host from image_fetches f where f.state = 'waiting' and f.host > w.host order by f.host limit 1)
      from waiting w where w.host is not null)
    select w.host, greatest(0, extract(epoch from h.free_at - now()) * 1000)::float8 as free_in_ms
    from waiting w left join image_hosts h on h.host = w.host
    where coalesce(h.free_at, now()) <= now() + interval '2 seconds' and exists (
      select from image_fetches f where f.host = w.host and f.state = 'waiting' and f.next_at <= now())
    order by h.free_at nulls first limit 100`.execute(db)
  return rows.map(({ host, free_in_ms }) => ({ host, free_in_ms: free_in_ms ?? 0 }))
}

/** Reserves a host, for longer than a fetch takes; false if another worker has it, or had it less than a second ago. */
export async function claimHost(db: Database, host: string): Promise<boolean> {
  const { rows } = await sql`
    insert into image_hosts (host, free_at) values (${host}, now() + interval '5 minutes')
    on conflict (host) do update set free_at = excluded.free_at where image_hosts.free_at <= now()
    returning host`.execute(db)
  return rows.length > 0
}

export async function releaseHost(db: Database, host: string, afterSeconds: number): Promise<void> {
  await sql`
    update image_hosts set free_at = now() + make_interval(secs => ${afterSeconds}) where host = ${host}`.execute(
    db,
  )
}

/** Begins an attempt at the latest due address of a host. A worker that dies leaves it to the next one after a while. */
export async function claimAddress(db: Database, host: string): Promise<Claimed | undefined> {
  const { rows } = await sql<Claimed>`
    update image_fetches set attempts = attempts + 1, next_at = now() + interval '10 minutes'
    where id = (
      select id from image_fetches where host = ${host} and state = 'waiting' and next_at <= now()
      order by next_at desc limit 1 for update skip locked)
    returning id::text, acteur_id, address, attempts, media_id`.execute(db)
  return rows[0]
}

const wanting = ({ acteur_id, address }: Claimed) => sql<boolean>`(
  md5(image_url) = md5(${address}) and image_url = ${address} and images is null
  and acteur_id is not distinct from ${acteur_id}::uuid)`

/** True if a publication still names the address, and has no pictures. */
export async function isWanted(db: Database, claimed: Claimed): Promise<boolean> {
  const { rows } = await sql`select from publications where ${wanting(claimed)} limit 1`.execute(db)
  return rows.length > 0
}

/** Locks some of the publications that want the picture. */
export async function listWantingForUpdate(tx: Database, claimed: Claimed, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from publications where ${wanting(claimed)} order by id limit ${limit} for no key update`.execute(
    tx,
  )
  return rows.map(({ id }) => id)
}

/** Locks the address until the transaction ends, and returns its picture; undefined if another worker has it. */
export async function findClaimedForUpdate(
  tx: Database,
  { id, attempts }: Claimed,
): Promise<{ media_id: string | null } | undefined> {
  const { rows } = await sql<{ media_id: string | null }>`
    select f.media_id from image_fetches f
    where f.id = ${id}::bigint and f.state = 'waiting' and f.attempts = ${attempts} for update`.execute(tx)
  return rows[0]
}

/** Locks a picture against being deleted; false if it was. */
export async function existsForShare(tx: Database, mediaId: string): Promise<boolean> {
  const { rows } = await sql`select from media where id = ${mediaId} for share`.execute(tx)
  return rows.length > 0
}

/** Gives publications their picture, in the newest version of their texts too. */
export async function attachFetched(tx: Database, ids: string[], mediaId: string): Promise<void> {
  await sql`
    update publications set images = array[${mediaId}::uuid], fetched_image = ${mediaId}
    where id = any(${ids}::uuid[])`.execute(tx)
  await sql`
    update publication_versions v set images = array[${mediaId}::uuid]
    where v.publication_id = any(${ids}::uuid[]) and v.images is null and not exists (
      select from publication_versions newer
      where newer.publication_id = v.publication_id and (newer.written_at, newer.id) > (v.written_at, v.id))`.execute(
    tx,
  )
  await sql`update media set unused_since = null where id = ${mediaId}`.execute(tx)
}

type Ending = { state: 'waiting' | 'done'; mediaId: string | null }

/** Ends the address, or leaves it for further publications, with the picture that it has. */
export async function settleAddress(
  tx: Database,
  { id }: Claimed,
  { state, mediaId }: Ending,
): Promise<void> {
  await sql`
    update image_fetches set state = ${state}, media_id = ${mediaId}, next_at = now()
    where id = ${id}::bigint`.execute(tx)
}

/** Notes a failed attempt: the next one is after so many minutes; null: there is none. */
export async function noteFailure(
  db: Database,
  { id, attempts }: Claimed,
  problem: ImageProblem,
  retryMinutes: number | null,
): Promise<void> {
  const isLast = retryMinutes === null
  await sql`
    update image_fetches set state = ${isLast ? 'failed' : 'waiting'}, problem = ${isLast ? problem : null},
      next_at = now() + make_interval(mins => ${retryMinutes ?? 0})
    where id = ${id}::bigint and state = 'waiting' and attempts = ${attempts}`.execute(db)
}

/** Lines of a run's log that are shown. */
const maxLines = 1_000

/** Adds a line to the log of each import run that brought the address, about the item that names it. */
export async function logInImports(db: Database, claimed: Claimed, message: string): Promise<void> {
  await sql`
    with named as (
      select distinct on (i.source_id) i.run_id, i.external_id
      from import_items i where i.publication_id in (select id from publications where ${wanting(claimed)})
      order by i.source_id, i.publication_id),
    counted as (
      update import_runs r set lines_total = r.lines_total + 1 from named
      where r.id = named.run_id and r.lines_total < ${sql.lit(maxLines)}
      returning r.id, r.lines_total, named.external_id)
    insert into import_log (run_id, first_line, lines)
    select id, lines_total - 1, jsonb_build_array(jsonb_build_object(
      'at', to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'level', 'warning',
      'message', ${message}::text, 'external_id', external_id)) from counted`.execute(db)
}

/** Queues what publications named before there was a queue, a batch of them; returns how many it looked at. */
export async function queueBacklog(db: Database, batch: number): Promise<number> {
  return db.transaction().execute(async (tx) => {
    const { rows } = await sql<{
      digest: string
      id: string
    }>`select * from image_backlog for update skip locked`.execute(tx)
    const [from] = rows
    if (from === undefined) return 0
    const { rows: queued } = await sql<{ count: number }>`
      with named as (
        select id, acteur_id, image_url from publications
        where image_url is not null and images is null
          and (md5(image_url), id) > (${from.digest}, ${from.id}::uuid)
        order by md5(image_url), id limit ${batch}),
      queued as (
        insert into image_fetches (acteur_id, address, host)
        select acteur_id, image_url, image_host(image_url) from (
          select distinct md5(image_url), acteur_id, image_url from named order by 1, 2) addresses
        on conflict do nothing),
      moved as (
        update image_backlog set (digest, id) = (
          select md5(image_url), id from named order by md5(image_url) desc, id desc limit 1)
        where exists (select from named))
      select count(*)::int as count from named`.execute(tx)
    const count = queued[0]?.count ?? 0
    if (count < batch) await sql`delete from image_backlog`.execute(tx)
    return count
  })
}

const deleteEnded = deletionOf(
  'image_fetches',
  sql`state <> 'waiting' and next_at < now() - interval '90 days'`,
  {
    oldest: 'next_at',
  },
)
const deleteFree = deletionOf('image_hosts', sql`free_at < now() - interval '1 day'`, {
  key: 'host',
  oldest: 'free_at',
})

/** Deletes what ended long ago, and hosts that nobody has asked since yesterday. */
export const deleteOld = async (db: Database, batch: number): Promise<number> =>
  Math.max(await deleteEnded(db, batch), await deleteFree(db, batch))
