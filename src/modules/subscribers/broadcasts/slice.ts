import { setTimeout as sleep } from 'node:timers/promises'

type Slice<Ended> = {
  /** Deliveries under way at once, at present, and how many at least are taken together. */
  most(): number
  together?: number
  sliceMs: number
  /** How long to wait for outcomes after the slice; absent: for all of them. */
  lateMs?: number
  signal: AbortSignal
  /** Waits until so many may leave. */
  untilPaced?(count: number): Promise<void>
  /** Takes up to so many deliveries and hands them over; none if nothing is due. */
  take(limit: number): Promise<Promise<Ended>[]>
  /** Records what has ended since the last time. */
  record(ended: Ended[]): Promise<void>
}

/**
 * Sends a slice of a broadcast: keeps deliveries under way until none is due or the time is over. Each is taken when it can be handed
 * over, so that no more than those under way are ever uncertain. What ends while others are taken is recorded together. `late` is the
 * end of what the slice does not wait for, and records it.
 */
export async function sendInSlice<Ended>({
  most,
  together = 1,
  sliceMs,
  lateMs,
  signal,
  untilPaced,
  take,
  record,
}: Slice<Ended>): Promise<{ late: Promise<void> }> {
  const until = performance.now() + sliceMs
  const underWay = new Set<Promise<void>>()
  let ended: Ended[] = []
  let isOver = false
  const free = () =>
    isOver || signal.aborted || performance.now() >= until ? 0 : Math.max(0, most() - underWay.size)
  let late = Promise.resolve()
  try {
    for (;;) {
      const count = free()
      if (count >= together) {
        await untilPaced?.(count)
        await recordEnded()
        const taken = await take(count)
        isOver = taken.length === 0
        for (const one of taken) follow(one)
      } else if (underWay.size > 0 && (lateMs === undefined || performance.now() < until + lateMs)) {
        const limit = lateMs === undefined ? [] : [sleep(lateMs, undefined, { ref: false })]
        await Promise.race([...underWay, ...limit])
      } else break
      await recordEnded()
    }
  } finally {
    late = recordLate()
    if (lateMs === undefined) await late
    // Handled also if the slice itself has failed, of which nobody gets it.
    else late.catch(() => {})
  }
  signal.throwIfAborted()
  return { late }

  function follow(one: Promise<Ended>): void {
    const sending = one.then((outcome) => {
      ended.push(outcome)
    })
    underWay.add(sending)
    const leave = () => underWay.delete(sending)
    sending.then(leave, leave)
  }

  async function recordEnded(): Promise<void> {
    const outcomes = ended
    ended = []
    if (outcomes.length === 0) return
    try {
      await record(outcomes)
    } catch (error) {
      // Recorded at the end of the slice: the database may be back then.
      ended.push(...outcomes)
      throw error
    }
  }

  async function recordLate(): Promise<void> {
    await Promise.allSettled(underWay)
    await recordEnded()
  }
}
