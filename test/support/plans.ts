import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import type { Connection } from '../../src/platform/database/connection.ts'
import { isPrepared } from '../../src/platform/database/pools/prepared-statements.ts'
import type { DB } from '../../src/platform/database/types.generated.ts'
import type { Statement } from './statements.ts'

/** One step of a plan, and what it met when it ran. */
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

/** The database of this pool, and the statements that are sent to it this way. */
export function watch(pool: pg.Pool) {
  const statements: Statement[] = []
  const dialect = new PostgresDialect({ pool })
  const db = new Kysely<DB>({ dialect, log: ({ query }) => void statements.push(query) })
  return { db, statements }
}

/** Runs a statement again, planned as the service has it planned, and answers the steps it took: the whole first. */
export async function explain(pool: pg.Pool, { sql, parameters }: Statement): Promise<Step[]> {
  const explained = isPrepared(sql) ? explainKept(pool, sql, parameters) : explainFor(pool, sql, parameters)
  return withParts((await explained)[0]['QUERY PLAN'][0].Plan)
}

// Rows and blocks are looked at, times are not.
const asked = 'explain (analyze, buffers, timing off, format json)'

/** For its values. */
const explainFor = async (pool: pg.Pool, text: string, values: readonly unknown[]) =>
  (await pool.query(`${asked} ${text}`, [...values])).rows

/** Once for all values. */
async function explainKept(pool: pg.Pool, text: string, values: readonly unknown[]) {
  const client = await pool.connect()
  try {
    await client.query('set plan_cache_mode = force_generic_plan')
    await client.query(`prepare kept as ${text}`)
    const written = values.map((value) => pg.escapeLiteral(textOf(value))).join(', ')
    return (await client.query(`${asked} execute kept${written && `(${written})`}`)).rows
  } finally {
    client.release(true)
  }
}

const textOf = (value: unknown) =>
  Array.isArray(value) ? `{${value.map((each) => JSON.stringify(each)).join(',')}}` : String(value)

export const withParts = (step: Step): Step[] => [step, ...(step.Plans ?? []).flatMap(withParts)]

/** The tables that are read from end to end. */
export const readWhole = (steps: Step[]): string[] =>
  steps.filter((step) => step['Node Type'] === 'Seq Scan').map((step) => step['Relation Name'] ?? '')

/** The rows that a step goes through. */
export const visitedBy = (step: Step): number =>
  (step['Actual Rows'] + (step['Rows Removed by Filter'] ?? 0)) * step['Actual Loops']

/** Of every row, so that chance picks no sample and the planner decides alike in each run. */
export async function gatherStatistics({ owner }: { owner: Connection }, tables: string[]): Promise<void> {
  const client = new pg.Client(owner)
  await client.connect()
  try {
    // A sample has 300 rows for each.
    await client.query('set default_statistics_target = 1000')
    await client.query(`vacuum (analyze) ${tables.join(', ')}`)
  } finally {
    await client.end()
  }
}
