import { unavailable } from '../../errors.ts'

/** How many are inside at once, how many wait to come in, and how long. */
export type GateLimits = { inside: number; waiting: number; maxWait?: MaxWait }

/** A burst may wait; once there has been a queue for that long, who waits is told soon. */
type MaxWait = { burstMs: number; overloadMs: number }

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

const usualMaxWait: MaxWait = { burstMs: 1_000, overloadMs: 50 }
const checkEveryMs = 10

/**
 * Lets a bounded number in at once, and a bounded number wait for a bounded time, in the order of their arrival:
 * waiting → inside → left, or waiting → refused.
 */
export function createGate(limits: GateLimits): Gate {
  let inside = 0
  const queue = createQueue(limits.maxWait)

  function letIn(waiter: Waiter) {
    inside++
    waiter.enter()
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
    if (inside < limits.inside) letIn(waiter)
    else if (queue.size < limits.waiting) queue.add(waiter)
    else throw unavailable('too many wait for their turn')
    return {
      entered: promise,
      giveUpWaiting() {
        if (queue.delete(waiter)) waiter.refuse('its client is gone')
      },
      leave() {
        if (!isInside) return
        isInside = false
        inside--
        const next = queue.takeFirst()
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
      return queue.size
    },
  }
}

/** Refuses who has waited too long. */
function createQueue({ burstMs, overloadMs } = usualMaxWait) {
  const waiters = new Set<Waiter>()
  let since = 0
  let timer: NodeJS.Timeout | undefined

  function refuseOverdue() {
    const now = performance.now()
    const maxWaitMs = now - since < burstMs ? burstMs : overloadMs
    for (const waiter of waiters) {
      if (now - waiter.since < maxWaitMs) return
      waiters.delete(waiter)
      waiter.refuse('waited too long for its turn')
    }
    clearInterval(timer)
    timer = undefined
  }
  return {
    get size() {
      return waiters.size
    },
    add(waiter: Waiter) {
      waiters.add(waiter)
      if (timer !== undefined) return
      since = waiter.since
      timer = setInterval(refuseOverdue, checkEveryMs)
    },
    delete: (waiter: Waiter) => waiters.delete(waiter),
    takeFirst() {
      const [first] = waiters
      if (first !== undefined) waiters.delete(first)
      return first
    },
  }
}
