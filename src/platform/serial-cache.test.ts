import { expect, test } from 'vitest'
import { serialCache } from './serial-cache.ts'

test('makes one value at a time, and again only what was not asked for lately', async () => {
  const made: string[] = []
  let [running, most] = [0, 0]
  const get = serialCache<string>(2)
  const ask = (key: string) =>
    get(key, async () => {
      most = Math.max(most, ++running)
      await new Promise((resolve) => setImmediate(resolve))
      running--
      made.push(key)
      return key
    })
  expect(await Promise.all(['a', 'b', 'a', 'c', 'a', 'b'].map(ask))).toEqual(['a', 'b', 'a', 'c', 'a', 'b'])
  expect(made).toEqual(['a', 'b', 'c', 'b'])
  expect(most).toBe(1)
})

test('a failure is not kept, and stops no other', async () => {
  const get = serialCache<number>(2)
  await expect(get('a', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
  expect(await get('a', async () => 1)).toBe(1)
})
