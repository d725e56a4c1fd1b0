import { Registry } from 'prom-client'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openWorld } from '../../../../test/support/world.ts'
import { watchClock } from './watch-clock.ts'

const { db } = await openWorld()

test("logs once when the clock differs from the database's by a minute, and once when it is right again", async () => {
  const registry = new Registry()
  const lines: { difference_seconds: number; message: string }[] = []
  const note = (about: object, message: string) =>
    void lines.push({ ...(about as { difference_seconds: number }), message })
  let aheadMs = 30_000
  const now = () => Date.now() + aheadMs
  onTestFinished(watchClock({ db, registry, log: { warn: note, info: note } }, { everyMs: 5, now }))
  const difference = async () =>
    Number(/^clock_difference_seconds (\S+)/m.exec(await registry.metrics())?.[1] ?? Number.NaN)
  const becomes = (seconds: number) =>
    vi.waitFor(async () => expect(await difference()).toBeCloseTo(seconds, -1), { timeout: 30_000 })
  await becomes(30)
  expect(lines).toEqual([])
  aheadMs = -600_000
  await becomes(-600)
  await vi.waitFor(() => expect(lines).toHaveLength(1), { timeout: 30_000 })
  aheadMs = 0
  await becomes(0)
  await vi.waitFor(() => expect(lines).toHaveLength(2), { timeout: 30_000 })
  expect(lines[0]?.message).toMatch(/^the clock of this machine or of the database is wrong/)
  // The first check may have started with the previous clock.
  expect(lines[0]?.difference_seconds).toBeLessThan(-100)
  expect(lines[1]?.message).toBe('the clock agrees with the clock of the database again')
})
