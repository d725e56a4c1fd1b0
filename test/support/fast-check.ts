import fc from 'fast-check'
import { isWhole } from './sample.ts'

// The same cases in each run, so that none fails by chance; the long run explores others and prints its seed.
if (!process.env.PARVIS_TEST_LONG) fc.configureGlobal({ seed: 1 })

/**
 * How often a property runs: 20 times in the usual round, 200 in the rounds `rest` and `all`, 2 000 in the long one.
 * `share` is above 1 for a pure function, and below 1 where a run takes more than 50 ms.
 */
export function propertyRuns(share = 1): number {
  const runs = process.env.PARVIS_TEST_LONG ? 2_000 : isWhole ? 200 : 20
  return Math.max(2, Math.round(runs * share))
}

export { fc }
