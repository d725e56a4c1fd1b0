import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../platform/database/connect.ts'
import { isOfKind, type MailKind } from '../../platform/mail/row-mails.ts'

export type Count = { kind: string; count: number }
/** Timestamps in PostgreSQL's format, because the first period begins at -infinity. */
export type Period = { since: string; until: string }

/** Counts uncertain mails that nobody has settled, by kind; with a period, only those that became uncertain within it. */
export async function countUncertain(
  db: Database,
  kinds: readonly MailKind[],
  period: Period | null = null,
): Promise<Count[]> {
  if (kinds.length === 0) return []
  const within: RawBuilder<unknown> = period
    ? sql`and email_status_at > ${period.since}::timestamptz and email_status_at <= ${period.until}::timestamptz`
    : sql``
  const counts = kinds.map(
    (kind) => sql`
    select ${kind.name}::text as kind, count(*) as count from ${sql.table(kind.table)}
    where ${isOfKind(kind)} and email_status = 'uncertain' and email_settled_at is null ${within}`,
  )
  const { rows } = await sql<Count>`${sql.join(counts, sql` union all `)}`.execute(db)
  return rows
}

/** Returns, by kind, the age in seconds of the oldest mail with an unfinished job; 0 if there is none. */
export async function listOldestQueued(
  db: Database,
  kinds: readonly { name: string; queue: string }[],
): Promise<{ kind: string; age: number }[]> {
  const { rows } = await sql<{ kind: string; age: number }>`
    select k.kind, coalesce(extract(epoch from clock_timestamp() - min(j.created_on)), 0)::float8 as age
    from unnest(${kinds.map(({ name }) => name)}::text[], ${kinds.map(({ queue }) => queue)}::text[]) as k(kind, queue)
    left join pgboss.job j on j.name = k.queue and j.state < 'completed'
    group by k.kind`.execute(db)
  return rows
}

/**
 * Marks the period since the last notice as reported and returns it. A concurrent call waits and gets an
 * empty period. A change that is not committed yet falls into the next period.
 */
export async function takeUnreportedPeriod(tx: Database): Promise<Period> {
  const { rows } = await sql<Period>`
    update mail_notices n set notified_until = greatest(old.notified_until, now() - interval '1 minute')
    from (select notified_until from mail_notices for update) old
    returning old.notified_until::text as since, n.notified_until::text as until`.execute(tx)
  return rows[0] ?? { since: 'infinity', until: 'infinity' }
}
