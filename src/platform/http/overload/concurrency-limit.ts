import {
  type Activity,
  type Entrant,
  end,
  enqueue,
  expectedWait,
  type Lane,
  type LaneLoad,
  type LaneState,
  newLane,
  type Queued,
  type QueueSettings,
  reasonToRefuse,
  refuse,
  remove,
  start,
  startOldest,
  type Ticket,
  update,
} from './lane.ts'

export type LimitSettings = QueueSettings & {
  /** How many requests run at the same time. */
  slots: number
  /** How many slots are reserved for each lane. */
  reserved: Record<Exclude<Lane, 'late'>, number>
  /**
   * Maximum of anonymous requests while a signed-in one runs or is queued in any limit of the same
   * `activity`.
   */
  anonymousWhileSignedIn: number
}

export type ConcurrencyLimit = {
  enter(entrant: Entrant): Ticket
  readonly load: Record<Lane, LaneLoad>
  /** Expected wait of a new request whose caller has nothing in the queue. */
  expectedMs(lane: Lane): number
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
  settings: LimitSettings,
  activity: Activity = { signedIn: 0 },
  now: () => number = () => performance.now(),
): ConcurrencyLimit {
  const { slots, reserved, anonymousWhileSignedIn } = settings
  const lanes: Record<Lane, LaneState> = {
    signedIn: newLane(slots - reserved.anonymous, settings, activity, now()),
    anonymous: newLane(slots - reserved.signedIn, settings, null, now()),
    late: newLane(slots - reserved.signedIn, settings, null, now()),
  }
  let othersAt = Number.NEGATIVE_INFINITY
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
        if (end(lane, queued)) startNext()
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
    const at = now()
    const reason = reasonToRefuse(lane, entrant.caller, at)
    if (reason !== null) refuse(lane, queued, reason, at)
    else {
      enqueue(lane, queued)
      timer ??= setInterval(updateAll, checkEveryMs)
    }
    return ticket
  }

  function startNext() {
    for (let lane = nextLane(); lane !== null; lane = nextLane()) startOldest(lane, now())
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
  function updateAll() {
    const at = now()
    for (const lane of Object.values(lanes)) update(lane, at)
    if (Object.values(lanes).some(({ queued }) => queued > 0)) return
    clearInterval(timer)
    timer = undefined
  }

  return {
    enter,
    load: lanes,
    expectedMs: (lane) => expectedWait(lanes[lane], undefined, now()),
  }
}
