import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { fc, propertyRuns } from '../../../../test/support/fast-check.ts'
import { type LimitSettings, limitConcurrency } from './concurrency-limit.ts'
import type { Lane, Ticket } from './lane.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance', 'setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'] })
})
afterEach(() => {
  vi.useRealTimers()
})

const pass = (ms: number) => vi.advanceTimersByTime(ms)
const settings: LimitSettings = {
  ...{
    slots: 2,
    reserved: { signedIn: 0, anonymous: 0 },
    anonymousWhileSignedIn: 100,
    targetMs: 500,
    maxWaitMs: 2_000,
    capacity: 1_000,
  },
}

/** A limit whose requests run until they are released by name. */
function openLimit(changed: Partial<LimitSettings> = {}, activity = { signedIn: 0 }) {
  const limit = limitConcurrency({ ...settings, ...changed }, activity)
  const states: Record<string, string> = {}
  const tickets: Record<string, Ticket> = {}
  const set = (name: string, state: string) => {
    expect(states[name] ?? 'queued').toBe('queued')
    states[name] = state
  }
  return {
    limit,
    states,
    come(name: string, { lane = 'anonymous' as Lane, caller = name } = {}) {
      const entrant = { lane, caller, start: () => set(name, 'running') }
      tickets[name] = limit.enter({ ...entrant, refuse: ({ reason }) => set(name, reason) })
      states[name] ??= 'queued'
    },
    release: (name: string) => tickets[name]?.release(),
    cancel: (name: string) => tickets[name]?.cancel(),
  }
}

type Client = { lane: Lane; caller: string }
type Outcome = Client & { waitMs: number; refused: string | null; at: number }

/** A limit whose requests each take `serviceMs`, with their outcomes. */
function openService(changed: Partial<LimitSettings> = {}, serviceMs = 10) {
  const limit = limitConcurrency({ ...settings, ...changed })
  const outcomes: Outcome[] = []
  let isStuck = false
  const stuck: Ticket[] = []
  function ask(client: Client, done: () => void = () => {}) {
    const since = performance.now()
    const note = (refused: string | null) =>
      outcomes.push({ ...client, waitMs: performance.now() - since, refused, at: since })
    limit.enter({
      ...client,
      start(ticket) {
        note(null)
        const end = () => {
          ticket.release()
          done()
        }
        if (isStuck) stuck.push(ticket)
        else setTimeout(end, serviceMs)
      },
      refuse({ reason }) {
        note(reason)
        setTimeout(done, 1)
      },
    })
  }
  return {
    limit,
    outcomes,
    ask,
    /** Sends the next request after each response, until the end of the test. */
    askInLoop(client: Client) {
      const again = () => ask(client, again)
      again()
    },
    askAtRate(perSecond: number, clientOf: (number: number) => Client) {
      let [number, due] = [0, 0]
      return setInterval(() => {
        for (due += perSecond / 1_000; number < due; number++) ask(clientOf(number))
      }, 1)
    },
    stick() {
      isStuck = true
    },
    unstick() {
      isStuck = false
      for (const ticket of stuck.splice(0)) ticket.release()
    },
    served: (of: (outcome: Outcome) => boolean = () => true) =>
      outcomes.filter((outcome) => of(outcome) && outcome.refused === null),
    refused: (of: (outcome: Outcome) => boolean = () => true) =>
      outcomes.filter((outcome) => of(outcome) && outcome.refused !== null),
  }
}

const anonymous = (caller: string): Client => ({ lane: 'anonymous', caller })
const signedIn = (caller: string): Client => ({ lane: 'signedIn', caller })
const longest = (outcomes: Outcome[]) => Math.max(0, ...outcomes.map(({ waitMs }) => waitMs))

test('runs as many requests as there are slots and queues the others, oldest first per caller', () => {
  const { limit, states, come, release } = openLimit()
  for (const name of ['a', 'b', 'c', 'd']) come(name, { caller: 'one' })
  expect(states).toEqual({ a: 'running', b: 'running', c: 'queued', d: 'queued' })
  release('b')
  release('b')
  expect(states).toMatchObject({ c: 'running', d: 'queued' })
  expect(limit.load.anonymous).toMatchObject({ running: 2, queued: 1 })
})

