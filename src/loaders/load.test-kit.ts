import { afterAll } from 'vitest'
import { run } from '../../test/support/world.ts'
import { longLimits } from '../cli/command.ts'
import { connect } from '../platform/database/connect.ts'
import type { Connection } from '../platform/database/connection.ts'
import { patientTimes } from '../platform/database/pools/responsiveness.ts'
import { createRun, type RunOptions } from './run.ts'

type TestDatabase = { owner: Connection; service: Connection; drop: () => Promise<unknown> }

/**
 * Creates helpers for loader tests on a database, connected as the service; dropped after the tests. Its statements have the
 * time of whole-table work: on a loaded machine one load waits long for another.
 */
export function openLoadWorld(database: TestDatabase) {
  const options = { timeoutMs: 30_000, limits: longLimits, responsivenessTimes: patientTimes }
  const { db, close } = connect(database.service, { warn: () => {} }, options)
  afterAll(async () => {
    await close()
    await database.drop()
  })
  const rows = async (statement: string) => (await run(database.owner, statement)).rows
  return {
    db,
    rows,
    /** Row state that every write changes, even a write of equal values: xmin and the version. */
    state: (table: string) => rows(`select xmin::text, to_jsonb(t) as row from ${table} t order by 2`),
  }
}

/** Yields bytes in chunks that may split a character. */
export async function* bytes(content: string | object, size = 7): AsyncGenerator<Uint8Array> {
  const text = () => (typeof content === 'string' ? content : JSON.stringify(content, null, 1))
  const whole = Buffer.isBuffer(content) ? content : Buffer.from(text())
  for (let at = 0; at < whole.length; at += size) yield whole.subarray(at, at + size)
}

type Loader<D> = (db: D, input: AsyncIterable<Uint8Array>, run: ReturnType<typeof createRun>) => Promise<void>

/** Loads and returns the command's report: non-zero figures and reasons. */
export async function loaded<D>(
  loader: Loader<D>,
  db: D,
  content: string | object,
  options: RunOptions = {},
) {
  const run = createRun(options)
  await loader(db, bytes(content), run)
  const figures = Object.entries(run.counts).filter(([, count]) => count > 0)
  return { ...Object.fromEntries(figures), ...(run.refusals.length > 0 && { refusals: run.refusals }) }
}
