const isLong = Boolean(process.env.PARVIS_TEST_LONG)

/** The same delays and orders in each run, so that none fails by chance; the long run explores others. */
export const seed = Number(process.env.PARVIS_TEST_SEED ?? (isLong ? Math.floor(Math.random() * 1e6) : 1))
/** For test titles. */
export const replay = `(PARVIS_TEST_SEED=${seed})`

/** A random sequence determined by its seed. */
export function randomFrom(start: number): () => number {
  let state = Math.imul(start, 2_654_435_761)
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
