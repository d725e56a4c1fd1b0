import { expect, test, vi } from 'vitest'
import { serializedOnce, textOf } from './serialized-once.ts'

test('a shared response is serialized once, any other each time', () => {
  const serialize = vi.fn(JSON.stringify)
  const [shared, own] = [serializedOnce({ data: [1] }), { data: [1] }]
  for (const response of [shared, shared, own, own, null, 'text'])
    expect(textOf(response, serialize)).toBe(JSON.stringify(response))
  expect(serialize.mock.calls.map(([response]) => response)).toEqual([shared, own, own, null, 'text'])
})
