import { type ShortestWait, watchShortestWait } from './shortest-wait.ts'

/**
 * A client that presents credentials uses `signedIn`, any other `anonymous`; one that has spent its budget of processing time
 * uses `late`.
 */
export type Lane = 'signedIn' | 'anonymous' | 'late'

export type LimitSettings = {
  /** How many requests run at the same time. */
  slots: number
  /** How many slots are reserved for each lane. */
  reserved: Record<Exclude<Lane, 'late'>, number>
  /**
   * Maximum of anonymous requests while a signed-in one runs or is queued in any limit of the same
   * `activity`.
   */
  anonymousWhileSignedIn: number
  /** How long the queue may keep every request waiting before load is shed. */
  targetMs: number
  /** No request waits longer: it is refused, whether load is shed or not. */
  maxWaitMs: number
  /** How many requests each lane may queue; one caller may queue half of that. */
  capacity: number
}

export type Refusal = {
  reason: 'the queue is full' | 'one caller fills its share of the queue' | 'the wait is too long'
  /** Estimated time to serve the queue and the requests refused in the last second. */
  expectedMs: number
}

export type Entrant = {
  lane: Lane
  /** Requests with the same caller share one queue. */
  caller: string
  /** The limit calls either `start` or `refuse`, once, possibly before `enter` returns. */
  start(ticket: Ticket): void
  refuse(refusal: Refusal): void
}

export type Ticket = {
  /** Releases the slot. Idempotent. */
  release(): void
  /** Leaves the queue. Does nothing once the request runs. */
  cancel(): void
}

export type LaneLoad = {
  running: number
  queued: number
  refused: Record<string, number>
  isShedding: boolean
}

export type ConcurrencyLimit = {
  enter(entrant: Entrant): Ticket
  readonly load: Record<Lane, LaneLoad>
  /** Expected wait of a new request whose caller has nothing in the queue. */
  expectedMs(lane: Lane): number
}

type Queued = Entrant & { since: number; isRunning: boolean; ticket: Ticket }
/** Number of signed-in requests that run or are queued, shared by several limits. */
export type Activity = { signedIn: number }

/** Queue of one caller; deleted when empty. */
type Caller = { name: string; queue: Set<Queued>; wait: ShortestWait }
type LaneState = LaneLoad & {
  max: number
  /** In round-robin order: the first caller is served next, then moves to the end. */
  callers: Map<string, Caller>
  wait: ShortestWait
  pace: Pace
  /** Refusals counted since the time `since`, for `Refusal.expectedMs`. */
  recent: { refused: number; since: number }
}

const checkEveryMs = 100
/** While both lanes have queued requests, one start in four is anonymous. */
const anonymousTurn = 4
/** For this long after a request of another lane, one late request runs at a time. */
const othersMs = 1_000

/**
 * Bounds how many requests run concurrently, and queues the others. A request is
 * - running: it has a slot. It starts immediately if a slot is free that its lane may use;
 * - queued: it waits for a slot. Lanes alternate, three signed-in starts to one anonymous start; within a
 *   lane callers alternate, each with its oldest request first;
 * - refused: on arrival, because the queue is full, or because it sheds load and the expected wait exceeds
 *   the target; or later, when a queue that sheds load is cut to the target, or after `maxWaitMs`;
 * - cancelled: its client disconnected while it was queued.
 *
 * Anonymous requests may use most of the slots, but only `anonymousWhileSignedIn` while signed-in requests run or are
 * queued in any limit of the same activity: all of them compete for the processor and the database. Late requests start
 * only while no other is queued, and one at a time unless they are alone.
 *
 * Each lane, and each caller in it, is judged by its waiting time (see `watchShortestWait`): a caller that
 * floods sheds only its own requests, and many callers together make their lane shed. In a full lane a caller
 * with a shorter queue replaces the newest request of the longest queue. Gains, against refusing by the expected wait alone
 * (170 lines less): signed-in requests take 138 ms (p99) instead of 1 018 during a flood of 256 connections, and none of
 * them is refused instead of 20.
 */
