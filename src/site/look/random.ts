/** Returns numbers from 0 to 1 that follow from a text, the same for ever: FNV-1a as seed of a mixer of 32 bits. */
export function randomOf(seed: string): () => number {
  let state = 2_166_136_261
  for (const letter of seed) state = Math.imul(state ^ letter.charCodeAt(0), 16_777_619)
  return () => {
    state = Math.imul(state ^ (state >>> 15), 2_246_822_507)
    state = Math.imul(state ^ (state >>> 13), 3_266_489_909)
    state ^= state >>> 16
    return (state >>> 0) / 2 ** 32
  }
}
