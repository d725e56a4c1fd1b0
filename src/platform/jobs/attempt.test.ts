import Type from 'typebox'
import { afterEach, expect, test, vi } from 'vitest'
import { type AttemptDeps, makeAttempt } from './attempt.ts'
import { defineJob, handle } from './job.ts'

afterEach(() => void vi.useRealTimers())

/** Reports nothing: another worker owns the attempt by then. */
const deps = {
  boss: { fail: async () => ({ affected: 0 }) },
  db: { transaction: () => ({ execute: (work: (tx: object) => Promise<unknown>) => work({}) }) },
  log: {},
} as unknown as AttemptDeps

test('an attempt has its full timeout and no more', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const slow = defineJob('test.slow', Type.Object({}), { timeoutSeconds: 1_800 })
  const given = Promise.withResolvers<AbortSignal>()
  const work = handle(slow, (_payload, { signal }) => {
    given.resolve(signal)
    return new Promise(() => {})
  })
  const never = new AbortController().signal
  const job = { name: slow.name, id: 'job', data: {}, retryCount: 0, retryLimit: 5, signal: never }
  const attempt = makeAttempt(deps, work, job as never, { signal: never, graceMs: 0 })
  const signal = await given.promise
  vi.advanceTimersByTime(1_800_000 - 1)
  expect(signal.aborted).toBe(false)
  vi.advanceTimersByTime(1)
  expect(signal.aborted).toBe(true)
  await attempt
})
