/** Returns what makes expensive values: one at a time, and again only those that were not asked for lately. It keeps `most` of them. */
export function serialCache<Value>(
  most: number,
): (key: string, make: () => Promise<Value>) => Promise<Value> {
  const kept = new Map<string, Value>()
  let last: Promise<unknown> = Promise.resolve()
  return (key, make) => {
    const made = last.then(async () => {
      const value = kept.get(key) ?? (await make())
      // At the end again: the first ones are those that were asked for least lately.
      kept.delete(key)
      kept.set(key, value)
      if (kept.size > most) kept.delete(kept.keys().next().value ?? '')
      return value
    })
    last = made.catch(() => undefined)
    return made
  }
}
