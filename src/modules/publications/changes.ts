import { type RawBuilder, sql } from 'kysely'
import Type, { type Static } from 'typebox'
import type { Caller } from '../../platform/access/caller.ts'
import type { Database } from '../../platform/database/connect.ts'
import { unprepared } from '../../platform/database/pools/prepared.ts'
import { invalid, raise } from '../../platform/errors.ts'
import type { HttpServer } from '../../platform/http/http-server.ts'
import { isRealTime, type Position, readCursor, writeCursor } from '../../platform/http/listing/cursor.ts'
import { Id, oneOf, ResponseTimestamp, titled } from '../../platform/http/validation/schemas.ts'
import { defineJob, type Handler, handle, type Schedule, schedule } from '../../platform/jobs/job.ts'
import { inBatches } from '../../platform/jobs/sweeps.ts'
import type { Deps } from '../../platform/module.ts'
import { restrictionOf } from './visibility.ts'

const changesPerPage = 100
const daysKept = 30
const kinds = ['publication', 'alerte'] as const

const ChangesQuery = Type.Object({
  since: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      description: `\`meta.next\` of the response before, or a date-time; the present time gives the \`meta.next\` from which a copy that is read afterwards misses nothing. Default: all that is kept, which is ${daysKept} days. An older one is 422: copy the lists again.`,
      examples: ['2026-11-20T08:30:00.000Z'],
    }),
  ),
  kind: Type.Optional(oneOf(kinds, 'Only changes of this kind. Default: both')),
  per_page: Type.Optional(
    Type.Integer({
      minimum: 1,
      description: `Changes per response; values above ${changesPerPage} are cut to it. Default: ${changesPerPage}`,
      examples: [50],
    }),
  ),
})
type ChangesQuery = Static<typeof ChangesQuery>

const PublicationChange = titled('PublicationChange', {
  kind: oneOf(kinds, 'What changed'),
  id: Id('Identifier of the publication or alerte'),
  change: oneOf(
    ['published', 'changed', 'gone'],
    '`published`: it became visible, or came into force. `changed`: read it again. `gone`: delete the copy.',
  ),
  at: ResponseTimestamp('When it took effect'),
  commune_ids: Type.Optional(
    Type.Array(Id(), {
      description: 'Of an alerte: the communes that show it, or showed it. Publications have none',
    }),
  ),
})
type PublicationChange = Static<typeof PublicationChange>
type Kind = PublicationChange['kind']

const PublicationChanges = Type.Object({
  data: Type.Array(PublicationChange),
  meta: titled('PublicationChangesMeta', {
    next: Type.String({
      description: 'Send it back as `since`, now or later: no change is skipped',
      examples: ['MjAyNi0xMS0yMFQwODozMDowMC4xMjM0NTZaIDQy'],
    }),
    more: Type.Boolean({ description: 'Whether there may be more changes already', examples: [false] }),
  }),
})

export function changesRoutes(scope: HttpServer, { lists }: Deps): void {
  scope.get(
    '/publications/changes',
    {
      config: { caching: { never: 'each caller asks from a moment of its own', namesChanges: true } },
      schema: {
        operationId: 'listPublicationChanges',
        summary:
          'Publications and alertes that appeared, changed or disappeared, oldest first, for callers that keep a copy',
        querystring: ChangesQuery,
        response: { 200: PublicationChanges },
      },
    },
    async ({ query, caller }) =>
      // A transaction reads on the primary server: a replica does not know which transactions are under way.
      lists.transaction().execute((tx) => readChanges(tx, caller, query)),
  )
}

/**
 * Reads the changes after a cursor. At the end of the feed the next cursor stays at the last change, so that
 * a repeated request gets a 304; after a day without changes it advances, so that it does not expire.
 */
async function readChanges(db: Database, caller: Caller, { since, kind, per_page }: ChangesQuery) {
  const given = since === undefined ? undefined : positionOf(since)
  if (given === null) throw invalid('since', messages.unreadable)
  const span = await readSpan(db, given?.at ?? null)
  if (span.since !== null && span.since < span.oldest) throw invalid('since', messages.expired)
  const from = startOf(span, given?.id ?? '0')
  const limit = Math.min(per_page ?? changesPerPage, changesPerPage)
  const part = { from, horizon: span.horizon, kind }
  const rows = await listChanges(db, { ...part, communeIds: restrictionOf(caller) }, limit)
  const data = rows.map(({ position_at: _at, position_id: _id, commune_ids, ...change }) =>
    commune_ids === null ? change : { ...change, commune_ids },
  )
  const last = rows.at(-1)
  const end = last === undefined ? from : { at: last.position_at, id: last.position_id }
  if (rows.length === limit) return pageOf(data, end, true)
  const scanned = await findLastScanned(db, part)
  if (scanned !== null) return pageOf(data, scanned, true)
  return pageOf(data, end.at < span.yesterday ? { at: span.thisHour, id: '0' } : end, false)
}

/** Parses a cursor or a date-time; a date-time is the position before all changes of that time. */
const positionOf = (since: string): Position | null =>
  isRealTime(since) ? { at: since, id: '0' } : readCursor(since, /^\d{1,18}$/)

/**
 * Where to begin. Transactions under way may still add changes after the horizon, so a time beyond it, such as the clock of
 * a client, begins there.
 */
const startOf = ({ since, oldest, horizon }: Span, id: string): Position =>
  since !== null && since > horizon ? { at: horizon, id: '0' } : { at: since ?? oldest, id }

