import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import type { Connection, Database } from '../database/connect.ts'
import { hurry, jobsDatabase, openJobs, until } from './jobs.test-kit.ts'
import { noted } from './jobs.test-noted.ts'
import { usualPace } from './pace.ts'

const long = process.env.PARVIS_TEST_LONG !== undefined
const rounds = long ? 20 : 2
const pace = long ? usualPace : hurry

test('kill -9 of a worker in mid-job: another does its jobs within 30 s, nothing is lost, what was done is not done again', {
  timeout: rounds * 40_000,
}, async () => {
  const database = await jobsDatabase()
  const { jobs, db } = openJobs(database.service)
  let [victim, survivor] = [await startWorker(database.service), await startWorker(database.service)]
  for (let round = 0; round < rounds; round++) {
    const ids: (string | null)[] = []
    await db.transaction().execute(async (tx) => {
      for (let n = 0; n < 6; n++) {
        // Long enough for both workers to get some.
        const takesMs = Math.round(pace.pollMs * (2 + Math.random() * 3))
        ids.push(await jobs.enqueue(tx, noted, { takesMs }))
      }
    })
    const look = () => lookAt(db, ids, victim)
    await until('the victim is in mid-job', async () => (await look()).some(({ byVictim }) => byVictim > 0))
    victim.kill('SIGKILL')
    const killedAt = performance.now()
    await once(victim, 'exit')
    const doneBefore = (await look()).filter(({ done }) => done).map(({ id }) => id)
    await until('all is done', async () => (await look()).every(({ done }) => done), 30_000)
    expect(performance.now() - killedAt).toBeLessThan(30_000)

    const seen = await look()
    expect(seen.length).toBe(ids.length)
    expect(seen.some(({ byVictim, byOther }) => byVictim === 1 && byOther === 1)).toBe(true)
    for (const { id, byVictim, byOther, ends } of seen) {
      // Killed between the end of a job and the record of it, it is done again: at least once.
      expect(ends).toBeGreaterThanOrEqual(1)
      expect(byVictim).toBeLessThanOrEqual(1)
      expect(byOther).toBeLessThanOrEqual(1)
      if (doneBefore.includes(id)) expect(byVictim + byOther).toBe(1)
    }
    victim = survivor
    survivor = await startWorker(database.service)
  }
})

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
  const script = fileURLToPath(new URL('jobs.test-worker.ts', import.meta.url))
  const child = spawn(process.execPath, [script, JSON.stringify(connection), JSON.stringify(pace)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  await once(child.stdout, 'data')
  return child
}