test('callers take turns, however many requests one of them has queued', () => {
  const { states, come, release } = openLimit({ slots: 1 })
  come('first')
  for (const name of ['a1', 'a2', 'a3', 'a4']) come(name, { caller: 'a' })
  for (const name of ['b1', 'b2']) come(name, { caller: 'b' })
  const order = []
  for (let running = 'first'; running !== undefined; ) {
    release(running)
    states[running] = 'done'
    running = Object.keys(states).find((name) => states[name] === 'running') as string
    order.push(running)
  }
  expect(order).toEqual(['a1', 'b1', 'a2', 'b2', 'a3', 'a4', undefined])
})

test('a late request starts when no other is queued, one at a time unless it is alone', () => {
  const { states, come, release } = openLimit({ slots: 3 })
  for (const name of ['l1', 'l2', 'l3', 'l4']) come(name, { lane: 'late' })
  expect(states).toEqual({ l1: 'running', l2: 'running', l3: 'running', l4: 'queued' })
  come('a')
  come('s', { lane: 'signedIn' })
  release('l1')
  release('l2')
  expect(states).toMatchObject({ s: 'running', a: 'running', l4: 'queued' })
  release('s')
  expect(states.l4).toBe('queued')
  release('l3')
  expect(states.l4).toBe('running')
})

test('a lane does not use slots reserved for the other lane', () => {
  const { states, come, release } = openLimit({ slots: 3, reserved: { signedIn: 1, anonymous: 1 } })
  for (const name of ['a', 'b', 'c']) come(name)
  expect(states).toEqual({ a: 'running', b: 'running', c: 'queued' })
  for (const name of ['s', 't']) come(name, { lane: 'signedIn' })
  expect(states).toMatchObject({ s: 'running', t: 'queued' })
  release('s')
  expect(states).toMatchObject({ t: 'running', c: 'queued' })
  release('a')
  expect(states).toMatchObject({ c: 'running' })
})

test('few anonymous requests run while a signed-in request is present in any limit', () => {
  const activity = { signedIn: 0 }
  const [reads, lists] = [
    openLimit({ slots: 4, anonymousWhileSignedIn: 1 }, activity),
    openLimit({ slots: 4 }, activity),
  ]
  lists.come('s', { lane: 'signedIn' })
  for (const name of ['a', 'b', 'c']) reads.come(name)
  expect(reads.states).toEqual({ a: 'running', b: 'queued', c: 'queued' })
  reads.release('a')
  expect(reads.states).toMatchObject({ b: 'running', c: 'queued' })
  lists.release('s')
  reads.release('b')
  for (const name of ['d', 'e']) reads.come(name)
  expect(reads.states).toMatchObject({ c: 'running', d: 'running', e: 'running' })
  expect(activity.signedIn).toBe(0)
})

test('while both lanes wait, three of four started requests are signed-in', () => {
  const { states, come, release } = openLimit({ slots: 1 })
  come('first')
  for (let n = 0; n < 8; n++) {
    come(`a${n}`)
    come(`s${n}`, { lane: 'signedIn' })
  }
  const lanes = []
  for (let running = 'first'; lanes.length < 8; lanes.push(running[0])) {
    release(running)
    states[running] = 'done'
    running = Object.keys(states).find((name) => states[name] === 'running') as string
  }
  expect(lanes.join('')).toBe('sssasssa')
})

test('a cancelled request leaves the queue; a running one keeps its slot', () => {
  const { limit, states, come, release, cancel } = openLimit({ slots: 1 })
  for (const name of ['a', 'b', 'c']) come(name)
  cancel('a')
  cancel('b')
  expect(limit.load.anonymous).toMatchObject({ running: 1, queued: 1 })
  release('a')
  expect(states).toEqual({ a: 'running', b: 'queued', c: 'running' })
  release('b')
  release('c')
  pass(200)
  expect(limit.load.anonymous).toMatchObject({ running: 0, queued: 0 })
  expect(vi.getTimerCount()).toBe(0)
})

test('a burst at an idle service is served completely if it drains within a second', () => {
  const { ask, served, outcomes } = openService({ slots: 8 })
  for (let n = 0; n < 500; n++) ask(anonymous('one'))
  for (let n = 0; n < 300; n++) ask(signedIn(`person ${n % 20}`))
  pass(1_100)
  expect(served()).toHaveLength(800)
  expect(outcomes).toHaveLength(800)
})

