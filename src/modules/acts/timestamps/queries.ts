import { sql } from 'kysely'
import type { Database } from '../../../platform/database/connect.ts'
import { sha256 } from '../chain.ts'
import type { Timestamp } from './token.ts'

/** Lists the seals since the last listed one to be timestamped. The first time the last seal alone: it covers all before it. */
export async function listNewSeals(db: Database, now: Date): Promise<void> {
  await sql`
    insert into act_timestamps (number, next_at)
    select number, ${now}::timestamptz from act_seals
    where number > coalesce((select max(number) from act_timestamps), (select max(number) - 1 from act_seals))
    on conflict do nothing`.execute(db)
}

export type Claimed = { number: number; seal: Buffer; attempts: number }

/** Begins an attempt with the first seal that is due. Until the lease ends, nobody else begins one. */
export async function claimDue(db: Database, now: Date, leaseSeconds: number): Promise<Claimed | undefined> {
  const { rows } = await sql<Claimed>`
    with due as (
      select number from act_timestamps where reply is null and next_at <= ${now}
      order by next_at, number limit 1 for update skip locked)
    update act_timestamps t set attempts = attempts + 1, next_at = ${now}::timestamptz + make_interval(secs => ${leaseSeconds})
    from due join act_seals s on s.number = due.number where t.number = due.number
    returning t.number::float8 as number, s.seal, t.attempts`.execute(db)
  return rows[0]
}

type Received = Timestamp & { reply: Buffer; pem: string }

/** Stores a reply with the certificates that verified it, unless another attempt did. */
export async function recordReply(
  db: Database,
  number: number,
  { reply, at, authority, pem }: Received,
): Promise<void> {
  const digest = sha256(pem)
  await db.transaction().execute(async (tx) => {
    await sql`insert into act_authorities (digest, pem) values (${digest}, ${pem}) on conflict do nothing`.execute(
      tx,
    )
    await sql`
      update act_timestamps
      set reply = ${reply}, at = ${at}, authority = ${authority}, authority_digest = ${digest}, problem = null
      where number = ${number} and reply is null`.execute(tx)
  })
}

export async function recordProblem(
  db: Database,
  number: number,
  { problem, nextAt }: { problem: string; nextAt: Date },
): Promise<void> {
  await sql`
    update act_timestamps set problem = ${problem}, next_at = ${nextAt}
    where number = ${number} and reply is null`.execute(db)
}
