const latest = new Map<string, Promise<unknown>>()

/** Runs actions on the same record one after another, in call order; on different records concurrently. */
export async function oneByOne<Answer>(
  ids: readonly string[],
  action: () => Promise<Answer>,
): Promise<Answer> {
  const before = ids.map((id) => latest.get(id))
  const done = Promise.allSettled(before).then(action)
  const quiet = done.catch(() => {})
  for (const id of ids) latest.set(id, quiet)
  try {
    return await done
  } finally {
    for (const id of ids) if (latest.get(id) === quiet) latest.delete(id)
  }
}

/** Whether an action is in progress on any record. */
export const isDeciding = (): boolean => latest.size > 0