/** A burst that takes six seconds to serve. */
function openBurst(maxWaitMs: number) {
  const service = openService({ slots: 8, targetMs: 150, maxWaitMs }, 60)
  for (let n = 0; n < 500; n++) service.ask(anonymous('one'))
  for (let n = 0; n < 300; n++) service.ask(signedIn(`person ${n % 20}`))
  pass(6_100)
  expect(service.outcomes).toHaveLength(800)
  return service
}

test('a burst is served completely if nothing arrives after it and the longest wait allows it', () => {
  expect(openBurst(10_000).served()).toHaveLength(800)
})

test('no request waits longer than the longest wait, although no load is shed', () => {
  const { served, refused } = openBurst(2_000)
  // The limit looks every 100 ms.
  expect(longest(served())).toBeLessThanOrEqual(2_100)
  expect(longest(refused())).toBeLessThanOrEqual(2_100)
  expect(served().length).toBeGreaterThan(250)
})

test.each([16, 32, 64, 128])(
  'a closed loop of %i clients is never refused and keeps all slots busy',
  (clients) => {
    const { askInLoop, served, refused } = openService({ slots: 4 })
    for (let n = 0; n < clients; n++) askInLoop(anonymous('one'))
    pass(10_000)
    expect(refused()).toEqual([])
    expect(served().length).toBeGreaterThan(0.99 * 4_000)
  },
)

test('at five times its capacity it serves as much as ever within the target and refuses the rest immediately', () => {
  const { askAtRate, outcomes, served } = openService({ slots: 8 })
  askAtRate(4_000, (n) => anonymous(`caller ${n}`))
  pass(8_000)
  expect(served().length).toBeGreaterThan(0.98 * 6_400)
  const later = ({ at }: Outcome) => at > 3_000
  expect(longest(served(later))).toBeLessThan(600)
  const late = outcomes.filter(({ refused, waitMs }) => refused !== null && waitMs > 100)
  expect(late.length).toBeLessThan(0.05 * outcomes.length)
})

test('three seconds after an overload it refuses no request', () => {
  const { askAtRate, refused } = openService({ slots: 8 })
  const flood = askAtRate(4_000, (n) => anonymous(`caller ${n}`))
  pass(4_000)
  clearInterval(flood)
  const endedAt = performance.now()
  askAtRate(600, (n) => anonymous(`caller ${n}`))
  pass(10_000)
  expect(refused(({ at }) => at > endedAt + 3_000)).toEqual([])
})

test('a burst right after an overload has drained is served completely', () => {
  const { ask, askAtRate, refused } = openService({ slots: 8 })
  const flood = askAtRate(4_000, (n) => anonymous(`caller ${n}`))
  pass(4_000)
  clearInterval(flood)
  pass(700)
  const again = performance.now()
  for (let n = 0; n < 500; n++) ask(anonymous('one'))
  pass(1_000)
  expect(refused(({ at }) => at === again)).toEqual([])
})

test('excess requests of a flooding caller are refused; other callers in its lane wait little', () => {
  const { askAtRate, served, refused } = openService({ slots: 8 })
  askAtRate(4_000, () => anonymous('flood'))
  askAtRate(100, (n) => anonymous(`visitor ${n % 50}`))
  pass(10_000)
  const isVisitor = ({ caller }: Outcome) => caller !== 'flood'
  expect(refused(isVisitor)).toEqual([])
  expect(longest(served(isVisitor))).toBeLessThan(50)
  expect(refused().length).toBeGreaterThan(20_000)
  expect(served().length).toBeGreaterThan(0.98 * 8_000)
})

test('an anonymous flood from many addresses does not delay signed-in clients', () => {
  const { askAtRate, served, refused } = openService({
    slots: 8,
    reserved: { signedIn: 2, anonymous: 1 },
    anonymousWhileSignedIn: 2,
  })
  askAtRate(4_000, (n) => anonymous(`caller ${n % 256}`))
  askAtRate(150, (n) => signedIn(`person ${n % 10}`))
  pass(10_000)
  const isSignedIn = ({ lane }: Outcome) => lane === 'signedIn'
  expect(refused(isSignedIn)).toEqual([])
  expect(longest(served(isSignedIn))).toBeLessThan(20)
})

test('a flood of signed-in requests leaves a share to anonymous clients', () => {
  const { askAtRate, served, refused } = openService({ slots: 8 })
  askAtRate(4_000, (n) => signedIn(`person ${n}`))
  askAtRate(150, (n) => anonymous(`visitor ${n}`))
  pass(10_000)
  const isVisitor = ({ lane }: Outcome) => lane === 'anonymous'
  expect(refused(isVisitor)).toEqual([])
  expect(longest(served(isVisitor))).toBeLessThan(100)
})

