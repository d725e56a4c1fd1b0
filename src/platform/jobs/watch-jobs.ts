import { sql } from 'kysely'
import { Gauge, type Registry } from 'prom-client'
import type { Database } from '../database/connect.ts'
import { withTimeout } from '../database/timeout.ts'
import { deadLetters } from './boss.ts'

type Depth = {
  queue: string
  waiting: number
  delayed: number
  running: number
  failed: number
  age: number | null
}

const timeoutMs = 1_000

/**
 * Reports queue lengths, read from the database when metrics are scraped. They are missing while the database is
 * unavailable.
 */
export function watchJobs(registry: Registry, db: Database): void {
  let reading: Promise<void> | null = null
  const read = () => {
    reading ??= readDepths(db)
      .catch(() => [])
      .then(show)
      .finally(() => {
        reading = null
      })
    return reading
  }
  const jobs = new Gauge({
    name: 'jobs',
    help: 'Background jobs: waiting now, delayed, running, and dead letters',
    labelNames: ['queue', 'state'],
    registers: [registry],
    collect: read,
  })
  const oldest = new Gauge({
    name: 'jobs_oldest_waiting_seconds',
    help: 'How long the job that has waited longest could have run',
    labelNames: ['queue'],
    registers: [registry],
    collect: read,
  })

  function show(depths: Depth[]) {
    jobs.reset()
    oldest.reset()
    for (const { queue, age, ...counts } of depths) {
      for (const [state, count] of Object.entries(counts)) jobs.set({ queue, state }, count)
      oldest.set({ queue }, age ?? 0)
    }
  }
}

/** Reads every queue, including empty ones. Dead letters count for their original queue. */
async function readDepths(db: Database): Promise<Depth[]> {
  return withTimeout(db, timeoutMs, async (tx) => {
    const { rows } = await sql<Depth>`
      with open as (
        select coalesce(source_name, name) as queue, state, start_after, name = ${deadLetters} as dead
        from pgboss.job where state < 'completed')
      select q.name as queue,
        count(*) filter (where not dead and state < 'active' and start_after <= now()) as waiting,
        count(*) filter (where not dead and state < 'active' and start_after > now()) as delayed,
        count(*) filter (where not dead and state = 'active') as running,
        count(*) filter (where dead) as failed,
        extract(epoch from now() - min(start_after) filter (
          where not dead and state < 'active' and start_after <= now()))::float8 as age
      from pgboss.queue q left join open on open.queue = q.name
      where q.name <> ${deadLetters} and q.name not like '\\_\\_%'
      group by q.name`.execute(tx)
    return rows
  })
}
