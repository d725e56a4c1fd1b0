import { availableParallelism } from 'node:os'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { chargeStatement, newAccount, runFor } from './processing-time.ts'

/** Clocks that pass only when the test says so. */
const clocks = { at: performance.now(), processor: 0, idle: 0 }
beforeEach(() => {
  vi.spyOn(performance, 'now').mockImplementation(() => clocks.at)
  vi.spyOn(process, 'threadCpuUsage').mockImplementation(() => ({
    user: clocks.processor * 1_000,
    system: 0,
  }))
  vi.spyOn(performance, 'eventLoopUtilization').mockImplementation(() => ({
    ...{ idle: clocks.idle, active: 0, utilization: 0 },
  }))
  onTestFinished(() => void vi.restoreAllMocks())
})

/** Works for this long, in which the thread has a processor for a part of the time. */
function work({ ms, processorMs }: { ms: number; processorMs: number }) {
  clocks.at += ms
  clocks.processor += processorMs
}
const endOfTurn = async () => new Promise((resolve) => setImmediate(resolve))
const payerNamed = (name: string) => ({ account: newAccount(name) })

/** Lets a client work in a turn of the event loop, and returns its costs. */
async function costOf(run: () => unknown) {
  const payer = payerNamed('a')
  await runFor(payer, async () => run())
  await endOfTurn()
  return payer.account.spentMs
}
const statement = (wait: () => void) => async () => {
  const end = chargeStatement()
  await endOfTurn()
  wait()
  end()
}

test('a turn of the event loop costs its processor time, not that of others on the machine', async () => {
  expect(await costOf(() => work({ ms: 100, processorMs: 10 }))).toBeCloseTo(10)
})

test('a request costs nothing of what another one does in the same turn', async () => {
  const [first, second] = [payerNamed('first'), payerNamed('second')]
  runFor(first, () => work({ ms: 5, processorMs: 5 }))
  runFor(second, () => work({ ms: 30, processorMs: 30 }))
  await endOfTurn()
  expect(first.account.spentMs).toBeCloseTo(5)
  expect(second.account.spentMs).toBeCloseTo(30)
})

test('a statement costs the time in which the event loop waited for it, not that in which the loop worked', async () => {
  // A whole processor, for long enough to forget what was before.
  await costOf(() => work({ ms: 60_000, processorMs: 60_000 }))
  const cost = await costOf(
    statement(() => {
      clocks.idle += 40
      work({ ms: 500, processorMs: 0 })
    }),
  )
  expect(cost).toBeCloseTo(40 / availableParallelism())
})

test('on a machine that others keep busy, a statement costs less than it takes', async () => {
  await costOf(() => work({ ms: 60_000, processorMs: 15_000 }))
  const cost = await costOf(
    statement(() => {
      clocks.idle += 400
    }),
  )
  expect(cost).toBeCloseTo(100 / availableParallelism())
})
