import { Kysely, type LogEvent, PostgresDialect } from 'kysely'
import pg from 'pg'
import type { Connection } from '../../src/platform/database/connection.ts'
import { isPrepared } from '../../src/platform/database/pools/prepared.ts'
import type { DB } from '../../src/platform/database/types.generated.ts'
import type { Statement } from './statements.ts'

/** One step of a plan with its execution figures. */
export type Step = {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Shared Hit Blocks': number
  'Shared Read Blocks': number
  Plans?: Step[]
}

/** The database of this pool as `lists` would be, and the statements sent through it. */
export function watch(pool: pg.Pool) {
  const statements: Statement[] = []
  const dialect = new PostgresDialect({ pool })
  const log = ({ query }: LogEvent) =>
    void statements.push({ ...query, isPrepared: isPrepared(query, false) })
  const db = new Kysely<DB>({ dialect, log })
  return { db, statements }
}

/** Runs a statement again, planned as in the service, and returns its steps, the root first. */
export async function explain(pool: pg.Pool, { sql, parameters, isPrepared }: Statement): Promise<Step[]> {
  const explained = isPrepared ? explainKept(pool, sql, parameters) : explainFor(pool, sql, parameters)
  return withParts((await explained)[0]['QUERY PLAN'][0].Plan)
}

// Rows and blocks are compared, times are not.
const asked = 'explain (analyze, buffers, timing off, format json)'

/** A custom plan for the statement's values. */
const explainFor = async (pool: pg.Pool, text: string, values: readonly unknown[]) =>
  (await pool.query(`${asked} ${text}`, [...values])).rows

/** A generic plan for all values. */
async function explainKept(pool: pg.Pool, text: string, values: readonly unknown[]) {
  const client = await pool.connect()
  try {
    await client.query('set plan_cache_mode = force_generic_plan')
    await client.query(`prepare kept as ${text}`)
    const written = values
      .map((value) => (value === null ? 'null' : pg.escapeLiteral(textOf(value))))
      .join(', ')
    return (await client.query(`${asked} execute kept${written && `(${written})`}`)).rows
  } finally {
    client.release(true)
  }
}

const textOf = (value: unknown) =>
  Array.isArray(value) ? `{${value.map((each) => JSON.stringify(each)).join(',')}}` : String(value)

export const withParts = (step: Step): Step[] => [step, ...(step.Plans ?? []).flatMap(withParts)]

/** Tables that are scanned completely; a step that was not needed scans nothing. */
export const readWhole = (steps: Step[]): string[] =>
  steps
    .filter((step) => step['Node Type'] === 'Seq Scan' && step['Actual Loops'] > 0)
    .map((step) => step['Relation Name'] ?? '')

/** Rows that a step visits. */
export const visitedBy = (step: Step): number =>
  (step['Actual Rows'] + (step['Rows Removed by Filter'] ?? 0)) * step['Actual Loops']

/**
 * Statistics over every row, so that no random sample changes the plan between runs; and marks pages as visible to
 * all, which indexes are read alone for.
 */
export async function gatherStatistics({ owner }: { owner: Connection }, tables: string[]): Promise<void> {
  const client = new pg.Client(owner)
  await client.connect()
  try {
    // A sample has 300 rows for each.
    await client.query('set default_statistics_target = 1000')
    // Only what is on disk is marked: this commit waits for it and for all before it.
    await client.query('set synchronous_commit = on')
    await client.query(`analyze ${tables.join(', ')}`)
    await client.query(`vacuum ${tables.join(', ')}`)
  } finally {
    await client.end()
  }
}
