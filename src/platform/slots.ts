/** Limits concurrent expensive work by slots; callers without a slot queue in order of arrival. */
export type Slots = {
  /** Resolves when a slot is free; rejects with the signal's reason if it aborts first. */
  take(signal: AbortSignal): Promise<void>
  release(): void
}

export function createSlots(count: number): Slots {
  let free = count
  const waiting: (() => void)[] = []

  return {
    async take(signal) {
      signal.throwIfAborted()
      if (free > 0) {
        free -= 1
        return
      }
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      const leave = () => {
        const place = waiting.indexOf(resolve)
        // The slot was just assigned: the signal stops its work.
        if (place < 0) return
        waiting.splice(place, 1)
        reject(signal.reason)
      }
      waiting.push(resolve)
      signal.addEventListener('abort', leave, { once: true })
      await promise
      signal.removeEventListener('abort', leave)
    },
    /** Passes the slot to the next in the queue before anyone new can take it. */
    release() {
      const next = waiting.shift()
      if (next === undefined) free += 1
      else next()
    },
  }
}
