import { unavailable } from '../../errors.ts'

/** How many are inside at once, how many wait to come in, and how long. */
export type GateLimits = { inside: number; waiting: number; patience?: Patience }

/** A burst may wait; once there has been a line for as long as that, who waits is told soon. */
type Patience = { burstMs: number; overloadMs: number }

export type Gate = {
  readonly inside: number
  readonly waiting: number
  /** Throws when too many wait already. */
  enter(): Place
}

export type Place = {
  /** Rejects when the wait is refused or given up. */
  entered: Promise<void>
  giveUpWaiting(): void
  /** Once or more often. */
  leave(): void
}

type Waiter = { since: number; enter(): void; refuse(why: string): void }

const usualPatience: Patience = { burstMs: 1_000, overloadMs: 50 }
const checkEveryMs = 10

/**
 * Lets a bounded number in at once, and a bounded number wait for a bounded time, in the order of their arrival:
 * waiting → inside → left, or waiting → refused.
 */
export function createGate({ patience = usualPatience, ...most }: GateLimits): Gate {
  let inside = 0
  const line = new Set<Waiter>()
  let lineSince = 0
  let timer: NodeJS.Timeout | null = null

  function letIn(waiter: Waiter) {
    line.delete(waiter)
    inside++
    waiter.enter()
  }
  function wait(waiter: Waiter) {
    if (line.size >= most.waiting) throw unavailable('too many wait for their turn')
    line.add(waiter)
    if (timer !== null) return
    lineSince = waiter.since
    timer = setInterval(refuseOverdue, checkEveryMs)
  }
  function refuseOverdue() {
    const now = performance.now()
    const { burstMs, overloadMs } = patience
    const patienceMs = now - lineSince < burstMs ? burstMs : overloadMs
    for (const waiter of line) {
      if (now - waiter.since < patienceMs) return
      line.delete(waiter)
      waiter.refuse('waited too long for its turn')
    }
    if (timer !== null) clearInterval(timer)
    timer = null
  }
  function enter(): Place {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    let isInside = false
    const waiter: Waiter = {
      since: performance.now(),
      enter() {
        isInside = true
        resolve()
      },
      refuse: (why) => reject(unavailable(why)),
    }
    if (inside < most.inside) letIn(waiter)
    else wait(waiter)
    return {
      entered: promise,
      giveUpWaiting() {
        if (line.delete(waiter)) waiter.refuse('its client is gone')
      },
      leave() {
        if (!isInside) return
        isInside = false
        inside--
        const [next] = line
        if (next !== undefined) letIn(next)
      },
    }
  }
  return {
    enter,
    get inside() {
      return inside
    },
    get waiting() {
      return line.size
    },
  }
}
