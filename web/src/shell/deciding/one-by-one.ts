const latest = new Map<string, Promise<unknown>>()

/** Deeds on one record run one after another, in the order they were asked for; those on different ones at once. */
export async function oneByOne<Answer>(ids: readonly string[], deed: () => Promise<Answer>): Promise<Answer> {
  const before = ids.map((id) => latest.get(id))
  const done = Promise.allSettled(before).then(deed)
  const quiet = done.catch(() => {})
  for (const id of ids) latest.set(id, quiet)
  try {
    return await done
  } finally {
    for (const id of ids) if (latest.get(id) === quiet) latest.delete(id)
  }
}

/** Whether a deed is under way on any record. */
export const isDeciding = (): boolean => latest.size > 0
