import { setImmediate } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { sendInSlice } from './slice.ts'

test('outcomes that could not be recorded are recorded at the end of the slice', async () => {
  const waiting = [[Promise.resolve('first')], [Promise.resolve('second')]]
  const recorded: string[][] = []
  let failures = 1
  const sending = sendInSlice({
    most: () => 1,
    sliceMs: 60_000,
    signal: new AbortController().signal,
    take: async () => waiting.shift() ?? [],
    async record(ended: string[]) {
      if (failures-- > 0) throw new Error('the database does not respond')
      recorded.push(ended)
    },
  })
  await expect(sending).rejects.toThrow('the database does not respond')
  expect(recorded).toEqual([['first']])
})

test('a slice that does not wait fails once, also if what is late cannot be recorded either', async () => {
  const unhandled: unknown[] = []
  const note = (error: unknown) => unhandled.push(error)
  process.on('unhandledRejection', note)
  onTestFinished(() => {
    process.off('unhandledRejection', note)
  })
  const sending = sendInSlice({
    ...{ most: () => 1, sliceMs: 60_000, lateMs: 10, signal: new AbortController().signal },
    take: async () => [Promise.resolve('sent')],
    record: () => Promise.reject(new Error('the database does not respond')),
  })
  await expect(sending).rejects.toThrow('the database does not respond')
  // Node tells after the microtasks of a turn.
  await setImmediate()
  expect(unhandled).toEqual([])
})
