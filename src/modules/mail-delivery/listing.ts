import { type RawBuilder, sql } from 'kysely'
import { allOf, among } from '../../platform/database/conditions.ts'
import type { Database } from '../../platform/database/connect.ts'
import { byId, sortOrders } from '../../platform/database/sort-order.ts'
import { type Placed, readSlice, type Slice } from '../../platform/http/listing/slice.ts'
import type { Paging } from '../../platform/http/paging.ts'
import type { ListedMailKind } from '../../platform/mail/row-mails.ts'
import { type MailStatus, type MailsQuery, mailStatuses, type SelectedMail } from './schema.ts'

type Kinds = readonly ListedMailKind[]

/**
 * Lists the mails of all kinds. Each table and state contributes its first rows by its own index; only those of the page
 * are joined with their records.
 */
export function listMails(
  db: Database,
  kinds: Kinds,
  query: MailsQuery,
  paging: Paging,
): Promise<Slice<SelectedMail>> {
  const order = orders[query.sort ?? 'status_at_desc']
  return readSlice<SelectedMail>(paging, order, async ({ after, limit, offset }) => {
    const first = sql`order by ${order.by} limit ${limit + offset}`
    const parts = partsOf(kinds, query).map(
      ({ kind, matches }) => sql`(
        select ${kind.name}::text as kind, id, email_status_at from ${sql.table(kind.table)}
        where ${allOf(matches, after)} ${first})`,
    )
    if (parts.length === 0) return []
    const found = sql`
      select kind, id from (${sql.join(parts, sql` union all `)}) p order by ${order.by} limit ${limit} offset ${offset}`
    const { rows } = await sql<SelectedMail & Placed>`
      with found as materialized (${found})
      select *, ${order.values} from (${detailsOf(kinds)}) d order by ${order.by}`.execute(db)
    return rows
  })
}

export async function countMails(db: Database, kinds: Kinds, query: MailsQuery): Promise<number> {
  const parts = partsOf(kinds, query).map(
    ({ kind, matches }) => sql`select count(*) as count from ${sql.table(kind.table)} where ${matches}`,
  )
  if (parts.length === 0) return 0
  const { rows } = await sql<{ total: number }>`
    select sum(count)::bigint as total from (${sql.join(parts, sql` union all `)}) p`.execute(db)
  return rows[0]?.total ?? 0
}

/** Returns the mail of a kind with its record; null if there is none. */
export async function findMail(db: Database, kind: ListedMailKind, id: string): Promise<SelectedMail | null> {
  const { rows } = await sql<SelectedMail>`
    with found as (select ${kind.name}::text as kind, ${id}::uuid as id)
    ${detailsOf([kind])}`.execute(db)
  return rows[0] ?? null
}

/** Locks the row of a mail and returns its kind; null if there is no such mail. */
export async function lockMail(tx: Database, kinds: Kinds, id: string): Promise<ListedMailKind | null> {
  for (const kind of kinds) {
    const { rows } = await sql`
      select from ${sql.table(kind.table)} where id = ${id} and email_status is not null for no key update`.execute(
      tx,
    )
    if (rows.length > 0) return kind
  }
  return null
}

const orders = sortOrders('mails', { status_at: [{ by: sql`email_status_at`, type: 'time' }, byId] })

type Part = { kind: ListedMailKind; matches: RawBuilder<boolean> }

function partsOf(kinds: Kinds, { ids, status = [...mailStatuses], kind: names }: MailsQuery): Part[] {
  const wanted = kinds.filter(({ name }) => names === undefined || names.includes(name))
  return wanted.flatMap((kind) =>
    [...new Set(status)]
      .filter((one) => one !== 'held' || kind.holdMs !== undefined)
      .map((one) => ({ kind, matches: allOf(inState(kind, one), among('id', ids)) })),
  )
}

function inState(kind: ListedMailKind, status: MailStatus): RawBuilder<boolean> {
  if (status === 'held') return sql<boolean>`(email_status = 'queued' and ${isHeld(kind)})`
  const stored = sql<boolean>`email_status = ${sql.lit(status)}`
  return status === 'queued' && kind.holdMs !== undefined
    ? sql<boolean>`(${stored} and not ${isHeld(kind)})`
    : stored
}

/** The first attempt of a mail waits while an undo can cancel it. */
const isHeld = ({ holdMs = 0 }: ListedMailKind) =>
  sql<boolean>`(email_tries = 0 and email_status_at > now() - make_interval(secs => ${holdMs / 1_000}::float8))`

/** Joins the rows of `found` with their mails and records. */
const detailsOf = (kinds: Kinds): RawBuilder<unknown> =>
  sql.join(
    kinds.map(
      (kind) => sql`
      select found.kind, m.id, m.email_status, m.email_status = 'queued' and ${isHeld(kind)} as is_held,
        m.email_status_at, m.email_tries, m.email_error, ${kind.recordId} as record_id,
        ${kind.recordName} as record_name, ${kind.recipient} as recipient, ${kind.isNeeded} as is_needed
      from found join ${sql.table(kind.table)} m on m.id = found.id and m.email_status is not null
      where found.kind = ${kind.name}`,
    ),
    sql` union all `,
  )