const pageOf = <T>(data: T[], next: Position, more: boolean) => ({
  data,
  meta: { next: writeCursor(next), more },
})

const messages = {
  unreadable: {
    en: 'must be the "next" of a response, or a date-time',
    fr: 'doit être le « next » d’une réponse, ou une date et heure',
  },
  expired: {
    en: 'is older than 30 days: copy the lists again',
    fr: 'remonte à plus de 30 jours : recopiez les listes',
  },
}

const prune = defineJob('publications.delete-old-changes', Type.Object({}))

export function deleteOldChangesHandler({ db, log }: Pick<Deps, 'db' | 'log'>): Handler {
  return handle(prune, async (_payload, { signal }) => {
    const deleted = await inBatches(10_000, signal, (batch) => deleteOldChanges(db, batch))
    if (deleted > 0) log.info({ deleted }, 'old publication changes deleted')
  })
}

export const deleteOldChangesSchedule: Schedule = schedule(prune, '50 3 * * *', {})

/** Times of the feed in one text format, so that they compare as strings. */
type Span = {
  /** The `since` of the request; null without one. */
  since: string | null
  /** The time from which changes are kept. */
  oldest: string
  /** The time up to which the feed is complete. */
  horizon: string
  yesterday: string
  thisHour: string
}

/** Limit on changes scanned for one response, even if a restricted application sees few of them. */
const maxScanned = 5_000

export async function readSpan(db: Database, since: string | null): Promise<Span> {
  const { rows } = await sql<Span>`
    select ${written(sql`${since}::timestamptz`)} as since,
      ${written(sql`horizon - make_interval(days => ${daysKept}::int)`)} as oldest,
      ${written(sql`horizon`)} as horizon,
      ${written(sql`horizon - interval '1 day'`)} as yesterday,
      ${written(sql`date_trunc('hour', horizon)`)} as "thisHour"
    from publication_changes_horizon() as horizon`.execute(db)
  return rows[0] ?? raise(new Error('no horizon'))
}

/** The changes after a position and before the horizon; without a kind, of both. */
type Part = { from: Position; horizon: string; kind?: Kind | undefined }
type Row = PublicationChange & { commune_ids: string[] | null; position_at: string; position_id: string }

/**
 * Lists the changes of a part, for an application that shows these communes (null: all). A publication or alerte that enters
 * or leaves these communes is `published` or `gone`.
 */
export async function listChanges(
  db: Database,
  { communeIds, ...part }: Part & { communeIds: string[] | null },
  limit: number,
): Promise<Row[]> {
  const seen = (communes: RawBuilder<unknown>) =>
    communeIds === null
      ? sql`${communes} is not null`
      : sql`coalesce(${communes} && ${communeIds}::uuid[], false)`
  const inScope = communeIds === null ? sql`` : sql`where commune_id = any(${communeIds}::uuid[])`
  const { rows } = await sql<Row>`
    select kind, record_id as id, at, ${written(sql`at`)} as position_at, id::text as position_id,
      case when not was then 'published' when not becomes then 'gone' else 'changed' end as change,
      case kind when 'alerte' then array(
        select distinct commune_id from unnest(communes_before || communes_after) commune_id ${inScope} order by 1)
      end as commune_ids
    from (
      select *, ${seen(sql`communes_before`)} as was, ${seen(sql`communes_after`)} as becomes
      from (${scanned(part)} limit ${maxScanned}) scanned) changes
    where was or becomes
    order by changes.at, changes.id limit ${limit}`.execute(db)
  return rows
}

/** Finds the last change that one response scans; null if fewer changes remain. */
export async function findLastScanned(db: Database, part: Part): Promise<Position | null> {
  const { rows } = await sql<Position>`
    select ${written(sql`at`)} as at, id::text as id from (${scanned(part)}
      offset ${maxScanned - 1} limit 1) last`.execute(db)
  return rows[0] ?? null
}

/**
 * The first changes of both feeds in one order, as many as one response scans. Their ids are from one sequence. Each feed
 * has a limit of its own, so that it is read by its index.
 */
const scanned = ({ from: { at, id }, horizon, kind }: Part) => sql`
  select * from (${sql.join(
    kinds
      .filter((each) => kind === undefined || each === kind)
      .map(
        (each) => sql`
    (select ${sql.lit(each)} as kind, id, ${sql.ref(`${each}_id`)} as record_id, at, communes_before, communes_after
     from ${sql.table(`${each}_changes`)}
     where (at, id) > (${at}::timestamptz, ${id}::bigint) and at < ${horizon}::timestamptz
     order by at, id limit ${maxScanned})`,
      ),
    sql` union all `,
  )}) both_kinds
  order by at, id`

const written = (time: RawBuilder<unknown>) =>
  sql<string>`to_char((${time}) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`

/** Deletes changes past their retention, oldest first, of both kinds; returns how many. */
export async function deleteOldChanges(db: Database, limit: number): Promise<number> {
  let deleted = 0n
  for (const kind of kinds) {
    const table = sql.table(`${kind}_changes`)
    const { numAffectedRows } = await sql`
      delete from ${table} where id = any(array(
        select id from ${table} where at < now() - make_interval(days => ${daysKept}::int)
        order by at, id limit ${limit}))`.execute(unprepared(db))
    deleted += numAffectedRows ?? 0n
  }
  return Number(deleted)
}
