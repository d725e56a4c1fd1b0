import { X509Certificate } from 'node:crypto'
import { sql } from 'kysely'
import type { Database } from '../../../platform/database/connect.ts'
import { certificateBlocks } from './settings.ts'
import { readToken } from './token.ts'

type Row = {
  number: number
  sealed_at: Date
  seal: Buffer
  listed: boolean
  reply: Buffer | null
  at: Date | null
  pem: string | null
}

const batch = 500

/** Clocks of the service and of an authority may differ by so much. */
const toleranceMs = 10 * 60_000

/**
 * Verifies the stored timestamps: each is a reply about its seal, at the time that is stored with it, signed by a certificate that
 * leads to those stored with it; and from the first one on, no seal has lost its own. Yields each fault.
 */
export async function* faultsOfTimestamps(db: Database, now: Date): AsyncGenerator<string> {
  for (let rows = await listStamped(db, 0); rows.length > 0; ) {
    for (const row of rows) {
      const fault = faultOf(row, now)
      if (fault !== null) yield `seal ${row.number}: ${fault}`
    }
    rows = await listStamped(db, rows.at(-1)?.number ?? 0)
  }
}

function faultOf({ listed, reply, at, pem, seal, sealed_at }: Row, now: Date): string | null {
  if (!listed) return 'its timestamp is gone'
  if (reply === null || at === null || pem === null) return null
  if (at.getTime() < sealed_at.getTime() - toleranceMs) return 'its timestamp is older than it'
  if (at.getTime() > now.getTime() + toleranceMs) return 'its timestamp is of the future'
  try {
    const roots = certificateBlocks(pem).map((block) => new X509Certificate(block))
    const token = readToken(reply, seal, roots)
    return token.at.getTime() === at.getTime() ? null : 'its timestamp is of another moment'
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/** Lists the seals from the first to the last that a timestamp was asked for, with it. */
async function listStamped(db: Database, after: number): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select s.number::float8 as number, s.sealed_at, s.seal, t.number is not null as listed, t.reply, t.at, a.pem
    from act_seals s left join act_timestamps t on t.number = s.number
    left join act_authorities a on a.digest = t.authority_digest
    where s.number > ${after}::bigint
      and s.number between (select min(number) from act_timestamps) and (select max(number) from act_timestamps)
    order by s.number limit ${batch}`.execute(db)
  return rows
}
