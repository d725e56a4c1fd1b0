import { sql } from 'kysely'
import Type from 'typebox'
import { expect, test, vi } from 'vitest'
import { openWorld } from '../../test/support/world.ts'
import { defineJob, handle } from '../platform/jobs/job.ts'
import { openCommandWorld } from './command.test-kit.ts'
import { run } from './jobs.ts'

const world = await openWorld()
const { db, jobs } = world
const { call, named } = await openCommandWorld(world, run)
const one = defineJob('test.one', Type.Object({}), { retries: 1, backoffSeconds: 0 })
const other = defineJob('test.other', Type.Object({}), { retries: 1, backoffSeconds: 0 })

const statesOf = async (name: string) => {
  const { rows } = await sql<{ state: string }>`select state from pgboss.job where name = ${name}`.execute(db)
  return rows.map(({ state }) => state)
}

test('lists the jobs that have failed for good, and enqueues those of a queue or all again', async () => {
  expect(await call('failed')).toMatchObject({ code: 0, stdout: 'None has failed.\n', stderr: named })
  let works = false
  const perform = async () => {
    if (!works) throw new Error('the registry\nis away')
  }
  await jobs.start([handle(one, perform), handle(other, perform)])
  for (const job of [one, one, other]) await jobs.enqueue(db, job, {})
  const generous = { timeout: 50_000, interval: 50 }
  await vi.waitFor(async () => expect(await statesOf('dead-letters')).toHaveLength(3), generous)
  const listed = await call('failed')
  expect(listed.stdout.trimEnd().split('\n')).toHaveLength(3)
  expect(listed.stdout).toMatch(/^\d{4}-\d\d-\d\dT\S+Z test\.other: the registry is away$/m)

  works = true
  expect(await call('requeue --queue test.other')).toMatchObject({ code: 0, stdout: 'Enqueued again: 1.\n' })
  expect(await statesOf('dead-letters')).toHaveLength(2)
  expect(await call('requeue --all')).toMatchObject({ code: 0, stdout: 'Enqueued again: 2.\n' })
  await vi.waitFor(async () => {
    const states = [...(await statesOf(one.name)), ...(await statesOf(other.name))]
    expect(states.filter((state) => state === 'completed')).toHaveLength(3)
  }, generous)
  expect(await call('requeue --all')).toMatchObject({ code: 0, stdout: 'Enqueued again: 0.\n' })
})

test.each([
  ['', 'Name what to do: failed or requeue.\n'],
  ['requeue', 'Name the jobs: --queue <queue>, or --all.\n'],
  ['requeue --all --queue test.one', 'Name the jobs: --queue <queue>, or --all.\n'],
  ['failed --all', '--queue and --all go with requeue.\n'],
])('the command jobs %s is refused in one sentence', async (words, sentence) => {
  expect(await call(words)).toMatchObject({ code: 2, stderr: expect.stringContaining(sentence) })
})

test('--help prints the usage', async () => {
  expect(await call('--help')).toMatchObject({ code: 0, stdout: expect.stringContaining('requeue --queue') })
})
