/** What was refused and cleaned so far, by reason. */
export type Tally = ReturnType<typeof createTally>

export function createTally() {
  const counts = { read: 0, refused: {} as Counts, cleaned: {} as Counts }
  return {
    counts,
    refuse(reason: string) {
      counts.refused[reason] = (counts.refused[reason] ?? 0) + 1
    },
    clean(reason: string) {
      counts.cleaned[reason] = (counts.cleaned[reason] ?? 0) + 1
    },
  }
}

type Counts = Record<string, number>
