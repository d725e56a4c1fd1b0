import { expect, test } from 'vitest'
import { inBatches } from './sweeps.ts'

test('repeats a step until it finds less than a batch, and stops when aborted', async () => {
  const found = [5, 5, 2]
  const stop = new AbortController()
  expect(await inBatches(5, new AbortController().signal, async () => found.shift() ?? 0)).toBe(12)
  const step = async () => {
    stop.abort(new Error('stopped'))
    return 5
  }
  await expect(inBatches(5, stop.signal, step)).rejects.toThrow('stopped')
})
