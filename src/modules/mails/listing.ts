import { type RawBuilder, sql } from 'kysely'
import { allOf, among, flag } from '../../platform/database/conditions.ts'
import type { Database } from '../../platform/database/connect.ts'
import type { List } from '../../platform/http/listing/list.ts'
import { isOfKind, type ListedMailKind } from '../../platform/mail/row-mails.ts'
import { type MailStatus, type MailsQuery, mailStatuses, type SelectedMail } from './schema.ts'

type Kinds = readonly ListedMailKind[]

/** The mails of all kinds. Each table and state contributes its first rows by its own index. */
export function mailsList(kinds: Kinds, query: MailsQuery): List<MailsQuery, SelectedMail> {
  const parts = partsOf(kinds, query)
  const rows = (matches: RawBuilder<unknown>, inOrder: RawBuilder<unknown>) =>
    sql.join(
      parts.map(
        (part) => sql`(
          select ${part.kind.name}::text as kind, id, email_status_at, email_settled_at from ${sql.table(part.kind.table)} found
          where ${allOf(part.matches, matches)} ${inOrder})`,
      ),
      sql` union all `,
    )
  return {
    name: 'mails',
    from: sql`(${rows(sql`true`, sql``)}) found`,
    as: 'found',
    filters: {
      ids: among('id'),
      status: () => false,
      kind: () => false,
      settled: flag(sql`(email_settled_at is not null)`),
    },
    first: (matches, by, limit) => rows(matches, sql`order by ${by} limit ${limit}`),
    sorts: {
      status_at: [
        { by: sql`found.email_status_at`, type: 'time' },
        { by: sql`found.id`, type: 'id' },
      ],
    },
    defaults: { sort: 'status_at_desc' },
    columns: sql<SelectedMail>`details.*`,
    join: detailsOf(kinds),
  }
}

/** Returns the mail of a kind with its record; null if there is none. */
export async function findMail(db: Database, kind: ListedMailKind, id: string): Promise<SelectedMail | null> {
  const { rows } = await sql<SelectedMail>`
    select details.* from (select ${kind.name}::text as kind, ${id}::uuid as id) found
    ${detailsOf([kind])} where details.id is not null`.execute(db)
  return rows[0] ?? null
}

/** Locks the row of a mail and returns its kind; null if there is no such mail. */
export async function lockMail(tx: Database, kinds: Kinds, id: string): Promise<ListedMailKind | null> {
  for (const kind of kinds) {
    const { rows } = await sql`
      select from ${sql.table(kind.table)}
      where id = ${id} and email_status is not null and ${isOfKind(kind)} for no key update`.execute(tx)
    if (rows.length > 0) return kind
  }
  return null
}

type Part = { kind: ListedMailKind; matches: RawBuilder<boolean> }

function partsOf(kinds: Kinds, { status = [...mailStatuses], kind: names }: MailsQuery): Part[] {
  return kinds.flatMap((kind) =>
    [...new Set(status)].map((one) => {
      const isAsked = names === undefined || names.includes(kind.name)
      return {
        kind,
        matches: isAsked ? sql<boolean>`(${isOfKind(kind)} and ${inState(kind, one)})` : sql<boolean>`false`,
      }
    }),
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

/** Joins each row of `found` with its mail and record. */
const detailsOf = (kinds: Kinds): RawBuilder<unknown> =>
  sql`left join lateral (${sql.join(
    kinds.map(
      (kind) => sql`
      select found.kind, m.id, m.email_status, m.email_status = 'queued' and ${isHeld(kind)} as is_held,
        m.email_status_at, m.email_tries, m.email_error, m.email_settled_at, ${kind.recordId} as record_id,
        ${kind.recordName} as record_name, ${kind.recipient} as recipient, ${kind.isNeeded} as is_needed
      from ${sql.table(kind.table)} m
      where found.kind = ${kind.name} and m.id = found.id and m.email_status is not null`,
    ),
    sql` union all `,
  )}) details on true`