export function limitConcurrency(
  { slots, reserved, anonymousWhileSignedIn, targetMs, maxWaitMs, capacity }: LimitSettings,
  activity: Activity = { signedIn: 0 },
  now: () => number = () => performance.now(),
): ConcurrencyLimit {
  const newLane = (max: number): LaneState => ({
    ...{ running: 0, queued: 0, refused: {}, max, callers: new Map(), pace: measurePace() },
    wait: watchShortestWait(targetMs, now()),
    recent: { refused: 0, since: now() },
    get isShedding() {
      return this.wait.isShedding
    },
  })
  const lanes: Record<Lane, LaneState> = {
    signedIn: newLane(slots - reserved.anonymous),
    anonymous: newLane(slots - reserved.signedIn),
    late: newLane(slots - reserved.signedIn),
  }
  let othersAt = Number.NEGATIVE_INFINITY
  const share = Math.ceil(capacity / 2)
  let turn = 0
  let timer: NodeJS.Timeout | undefined

  function hasSlot(lane: LaneState): boolean {
    const { signedIn, anonymous, late } = lanes
    if (signedIn.running + anonymous.running + late.running >= slots) return false
    if (lane === late) {
      if (signedIn.queued + anonymous.queued > 0) return false
      return late.running < (now() - othersAt < othersMs ? 1 : late.max)
    }
    const isBusy = lane === anonymous && activity.signedIn > 0
    return lane.running < (isBusy ? Math.min(anonymousWhileSignedIn, lane.max) : lane.max)
  }

  function enter(entrant: Entrant): Ticket {
    const lane = lanes[entrant.lane]
    const ticket: Ticket = {
      release() {
        if (!queued.isRunning) return
        queued.isRunning = false
        lane.running--
        if (lane === lanes.signedIn) activity.signedIn--
        startNext()
      },
      cancel() {
        if (remove(lane, queued)) startNext()
      },
    }
    const queued: Queued = { ...entrant, since: now(), isRunning: false, ticket }
    if (lane !== lanes.late) othersAt = queued.since
    if (lane.queued === 0 && hasSlot(lane)) {
      lane.wait.record(queued.since, 0)
      start(lane, queued)
      return ticket
    }
    const reason = reasonToRefuse(lane, entrant.caller)
    if (reason === null) enqueue(lane, queued)
    else refuse(lane, queued, reason)
    return ticket
  }

  function start(lane: LaneState, queued: Queued) {
    lane.running++
    if (lane === lanes.signedIn) activity.signedIn++
    queued.isRunning = true
    queued.start(queued.ticket)
  }

  function refuse(lane: LaneState, { refuse: reject }: Queued, reason: Refusal['reason']) {
    const at = now()
    if (at - lane.recent.since > 1_000) lane.recent = { refused: 0, since: at }
    lane.recent.refused++
    lane.refused[reason] = (lane.refused[reason] ?? 0) + 1
    reject({ reason, expectedMs: (lane.queued + lane.recent.refused) * lane.pace.gapMs(at) })
  }

  function reasonToRefuse(lane: LaneState, name: string): Refusal['reason'] | null {
    const at = now()
    updateLane(lane, at)
    lane.wait.recordArrival(at)
    const caller = lane.callers.get(name)
    if (caller) {
      updateCaller(lane, caller, at)
      caller.wait.recordArrival(at)
    }
    const isShedding = lane.wait.isShedding || caller?.wait.isShedding
    if (isShedding && expectedWait(lane, caller, at) > targetMs) return 'the wait is too long'
    const own = caller?.queue.size ?? 0
    if (own >= share) return 'one caller fills its share of the queue'
    if (lane.queued < capacity) return null
    const longest = longestQueue(lane)
    if (longest.queue.size <= own + 1) return 'the queue is full'
    const newest = [...longest.queue].at(-1) as Queued
    remove(lane, newest)
    refuse(lane, newest, 'the queue is full')
    return null
  }

  /**
   * Estimates the wait of a new request: before it starts, each caller may start one request more than this
   * caller has queued.
   */
  function expectedWait(lane: LaneState, caller: Caller | undefined, at: number): number {
    const turns = (caller?.queue.size ?? 0) + 1
    return Math.min(lane.queued, turns * lane.callers.size) * lane.pace.gapMs(at)
  }

  function enqueue(lane: LaneState, queued: Queued) {
    if (lane.queued === 0) lane.pace.resume(queued.since)
    let caller = lane.callers.get(queued.caller)
    if (caller === undefined) {
      const wait = watchShortestWait(targetMs, queued.since)
      caller = { name: queued.caller, queue: new Set(), wait }
      lane.callers.set(caller.name, caller)
    }
    caller.queue.add(queued)
    lane.queued++
    if (lane === lanes.signedIn) activity.signedIn++
    timer ??= setInterval(update, checkEveryMs)
  }

  function remove(lane: LaneState, queued: Queued): boolean {
    const caller = lane.callers.get(queued.caller)
    if (!caller?.queue.delete(queued)) return false
    lane.queued--
    if (lane === lanes.signedIn) activity.signedIn--
    if (caller.queue.size === 0) lane.callers.delete(caller.name)
    return true
  }

  function startNext() {
    for (let lane = nextLane(); lane !== null; lane = nextLane()) {
      const caller = firstOf(lane.callers.values())
      const oldest = firstOf(caller.queue)
      const at = now()
      remove(lane, oldest)
      // Moves the caller to the end of the round.
      if (lane.callers.delete(caller.name)) lane.callers.set(caller.name, caller)
      lane.pace.recordStart(at)
      lane.wait.record(at, at - oldest.since)
      caller.wait.record(at, at - oldest.since)
      start(lane, oldest)
    }
  }

  function nextLane(): LaneState | null {
    const { signedIn, anonymous, late } = lanes
    const canStart = (lane: LaneState) => lane.queued > 0 && hasSlot(lane)
    if (!canStart(signedIn)) return [anonymous, late].find(canStart) ?? null
    if (!canStart(anonymous)) return signedIn
    turn = (turn + 1) % anonymousTurn
    return turn === 0 ? anonymous : signedIn
  }

  /** Ends elapsed intervals and waits even while no request arrives or finishes. */
  function update() {
    const at = now()
    for (const lane of Object.values(lanes)) {
      updateLane(lane, at)
      for (const caller of [...lane.callers.values()]) {
        updateCaller(lane, caller, at)
        refuseOld(lane, caller, at)
      }
    }
    if (Object.values(lanes).some(({ queued }) => queued > 0)) return
    clearInterval(timer)
    timer = undefined
  }

  function updateLane(lane: LaneState, at: number) {
    const hasEnded = lane.wait.update(at, () => ageOfOldest(lane.callers.values(), at))
    if (hasEnded && lane.wait.isShedding)
      cut(lane, [...lane.callers.values()], targetMs / lane.pace.gapMs(at))
  }

  function updateCaller(lane: LaneState, caller: Caller, at: number) {
    const hasEnded = caller.wait.update(at, () => ageOfOldest([caller], at))
    if (!hasEnded || !caller.wait.isShedding) return
    cut(lane, [caller], targetMs / (lane.pace.gapMs(at) * lane.callers.size))
  }

  /** The end of a burst waits although no load is shed. */
  function refuseOld(lane: LaneState, { queue }: Caller, at: number) {
    for (const queued of [...queue]) {
      if (at - queued.since < maxWaitMs) return
      remove(lane, queued)
      refuse(lane, queued, 'the wait is too long')
    }
  }

  /** Keeps the `most` requests that would start first, and refuses the others. */
  function cut(lane: LaneState, callers: Caller[], most: number) {
    const byTurn = callers
      .flatMap(({ queue }) => [...queue].map((queued, turn) => ({ queued, turn })))
      .sort((a, b) => a.turn - b.turn || a.queued.since - b.queued.since)
    for (const { queued } of byTurn.slice(Math.floor(most))) {
      remove(lane, queued)
      refuse(lane, queued, 'the wait is too long')
    }
  }

  return {
    enter,
    load: lanes,
    expectedMs: (lane) => expectedWait(lanes[lane], undefined, now()),
  }
}

