import { sql } from 'kysely'
import { Gauge, type Registry } from 'prom-client'
import type { Database } from '../connect.ts'

type Log = { warn(about: object, message: string): void; info(about: object, message: string): void }
type Watched = { db: Database; registry: Registry; log: Log }

/** Signatures of payment events and tokens are refused when they are minutes old, or in the future. */
const maxSeconds = 60

/**
 * Compares this machine's clock with the database's once a minute: exports the difference as a metric and
 * warns when it exceeds a minute. Returns a function that stops it.
 */
export function watchClock(
  { db, registry, log }: Watched,
  { everyMs = 60_000, now = Date.now } = {},
): () => void {
  let isOff = false
  let timer: NodeJS.Timeout | undefined
  let stopped = false
  const gauge = new Gauge({
    name: 'clock_difference_seconds',
    help: 'How far the clock of this machine is ahead of the clock of the database',
    registers: [registry],
  })

  async function compare() {
    const before = now()
    const { rows } = await sql<{ ms: number }>`
      select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms`.execute(db)
    const after = now()
    const ofDatabase = rows[0]?.ms ?? after
    // The database read its clock at some moment between the two.
    const seconds = (before + (after - before) / 2 - ofDatabase) / 1_000
    const uncertainty = (after - before) / 2_000
    gauge.set(seconds)
    const wasOff = isOff
    isOff = Math.abs(seconds) - uncertainty > maxSeconds
    const about = { difference_seconds: Math.round(seconds) }
    if (isOff && !wasOff)
      log.warn(
        about,
        'the clock of this machine or of the database is wrong: signatures and tokens will be refused',
      )
    else if (wasOff && !isOff) log.info(about, 'the clock agrees with the clock of the database again')
  }
  async function repeat() {
    // Ignores an unavailable database, which gives no clock to compare.
    await compare().catch(() => {})
    if (!stopped) timer = setTimeout(repeat, everyMs).unref()
  }

  void repeat()
  return () => {
    stopped = true
    clearTimeout(timer)
  }
}
