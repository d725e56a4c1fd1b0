import { unavailable } from '../../errors.ts'

/**
 * How many are inside at once, how many wait to come in when many come at once, and how long. Once there has been a queue
 * for that long, only as many may wait as are inside: who comes beyond that is told at once, and who waits is soon inside.
 */
export type GateLimits = { inside: number; waiting: number; maxWaitMs?: number }

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

const usualMaxWaitMs = 1_000
const checkEveryMs = 10

/**
 * Lets a bounded number in at once, and a bounded number wait for a bounded time, in the order of their arrival:
 * waiting → inside → left, or waiting → refused.
 */
export function createGate(limits: GateLimits): Gate {
  let inside = 0
  const queue = createQueue(limits)

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
    else if (queue.size < queue.room()) queue.add(waiter)
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

/** Refuses who has waited too long, and the last ones when a burst turns out to be more than that. */
function createQueue({ inside, waiting, maxWaitMs = usualMaxWaitMs }: GateLimits) {
  const waiters = new Set<Waiter>()
  let since = 0
  let timer: NodeJS.Timeout | undefined

  const hasLasted = () => timer !== undefined && performance.now() - since >= maxWaitMs
  const room = () => (hasLasted() ? Math.min(waiting, inside) : waiting)

  function refuse(waiter: Waiter, why: string) {
    waiters.delete(waiter)
    waiter.refuse(why)
  }
  function look() {
    const now = performance.now()
    for (const waiter of waiters) {
      if (now - waiter.since < maxWaitMs) break
      refuse(waiter, 'waited too long for its turn')
    }
    for (const waiter of [...waiters].slice(room())) refuse(waiter, 'too many wait for their turn')
    if (waiters.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
  return {
    room,
    get size() {
      return waiters.size
    },
    add(waiter: Waiter) {
      waiters.add(waiter)
      if (timer !== undefined) return
      since = waiter.since
      timer = setInterval(look, checkEveryMs)
    },
    delete: (waiter: Waiter) => waiters.delete(waiter),
    takeFirst() {
      const [first] = waiters
      if (first !== undefined) waiters.delete(first)
      return first
    },
  }
}
