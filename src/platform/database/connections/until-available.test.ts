import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { cloneDatabase } from '../../../../test/support/world.ts'
import { StartError } from '../../config/start-error.ts'
import { unavailable } from '../../errors.ts'
import { createJobs } from '../../jobs/jobs.ts'
import { connect } from '../connect.ts'
import { defaultPools } from '../pools/pools.ts'
import { untilAvailable } from './until-available.ts'

const silentLog = { warn: () => {}, error: () => {} }

/** Opens pools that wait for no lock, a transaction that holds a lock, and what a step of the start needs. */
async function openLocked(table: string) {
  const { owner, service } = await cloneDatabase()
  const impatient = Object.fromEntries(
    Object.entries(defaultPools).map(([name, limits]) => [name, { ...limits, lockMs: 1 }]),
  ) as typeof defaultPools
  const connected = connect(service, silentLog, { limits: impatient })
  onTestFinished(connected.close)
  const holder = new pg.Client(owner)
  await holder.connect()
  onTestFinished(() => holder.end())
  await holder.query(`begin; lock table ${table} in access exclusive mode`)
  const said: string[] = []
  let pauses = 0
  const step = {
    connection: service,
    what: 'Counting',
    say: (line: string) => void said.push(line),
    pause: async () => {
      if (++pauses === 3) await holder.query('commit')
    },
  }
  return { ...connected, step, said }
}

test('a step of the start that times out runs again while the database accepts connections', async () => {
  const { db, step, said } = await openLocked('communes')
  let runs = 0
  const rows = await untilAvailable(step, () => {
    runs++
    return db.selectFrom('communes').select('id').execute()
  })
  expect(rows).toEqual([])
  expect(runs).toBeGreaterThan(3)
  expect(said[0]).toMatch(/^Counting waits for the database \(canceling statement due to lock timeout\)$/)
})

test('jobs whose start timed out start at a later attempt', async () => {
  const { db, pools, step, said } = await openLocked('pgboss.version')
  const jobs = createJobs({ db, pool: pools.jobs, log: silentLog })
  onTestFinished(() => jobs.stop())
  await untilAvailable(step, () => jobs.start([]))
  expect(said.length).toBeGreaterThan(0)
})

test('ends in one sentence when the database is gone', async () => {
  const connection = { host: '127.0.0.1', port: 1, user: 'x', password: 'y' }
  const starting = untilAvailable({ connection, what: 'Counting', say: () => {} }, () =>
    Promise.reject(unavailable(new Error('the connection was lost'))),
  )
  await expect(starting).rejects.toThrow(
    new StartError(
      'The database became unavailable during the start (connect ECONNREFUSED 127.0.0.1:1): start again.',
    ),
  )
})

test('ends at once when waiting changes nothing', async () => {
  const readOnly = Object.assign(new pg.DatabaseError('it is read-only', 0, 'error'), { code: '25006' })
  const step = { connection: {}, what: 'Counting', say: () => expect.fail('it waited') }
  await expect(untilAvailable(step, () => Promise.reject(unavailable(readOnly)))).rejects.toThrow(
    new StartError('The database became unavailable during the start (it is read-only): start again.'),
  )
})