test('while no request ends, the queue is refused after two intervals and most later requests immediately', () => {
  const { ask, askAtRate, stick, unstick, refused, served } = openService()
  stick()
  const asking = askAtRate(50, (n) => anonymous(`caller ${n}`))
  pass(6_000)
  expect(longest(refused())).toBeLessThan(2_200)
  const later = refused(({ at }) => at > 3_000)
  expect(later.length).toBeGreaterThan(140)
  expect(later.filter(({ waitMs }) => waitMs > 0).length).toBeLessThan(0.1 * later.length)
  clearInterval(asking)
  unstick()
  pass(2_000)
  const again = performance.now()
  for (let n = 0; n < 20; n++) ask(anonymous(`caller ${n}`))
  pass(1_000)
  expect(served(({ at }) => at === again)).toHaveLength(20)
})

test('in a full queue a caller has at most its share, and a new caller replaces its newest request', () => {
  const { states, come } = openLimit({ capacity: 4 })
  for (const name of ['x', 'y']) come(name)
  for (const name of ['a1', 'a2', 'a3']) come(name, { caller: 'a' })
  expect(states).toMatchObject({ a2: 'queued', a3: 'one caller fills its share of the queue' })
  for (const name of ['b', 'c']) come(name)
  expect(states).toMatchObject({ a1: 'queued', a2: 'queued', b: 'queued', c: 'queued' })
  come('d')
  expect(states).toMatchObject({ a1: 'queued', a2: 'the queue is full', d: 'queued' })
  come('e')
  expect(states).toMatchObject({ e: 'the queue is full' })
})

test('a refusal estimates how long serving all current callers takes', () => {
  const service = openService({ slots: 8 })
  const expected: number[] = []
  const flood = service.askAtRate(4_000, (n) => anonymous(`caller ${n}`))
  pass(5_900)
  service.limit.enter({
    ...anonymous('last'),
    start: () => expect.unreachable(),
    refuse: ({ expectedMs }) => expected.push(expectedMs),
  })
  clearInterval(flood)
  // In a second about 3 200 are refused and 400 wait, and 800 are served.
  expect(expected[0]).toBeGreaterThan(1_000)
  expect(expected[0]).toBeLessThan(6_000)
})

const action = fc.oneof(
  fc.record({
    kind: fc.constant('come' as const),
    lane: fc.constantFrom<Lane>('signedIn', 'anonymous'),
    caller: fc.constantFrom('a', 'b', 'c'),
  }),
  fc.record({ kind: fc.constantFrom('release' as const, 'cancel' as const), which: fc.nat(40) }),
  fc.record({ kind: fc.constant('pass' as const), ms: fc.integer({ min: 1, max: 700 }) }),
)

test('after any events limits hold, no usable slot is idle, and each request has one outcome', () => {
  const limits = { slots: 3, reserved: { signedIn: 1, anonymous: 1 }, capacity: 6, targetMs: 200 }
  fc.assert(
    fc.property(fc.array(action, { maxLength: 120 }), (actions) => {
      const { limit, states, come, release, cancel } = openLimit(limits)
      const { signedIn, anonymous } = limit.load
      for (const [number, step] of actions.entries()) {
        if (step.kind === 'come') come(`${number}`, step)
        else if (step.kind === 'pass') pass(step.ms)
        else (step.kind === 'release' ? release : cancel)(`${step.which}`)
        expect(signedIn.running + anonymous.running).toBeLessThanOrEqual(3)
        for (const { running, queued } of [signedIn, anonymous]) {
          expect(running).toBeLessThanOrEqual(2)
          expect(queued).toBeLessThanOrEqual(6)
          if (queued > 0) expect(running === 2 || signedIn.running + anonymous.running === 3).toBe(true)
        }
      }
      for (let round = 0; round < 2; round++)
        for (const name of Object.keys(states)) {
          cancel(name)
          release(name)
        }
      pass(200)
      for (const lane of [signedIn, anonymous]) expect(lane).toMatchObject({ running: 0, queued: 0 })
      expect(vi.getTimerCount()).toBe(0)
    }),
    { numRuns: propertyRuns(5) },
  )
})
