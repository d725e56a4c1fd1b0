import Type from 'typebox'
import { expect, test } from 'vitest'
import { defineJob } from './job.ts'
import { enqueueLost, handleRow } from './rows.ts'

const { signal } = new AbortController()
const job = defineJob('rows.test', Type.Object({ id: Type.String() }), { retries: 2 })
const fault = new Error('the row is at fault')
const outage = new Error('the database is away')

/** Performs one attempt at a row that fails like this, and returns what the row was told. */
async function attempt(number: number, error: Error, context: { signal?: AbortSignal; ended?: true } = {}) {
  const told: string[] = []
  const { perform } = handleRow(job, {
    claim: async ({ id }) => (context.ended ? null : `${id}, claimed`),
    attempt: async (row) => {
      told.push(`attempt at ${row}`)
      throw error
    },
    isFault: (thrown) => thrown === fault,
    noteFailure: async () => told.push('noted'),
    giveUp: async (_row, thrown) => told.push(`given up: ${(thrown as Error).message}`),
  })
  const thrown = await perform({ id: 'x' }, { id: 'job', attempt: number, signal, ...context }).then(
    () => null,
    (given: Error) => given.message,
  )
  return { told, thrown }
}

test('notes a failed attempt and throws, so that it is retried', async () => {
  const told = ['attempt at x, claimed', 'noted']
  expect(await attempt(2, outage)).toEqual({ told, thrown: outage.message })
})

test('gives up after the last attempt', async () => {
  const told = ['attempt at x, claimed', `given up: ${outage.message}`]
  expect(await attempt(3, outage)).toEqual({ told, thrown: null })
})

test('gives up at once when the row is at fault', async () => {
  const told = ['attempt at x, claimed', `given up: ${fault.message}`]
  expect(await attempt(1, fault)).toEqual({ told, thrown: null })
})

test('neither notes nor gives up an aborted attempt, even the last one', async () => {
  expect(await attempt(3, outage, { signal: AbortSignal.abort() })).toEqual({
    told: ['attempt at x, claimed'],
    thrown: outage.message,
  })
})

test('does nothing to a row that has ended', async () => {
  expect(await attempt(1, outage, { ended: true })).toEqual({ told: [], thrown: null })
})

test('enqueues the job of each lost row under the key of the row', async () => {
  const enqueued: unknown[] = []
  const jobs = { enqueue: async (...given: unknown[]) => enqueued.push(given.slice(1)) }
  await enqueueLost({ db: {}, jobs } as never, job, ['x', 'y'], (id) => ({ id }))
  expect(enqueued).toEqual([
    [job, { id: 'x' }, { singletonKey: 'x' }],
    [job, { id: 'y' }, { singletonKey: 'y' }],
  ])
})
