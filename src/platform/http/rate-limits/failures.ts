import { rateLimited } from '../../errors.ts'
import { addressCaller, addressNetwork } from '../../formats/network-address.ts'
import type { RateLimit } from '../../rate-limit.ts'

/**
 * Counts failures by address and by the surrounding network, in this instance's memory, without the database.
 * Throws at the first failure above the limit. The caller decides when to count, so that successes from the
 * same address do not count. When full, evicts the address that was counted first.
 */
export function failureLimit(limit: RateLimit, maxAddresses = 10_000): (ip: string) => void {
  if (limit === 'off') return () => {}
  const windows = new Map<string, { endsMs: number; left: number }>()

  function take(key: string, points: number, windowMs: number): void {
    const now = performance.now()
    let window = windows.get(key)
    if (window === undefined || window.endsMs <= now) {
      windows.delete(key)
      window = { endsMs: now + windowMs, left: points }
      windows.set(key, window)
      const [oldest = ''] = windows.keys()
      if (windows.size > maxAddresses) windows.delete(oldest)
    }
    if (window.left === 0) throw rateLimited(Math.ceil((window.endsMs - now) / 1_000))
    window.left--
  }

  return (ip) => {
    take(`address ${addressCaller(ip)}`, limit.points, limit.seconds * 1_000)
    const network = addressNetwork(ip)
    if (network !== null) take(`network ${network}`, limit.points * 10, limit.seconds * 1_000)
  }
}
