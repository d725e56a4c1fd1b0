import type { Module } from '../platform/module.ts'
import { todayInParis } from '../platform/time/paris-time.ts'
import { siteSettings } from './settings.ts'

/** What a page shows that depends on the day. */
export const daysTag = 'days'

export const site = {
  name: 'site',
  about: 'The public site',
  settings: siteSettings,
  changesByTime: { [daysTag]: { with: [], find: async (_db, _lookbackMs, now) => untilMidnight(now) } },
} satisfies Module

const hourMs = 3_600_000

/** Returns the milliseconds until the day changes in Paris, whose offset is a whole number of hours. */
function untilMidnight(now: Date): number {
  const today = todayInParis(now)
  let at = Math.ceil((now.getTime() + 1) / hourMs) * hourMs
  while (todayInParis(new Date(at)) === today) at += hourMs
  return at - now.getTime()
}
