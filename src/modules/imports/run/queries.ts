import { sql } from 'kysely'
import { columnList, columnsOf } from '../../../platform/database/columns.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { uuidv7 } from '../../../platform/formats/uuid.ts'
import type { LogLine } from '../history.ts'
import { type Action, Run } from '../schema.ts'

export type Counts = Record<
  'fetched' | 'created' | 'updated' | 'unchanged' | 'duplicates' | 'rejected' | 'held',
  number
>
/** A queued or running run with its number of attempts. */
export type RunUnderWay = Run & { attempts: number; lines_total: number }

const answered = columnList(Run.properties)
const columns = sql`${answered}, attempts, lines_total`

export async function insertRun(
  tx: Database,
  values: {
    id: string
    source_id: string
    dry_run: boolean
    status: 'queued' | 'running'
    started_at?: Date
  },
): Promise<RunUnderWay> {
  return tx
    .insertInto('import_runs')
    .values(values)
    .returning([...columnsOf(Run.properties), 'attempts', 'lines_total'])
    .$castTo<RunUnderWay>()
    .executeTakeFirstOrThrow()
}

/**
 * Starts the next attempt of an unfinished run from the beginning; undefined if it is finished. Keeps the
 * changes of earlier attempts, which are counted again with their original action.
 */
export async function beginRun(tx: Database, id: string): Promise<RunUnderWay | undefined> {
  const { rows } = await sql<RunUnderWay>`
    update import_runs set status = 'running', attempts = attempts + 1, alive_at = now(),
      started_at = case when status = 'queued' then date_trunc('milliseconds', now()) else started_at end,
      fetched = 0, created = 0, updated = 0, unchanged = 0, duplicates = 0, rejected = 0, held = 0, lines_total = 0
    where id = ${id} and status in ('queued', 'running') returning ${columns}`.execute(tx)
  if (rows.length > 0) {
    await sql`delete from import_log where run_id = ${id}`.execute(tx)
    await sql`delete from import_run_items where run_id = ${id}`.execute(tx)
  }
  return rows[0]
}

/** Adds to the counts of a run; undefined when another attempt took over or it is finished. */
export async function addToRun(
  tx: Database,
  { id, attempts }: Pick<RunUnderWay, 'id' | 'attempts'>,
  counts: Counts,
  lines: number,
): Promise<{ lines_total: number } | undefined> {
  const { rows } = await sql<{ lines_total: number }>`
    update import_runs set alive_at = now(), fetched = fetched + ${counts.fetched}, created = created + ${counts.created},
      updated = updated + ${counts.updated}, unchanged = unchanged + ${counts.unchanged},
      duplicates = duplicates + ${counts.duplicates}, rejected = rejected + ${counts.rejected},
      held = held + ${counts.held},
      lines_total = lines_total + ${lines}
    where id = ${id} and attempts = ${attempts} and status = 'running' returning lines_total`.execute(tx)
  return rows[0]
}

export async function insertLines(
  tx: Database,
  runId: string,
  firstLine: number,
  lines: LogLine[],
): Promise<void> {
  await tx
    .insertInto('import_log')
    .values({ run_id: runId, first_line: firstLine, lines: JSON.stringify(lines) })
    .execute()
}

/** Result of an item in a run. */
export type RunItem = {
  external_id: string | null
  title: string | null
  action: Action
  reason: string | null
  publication_id: string | null
}

/** Stores items of a run from a position on, in one statement. */
export async function insertItems(
  tx: Database,
  runId: string,
  first: number,
  items: RunItem[],
): Promise<void> {
  const rows = items.map((item, index) => ({ ...item, id: uuidv7(), position: first + index }))
  await sql`
    insert into import_run_items (id, run_id, position, external_id, title, action, reason, publication_id)
    select i.id, ${runId}::uuid, i.position, i.external_id, i.title, i.action, i.reason, i.publication_id
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as i (
      id uuid, position integer, external_id text, title text, action text, reason text, publication_id uuid)`.execute(
    tx,
  )
}

/** Appends a line to the log even if the log has reached its limit. */
export async function insertLine(
  tx: Database,
  { id }: Pick<Run, 'id'>,
  message: string,
  level: 'warning' | 'error' = 'error',
): Promise<void> {
  const line = { at: new Date(), level, message, external_id: null }
  await sql`
    with counted as (update import_runs set lines_total = lines_total + 1 where id = ${id} returning lines_total)
    insert into import_log (run_id, first_line, lines)
    select ${id}::uuid, lines_total - 1, ${JSON.stringify([line])}::jsonb from counted`.execute(tx)
}

/** Ends a run: `partial` if some items failed. Undefined if another attempt took over or it is finished. */
export async function endRun(
  tx: Database,
  { id, attempts }: Pick<RunUnderWay, 'id' | 'attempts'>,
  { error }: { error: string | null },
): Promise<Run | undefined> {
  const { rows } = await sql<Run>`
    update import_runs set error = ${error}, finished_at = greatest(date_trunc('milliseconds', clock_timestamp()), started_at),
      status = case when ${error}::text is not null then 'failed' when rejected > 0 then 'partial' else 'succeeded' end
    where id = ${id} and attempts = ${attempts} and finished_at is null returning ${answered}`.execute(tx)
  return rows[0]
}

