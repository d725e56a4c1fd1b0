import type { FastifyBaseLogger } from 'fastify'
import type { Database } from '../../platform/database/connect.ts'
import { uuidv7 } from '../../platform/formats/uuid.ts'
import type { CountPage } from '../../platform/http/counted-pages.ts'
import type { Clock } from '../../platform/time/clock.ts'
import { todayInParis } from '../../platform/time/paris-time.ts'
import { addReadings, type Batch, type Counted } from './queries.ts'
import { isReading } from './readers.ts'

type Deps = { db: Database; clock: Clock; log: Pick<FastifyBaseLogger, 'warn'> }
type Limits = {
  /** How often the counts are written: what a process that is killed has counted since is lost. */
  everyMs?: number
  /** How many pages and days are counted between two writes, at most. */
  maxCounted?: number
}

export type ReadingCounter = { count: CountPage; flush(): Promise<void>; close(): Promise<void> }

/**
 * Counts the readings of a process in memory and adds them to the database once a minute, so that a response waits for nothing.
 *
 * Counts are gathered → sent as a batch → added. While the database is away a batch is sent again with the next, and up to
 * `maxCounted` pages are gathered behind it; further ones are not counted.
 */
export function readingCounter(
  { db, clock, log }: Deps,
  { everyMs = 60_000, maxCounted = 10_000 }: Limits = {},
): ReadingCounter {
  const process = uuidv7()
  let gathered = new Map<string, Counted>()
  let batch: Batch | null = null
  let sent = 0
  let sending: Promise<void> | null = null
  const timer = setInterval(() => void flush(), everyMs).unref()

  const count: CountPage = ({ kind, id }, request, status) => {
    if (!isReading(request, status)) return
    const day = todayInParis(clock())
    const key = `${kind} ${id} ${day}`
    const known = gathered.get(key)
    if (known !== undefined) known.count++
    else if (gathered.size < maxCounted) gathered.set(key, { kind, id, day, count: 1 })
    if (gathered.size >= maxCounted && batch === null) void flush()
  }

  /** Sends what an earlier attempt has left, then what was gathered. */
  async function send() {
    if (batch !== null) await addReadings(db, batch)
    batch = gathered.size === 0 ? null : { process, number: ++sent, counted: [...gathered.values()] }
    gathered = new Map()
    if (batch !== null) await addReadings(db, batch)
    batch = null
  }

  function flush(): Promise<void> {
    sending ??= send()
      .catch((error) =>
        log.warn({ err: error }, 'readings of the site could not be stored: they are sent again'),
      )
      .finally(() => {
        sending = null
      })
    return sending
  }

  return {
    count,
    flush,
    async close() {
      clearInterval(timer)
      // Then sends what was counted while a batch was under way.
      await sending
      await flush()
    },
  }
}