type Pace = { resume(at: number): void; recordStart(at: number): void; gapMs(at: number): number }

/**
 * Measures the mean time between starts from the queue over the last half second or so, including the time
 * since the last start.
 */
function measurePace(): Pace {
  let [elapsedMs, starts, lastAt] = [0, 0, 0]
  const weightAt = (at: number) => Math.exp((lastAt - at) / 500)
  return {
    /** Excludes the time during which the queue was empty. */
    resume(at) {
      lastAt = at
    },
    recordStart(at) {
      const weight = weightAt(at)
      elapsedMs = elapsedMs * weight + (at - lastAt)
      starts = starts * weight + 1
      lastAt = at
    },
    gapMs(at) {
      const weight = weightAt(at)
      return (elapsedMs * weight + (at - lastAt)) / Math.max(starts * weight, Number.MIN_VALUE)
    },
  }
}

function ageOfOldest(callers: Iterable<Caller>, at: number): number {
  let since = at
  for (const { queue } of callers) since = Math.min(since, firstOf(queue).since)
  return at - since
}

function longestQueue({ callers }: LaneState): Caller {
  let longest = firstOf(callers.values())
  for (const caller of callers.values()) if (caller.queue.size > longest.queue.size) longest = caller
  return longest
}

/** Returns the first value of a non-empty collection. */
function firstOf<T>(values: Iterable<T>): T {
  for (const value of values) return value
  throw new Error('There is no first value.')
}
