/** Counts of refused and cleaned values by reason. */
export type Tally = ReturnType<typeof createTally>

export function createTally() {
  const counts = { read: 0, refused: {} as Counts, cleaned: {} as Counts }
  return {
    counts,
    /** Counts a refusal; returns null, the value to store. */
    refuse(reason: string): null {
      counts.refused[reason] = (counts.refused[reason] ?? 0) + 1
      return null
    },
    clean(reason: string) {
      counts.cleaned[reason] = (counts.cleaned[reason] ?? 0) + 1
    },
  }
}

type Counts = Record<string, number>
