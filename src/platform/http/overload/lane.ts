import { measurePace, type Pace } from './pace.ts'
import { type ShortestWait, watchShortestWait } from './shortest-wait.ts'

/**
 * A client that presents credentials uses `signedIn`, any other `anonymous`; one that has spent its budget of processing time
 * uses `late`.
 */
export type Lane = 'signedIn' | 'anonymous' | 'late'

export type QueueSettings = {
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

/** Number of signed-in requests that run or are queued, shared by several limits. */
export type Activity = { signedIn: number }

export type Queued = Entrant & { since: number; isRunning: boolean; ticket: Ticket }
/** Queue of one caller; deleted when empty. */
type Caller = { name: string; queue: Set<Queued>; wait: ShortestWait }

export type LaneState = LaneLoad & {
  max: number
  settings: QueueSettings
  /** Counts its requests, if they are signed in. */
  activity: Activity | null
  /** In round-robin order: the first caller is served next, then moves to the end. */
  callers: Map<string, Caller>
  wait: ShortestWait
  pace: Pace
  /** Refusals counted since the time `since`, for `Refusal.expectedMs`. */
  recent: { refused: number; since: number }
}

/** Creates a lane of at most `max` running requests. `limitConcurrency` decides when one starts. */
export function newLane(
  max: number,
  settings: QueueSettings,
  activity: Activity | null,
  at: number,
): LaneState {
  return {
    ...{
      running: 0,
      queued: 0,
      refused: {},
      max,
      settings,
      activity,
      callers: new Map(),
      pace: measurePace(),
    },
    wait: watchShortestWait(settings.targetMs, at),
    recent: { refused: 0, since: at },
    get isShedding() {
      return this.wait.isShedding
    },
  }
}

export function start(lane: LaneState, queued: Queued): void {
  lane.running++
  if (lane.activity !== null) lane.activity.signedIn++
  queued.isRunning = true
  queued.start(queued.ticket)
}

/** Ends a running request; false if it does not run. */
export function end(lane: LaneState, queued: Queued): boolean {
  if (!queued.isRunning) return false
  queued.isRunning = false
  lane.running--
  if (lane.activity !== null) lane.activity.signedIn--
  return true
}

export function refuse(
  lane: LaneState,
  { refuse: reject }: Queued,
  reason: Refusal['reason'],
  at: number,
): void {
  if (at - lane.recent.since > 1_000) lane.recent = { refused: 0, since: at }
  lane.recent.refused++
  lane.refused[reason] = (lane.refused[reason] ?? 0) + 1
  reject({ reason, expectedMs: (lane.queued + lane.recent.refused) * lane.pace.gapMs(at) })
}

/**
 * Returns why a new request of the caller is refused; null if it may queue. In a full lane it replaces the newest request
 * of a longer queue.
 */
export function reasonToRefuse(lane: LaneState, name: string, at: number): Refusal['reason'] | null {
  const { targetMs, capacity } = lane.settings
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
  if (own >= Math.ceil(capacity / 2)) return 'one caller fills its share of the queue'
  if (lane.queued < capacity) return null
  const longest = longestQueue(lane)
  if (longest.queue.size <= own + 1) return 'the queue is full'
  const newest = [...longest.queue].at(-1) as Queued
  remove(lane, newest)
  refuse(lane, newest, 'the queue is full', at)
  return null
}

/**
 * Estimates the wait of a new request: before it starts, each caller may start one request more than this
 * caller has queued.
 */
export function expectedWait(lane: LaneState, caller: Caller | undefined, at: number): number {
  const turns = (caller?.queue.size ?? 0) + 1
  return Math.min(lane.queued, turns * lane.callers.size) * lane.pace.gapMs(at)
}

export function enqueue(lane: LaneState, queued: Queued): void {
  if (lane.queued === 0) lane.pace.resume(queued.since)
  let caller = lane.callers.get(queued.caller)
  if (caller === undefined) {
    const wait = watchShortestWait(lane.settings.targetMs, queued.since)
    caller = { name: queued.caller, queue: new Set(), wait }
    lane.callers.set(caller.name, caller)
  }
  caller.queue.add(queued)
  lane.queued++
  if (lane.activity !== null) lane.activity.signedIn++
}

/** Removes a request from the queue; false if it is not queued. */
export function remove(lane: LaneState, queued: Queued): boolean {
  const caller = lane.callers.get(queued.caller)
  if (!caller?.queue.delete(queued)) return false
  lane.queued--
  if (lane.activity !== null) lane.activity.signedIn--
  if (caller.queue.size === 0) lane.callers.delete(caller.name)
  return true
}

/** Starts the oldest request of the caller whose turn it is. */
export function startOldest(lane: LaneState, at: number): void {
  const caller = firstOf(lane.callers.values())
  const oldest = firstOf(caller.queue)
  remove(lane, oldest)
  // Moves the caller to the end of the round.
  if (lane.callers.delete(caller.name)) lane.callers.set(caller.name, caller)
  lane.pace.recordStart(at)
  lane.wait.record(at, at - oldest.since)
  caller.wait.record(at, at - oldest.since)
  start(lane, oldest)
}

/** Ends elapsed intervals and waits of the lane and of all its callers. */
export function update(lane: LaneState, at: number): void {
  updateLane(lane, at)
  for (const caller of [...lane.callers.values()]) {
    updateCaller(lane, caller, at)
    refuseOld(lane, caller, at)
  }
}

function updateLane(lane: LaneState, at: number) {
  const hasEnded = lane.wait.update(at, () => ageOfOldest(lane.callers.values(), at))
  if (!hasEnded || !lane.wait.isShedding) return
  cut(lane, [...lane.callers.values()], lane.settings.targetMs / lane.pace.gapMs(at), at)
}

function updateCaller(lane: LaneState, caller: Caller, at: number) {
  const hasEnded = caller.wait.update(at, () => ageOfOldest([caller], at))
  if (!hasEnded || !caller.wait.isShedding) return
  cut(lane, [caller], lane.settings.targetMs / (lane.pace.gapMs(at) * lane.callers.size), at)
}

/** The end of a burst waits although no load is shed. */
function refuseOld(lane: LaneState, { queue }: Caller, at: number) {
  for (const queued of [...queue]) {
    if (at - queued.since < lane.settings.maxWaitMs) return
    remove(lane, queued)
    refuse(lane, queued, 'the wait is too long', at)
  }
}

/** Keeps the `most` requests that would start first, and refuses the others. */
function cut(lane: LaneState, callers: Caller[], most: number, at: number) {
  const byTurn = callers
    .flatMap(({ queue }) => [...queue].map((queued, turn) => ({ queued, turn })))
    .sort((a, b) => a.turn - b.turn || a.queued.since - b.queued.since)
  for (const { queued } of byTurn.slice(Math.floor(most))) {
    remove(lane, queued)
    refuse(lane, queued, 'the wait is too long', at)
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
