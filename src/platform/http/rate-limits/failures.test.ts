import { expect, test, vi } from 'vitest'
import { failureLimit } from './failures.ts'

const perMinute = (points: number) => ({ points, seconds: 60 })
const times = (count: number, work: (index: number) => void) => {
  for (let index = 0; index < count; index++) work(index)
}
const limited = expect.objectContaining({ code: 'rate_limited', retryAfterS: 60 })
const thrownBy = (work: () => void) => {
  try {
    work()
    return null
  } catch (error) {
    return error
  }
}

test('throws at the first failure above the limit until the window ends; other addresses do not count', () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  const count = failureLimit(perMinute(3))
  times(3, () => count('192.0.2.1'))
  times(5, () => expect(thrownBy(() => count('192.0.2.1'))).toEqual(limited))
  times(3, () => count('192.0.2.2'))
  vi.advanceTimersByTime(60_001)
  times(3, () => count('192.0.2.1'))
  expect(thrownBy(() => count('::ffff:192.0.2.1'))).toEqual(limited)
  vi.useRealTimers()
})

test('the /64 of an IPv6 address counts as one, and its /48 as ten', () => {
  const count = failureLimit(perMinute(2))
  times(2, (index) => count(`2001:db8:1:1::${index}`))
  expect(thrownBy(() => count('2001:db8:1:1::9'))).toEqual(limited)
  times(18, (index) => count(`2001:db8:1:${index + 10}::1`))
  expect(thrownBy(() => count('2001:db8:1:ffff::1'))).toEqual(limited)
  count('2001:db8:2::1')
})

test('stores a bounded number of addresses and evicts the oldest', () => {
  const count = failureLimit(perMinute(1), 100)
  times(100, (index) => count(`198.51.100.${index}`))
  expect(thrownBy(() => count('198.51.100.0'))).toEqual(limited)
  count('192.0.2.1')
  count('198.51.100.0')
  expect(thrownBy(() => count('198.51.100.99'))).toEqual(limited)
})

test('`off` counts nothing', () => {
  const count = failureLimit('off')
  times(1_000, () => count('192.0.2.1'))
})
