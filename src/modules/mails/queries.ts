import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../platform/database/connect.ts'
import type { MailKind } from '../../platform/mail/kept-mails.ts'

export type Count = { kind: string; count: number }
/** As PostgreSQL writes them: the first period has no beginning. */
export type Period = { since: string; until: string }

/** Those that are uncertain, of each kind; of a period, those that became so in it. */
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
    ({ name, table }) => sql`
    select ${name}::text as kind, count(*) as count from ${sql.table(table)}
    where email_status = 'uncertain' ${within}`,
  )
  const { rows } = await sql<Count>`${sql.join(counts, sql` union all `)}`.execute(db)
  return rows
}

/**
 * What has not been told of yet, from now on told. Whoever asks at the same time waits, and finds nothing. A change that
 * is just being committed is left to the next period.
 */
export async function takeUntoldPeriod(tx: Database): Promise<Period> {
  const { rows } = await sql<Period>`
    update mail_notices n set told_until = greatest(old.told_until, now() - interval '1 minute')
    from (select told_until from mail_notices for update) old
    returning old.told_until::text as since, n.told_until::text as until`.execute(tx)
  return rows[0] ?? { since: 'infinity', until: 'infinity' }
}
