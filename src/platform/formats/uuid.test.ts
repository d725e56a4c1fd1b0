import { expect, test, vi } from 'vitest'
import { uuidv7 } from './uuid.ts'

test('creates distinct UUIDs of version 7 in increasing order', () => {
  const ids = Array.from({ length: 50_000 }, uuidv7)
  for (const id of ids)
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids.toSorted()).toEqual(ids)
})

test('ids start with the time and keep increasing when the clock goes back', () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2040, 0, 1) })
  const first = uuidv7()
  expect(Number.parseInt(first.replaceAll('-', '').slice(0, 12), 16)).toBe(Date.UTC(2040, 0, 1))
  vi.setSystemTime(Date.UTC(2039, 0, 1))
  expect(uuidv7() > first).toBe(true)
  vi.useRealTimers()
})