/**
 * Returns the usual number of items of a source: the median of its last real runs with items; null if it has
 * none. Ignores held runs, so that a flood never becomes the usual size.
 */
export async function findUsualSize(db: Database, sourceId: string): Promise<number | null> {
  const { rows } = await sql<{ usual: number | null }>`
    select percentile_disc(0.5) within group (order by fetched) as usual from (
      select fetched from import_runs
      where source_id = ${sourceId} and not dry_run and status in ('succeeded', 'partial') and fetched > 0
        and held = 0
      order by started_at desc, id desc limit 20) last_runs`.execute(db)
  return rows[0]?.usual ?? null
}

export const interrupted = 'It was interrupted.'

export async function findRunUnderWay(db: Database, id: string): Promise<RunUnderWay | undefined> {
  const { rows } = await sql<RunUnderWay>`
    select ${columns} from import_runs where id = ${id} and status in ('queued', 'running')`.execute(db)
  return rows[0]
}

/** Links an item to its publication, with digests of the content last read from the source. */
export type Link = {
  external_id: string
  publication_id: string
  said: ItemDigests
  run_id: string
  action: Exclude<Action, 'rejected'>
  reason: string | null
}
export type ItemDigests = Record<string, string | boolean>

export async function listLinks(db: Database, sourceId: string, externalIds: string[]): Promise<Link[]> {
  const { rows } = await sql<Link>`
    select external_id, publication_id, said, run_id, action, reason from import_items
    where source_id = ${sourceId} and external_id = any(${externalIds}::text[])`.execute(db)
  return rows
}

/** Returns the links of these identifiers, and of occurrences that have one of them before an hour. */
export async function listLinksOfAnyHour(
  db: Database,
  sourceId: string,
  externalIds: string[],
): Promise<Link[]> {
  if (externalIds.length === 0) return []
  const columns = sql`external_id, publication_id, said, run_id, action, reason`
  // Each part has its own index.
  const { rows } = await sql<Link>`
    select ${columns} from import_items
    where source_id = ${sourceId} and external_id = any(${externalIds}::text[])
    union all
    select ${columns} from import_items
    where source_id = ${sourceId} and external_id ~ 'T\\d\\d:\\d\\d:\\d\\dZ?$'
      and regexp_replace(external_id, 'T\\d\\d:\\d\\d:\\d\\dZ?$', '') = any(${externalIds}::text[])
      and external_id <> all(${externalIds}::text[])
    order by external_id`.execute(db)
  return rows
}

/** Gives links their new identifiers. */
export async function renameLinks(
  tx: Database,
  sourceId: string,
  names: { from: string; to: string }[],
): Promise<void> {
  if (names.length === 0) return
  await sql`
    update import_items i set external_id = n.to
    from jsonb_to_recordset(${JSON.stringify(names)}::jsonb) as n ("from" text, "to" text)
    where i.source_id = ${sourceId} and i.external_id = n.from`.execute(tx)
}

/** Inserts new links and updates changed ones in one statement. */
export async function putLinks(tx: Database, sourceId: string, links: Link[]): Promise<void> {
  if (links.length === 0) return
  await sql`
    insert into import_items (source_id, external_id, publication_id, said, run_id, action, reason)
    select ${sourceId}::uuid, l.external_id, l.publication_id, l.said, l.run_id, l.action, l.reason
    from jsonb_to_recordset(${JSON.stringify(links)}::jsonb) as l (
      external_id text, publication_id uuid, said jsonb, run_id uuid, action text, reason text)
    on conflict (source_id, external_id) do update set said = excluded.said, run_id = excluded.run_id,
      action = excluded.action, reason = excluded.reason`.execute(tx)
}

/** Returns the keys of live publications that this source did not import. */
export async function listKeysElsewhere(
  db: Database,
  sourceId: string,
  keys: string[],
): Promise<Set<string>> {
  if (keys.length === 0) return new Set()
  const { rows } = await sql<{ key: string }>`
    select key from unnest(${keys}::text[]) key where exists (
      select from publications p where p.duplicate_key = key and p.deleted_at is null and not exists (
        select from import_items i where i.publication_id = p.id and i.source_id = ${sourceId}))`.execute(db)
  return new Set(rows.map(({ key }) => key))
}

/** Returns the digests of this source's live publications with these keys and digests of the title. */
export async function listEarlierDigests(
  db: Database,
  sourceId: string,
  { keys, titles }: { keys: string[]; titles: string[] },
): Promise<Pick<Link, 'external_id' | 'said'>[]> {
  if (keys.length === 0) return []
  const { rows } = await sql<Pick<Link, 'external_id' | 'said'>>`
    select i.external_id, i.said from publications p join import_items i on i.publication_id = p.id
    where p.duplicate_key = any(${keys}::text[]) and p.deleted_at is null and i.source_id = ${sourceId}
      and i.said ->> 'title' = any(${titles}::text[])`.execute(db)
  return rows
}
