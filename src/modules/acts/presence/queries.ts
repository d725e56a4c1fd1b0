import { sql } from 'kysely'
import type { Database } from '../../../platform/database/connect.ts'
import { appendSeal, canonicalJson } from '../chain.ts'
import type { InForce, Sample } from './sample.ts'

/** Lists acts published since a moment, in the order of their seals. */
export async function listInForce(
  db: Database,
  { since, after, through }: { since: Date; after: number; through: number },
  limit: number,
): Promise<InForce[]> {
  const { rows } = await sql<InForce>`
    select ac.id, s.number::float8 as number, ac.sha256, ac.bytes, ac.state = 'occulted' as "isOcculted"
    from act_seals s join acts ac on ac.id = s.act_id
    where s.number > greatest(${after}::bigint,
        (select number - 1 from act_seals where sealed_at >= ${since} order by sealed_at, number limit 1))
      and s.number <= ${through}::bigint
    order by s.number limit ${limit}`.execute(db)
  return rows
}

/** Returns the number of the last seal, 0 if there is none. */
export async function lastNumber(db: Database): Promise<number> {
  const { rows } = await sql<{ number: number }>`
    select number::float8 as number from act_seals order by number desc limit 1`.execute(db)
  return rows[0]?.number ?? 0
}

/** Appends a sample to the chain. `at`: of a past that the owner of the tables inserts. */
export async function insertSample(
  db: Database,
  sample: Omit<Sample, 'at'>,
  at: Date | null = null,
): Promise<void> {
  await appendSeal(db, { actId: null, record: canonicalJson({ ...sample, at: null }), at })
}

/** Lists the samples of a time, in order. */
export async function listSamples(db: Database, from: Date, until: Date): Promise<Sample[]> {
  const { rows } = await sql<{ record: string }>`
    select record from act_seals
    where act_id is null and sealed_at >= ${from} and sealed_at <= ${until} order by sealed_at, number`.execute(
    db,
  )
  return rows.map(({ record }) => JSON.parse(record))
}
