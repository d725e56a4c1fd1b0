import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { run } from '../../../test/support/world.ts'
import type { Database } from '../database/connect.ts'
import type { Connection } from '../database/connection.ts'
import { hurry, jobsDatabase, openJobs, until } from './jobs.test-kit.ts'
import { noted } from './jobs.test-noted.ts'
import { defaultTiming } from './timing.ts'

const long = process.env.PARVIS_TEST_LONG !== undefined
const rounds = long ? 20 : 2
const timing = long ? defaultTiming : hurry
let seed = 42

test('after kill -9 of a worker another one runs its jobs within 30 s; none is lost and no finished one repeated', {
  timeout: rounds * 120_000,
}, async () => {
  const database = await jobsDatabase()
  const { jobs, db } = openJobs(database.service)
  let [victim, survivor] = [await startWorker(database.service), await startWorker(database.service)]
  for (let round = 0; round < rounds; round++) {
    const ids: (string | null)[] = []
    for (const takesMs of [0, 0.3, 0.6, 2, 3, 4].map((turns) =>
      Math.round(timing.pollSeconds * 1_000 * turns * random()),
    ))
      ids.push(await jobs.enqueue(db, noted, { takesMs }))
    // One more than a worker runs at a time, so that both get some.
    const held = await db.transaction().execute(async (tx) => {
      const made = []
      for (let n = 0; n <= noted.settings.concurrency; n++)
        made.push(await jobs.enqueue(tx, noted, { takesMs: 0 }))
      await sql`insert into held select unnest(${made}::uuid[])`.execute(tx)
      return made
    })
    ids.push(...held)
    // pg-boss itself waits at least ten seconds before it considers a worker dead.
    if (!long) await run(database.owner, 'update pgboss.job set heartbeat_seconds = 3')
    const look = () => lookAt(db, ids, victim)
    await until('some is done, and the victim is in the middle of what is held', async () => {
      const seen = await look()
      return (
        seen.some(({ done }) => done) && seen.some(({ id, byVictim }) => held.includes(id) && byVictim > 0)
      )
    })
    victim.kill('SIGKILL')
    await once(victim, 'exit')
    const doneBefore = (await look()).filter(({ done }) => done).map(({ id }) => id)
    await sql`delete from held`.execute(db)
    await until('all is done', async () => (await look()).every(({ done }) => done), 30_000)

    const seen = await look()
    expect(seen.length).toBe(ids.length)
    expect(seen.some(({ byVictim, byOther }) => byVictim === 1 && byOther === 1)).toBe(true)
    for (const { id, byVictim, byOther, ends } of seen) {
      // A worker killed between finishing a job and recording it causes a second run: at least once.
      expect(ends).toBeGreaterThanOrEqual(1)
      expect(byVictim).toBeLessThanOrEqual(1)
      expect(byOther).toBeLessThanOrEqual(1)
      if (doneBefore.includes(id)) expect(byVictim + byOther).toBe(1)
    }
    victim = survivor
    survivor = await startWorker(database.service)
  }
})

/** Returns a number from 0 to 1, the same in each run except the long ones. */
function random(): number {
  if (long) return Math.random()
  seed = (seed * 16_807) % 2_147_483_647
  return seed / 2_147_483_647
}

type Seen = { id: string; done: boolean; byVictim: number; byOther: number; ends: number }

async function lookAt(db: Database, ids: (string | null)[], { pid }: ChildProcess): Promise<Seen[]> {
  const { rows } = await sql<Seen>`
    select id, state = 'completed' as done, count(ended) as ends,
      count(*) filter (where worker = ${String(pid)}) as "byVictim",
      count(*) filter (where worker <> ${String(pid)}) as "byOther"
    from pgboss.job left join runs on runs.job = id
    where name = ${noted.name} and id = any(${ids}) group by id, state`.execute(db)
  return rows
}

async function startWorker(connection: Connection): Promise<ChildProcess> {
  const script = fileURLToPath(new URL('./jobs.test-worker.ts', import.meta.url))
  const child = spawn(process.execPath, [script, JSON.stringify(connection), JSON.stringify(timing)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  await once(child.stdout, 'data')
  return child
}
