import { rateLimited } from '../../errors.ts'
import { addressCaller, addressNetwork } from './addresses.ts'
import type { RateLimit } from './settings.ts'

/**
 * Counts what fails, by address and the network around it, in this instance's memory: it costs the database nothing,
 * whoever sends how much. Throws at the failure that is one too many; when to ask is the caller's business, so that what
 * succeeds from the same address need not be counted. Of too many addresses the one that has been counted longest goes.
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
