import { createHash } from 'node:crypto'

/**
 * The day whose sample the usual round draws; undefined where exhaustive suites run whole. Vitest's configuration sets it,
 * and prints it with a failure: `PARVIS_TEST_SAMPLE=2026-11-30 npm test -- file` repeats the sample of that day.
 */
const day = process.env.PARVIS_TEST_SAMPLE

/** False in the usual round: `test.runIf(isWhole)` leaves a long test of a short file to the rounds `rest` and `all`. */
export const isWhole = day === undefined

/** A part of the cases of an exhaustive suite, another one each day, in their order; all of them in the rounds `rest` and `all`. */
export function sampled<T>(
  cases: readonly T[],
  share: number,
  nameOf: (one: T) => string = String,
): readonly T[] {
  if (isWhole || cases.length === 0) return cases
  const count = Math.max(1, Math.round(cases.length * share))
  const drawn = cases.toSorted((one, other) => rankOf(nameOf(one)) - rankOf(nameOf(other))).slice(0, count)
  return cases.filter((one) => drawn.includes(one))
}

const rankOf = (name: string) => createHash('sha256').update(`${day} ${name}`).digest().readUInt32BE()
