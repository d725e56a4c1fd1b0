import cluster, { type Worker } from 'node:cluster'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { StartError } from '../platform/config/start-error.ts'
import type { Log } from '../platform/log/log.ts'
import type { FromWorker, Setup, Snapshot, ToWorker } from './messages.ts'
import { redeliverOnDeath } from './redeliver.ts'

type Options = {
  count: number
  setup: () => Omit<Setup, 'number'>
  log: Pick<Log, 'info' | 'error'>
  /** Receives the last measured values of a worker that has ended. */
  onEnded: (last: Snapshot) => void
  script?: string
  times?: Partial<WorkerTimes>
}

export type WorkerTimes = {
  /** Before the first further attempt after a failure; it doubles up to `longestDelayMs`. */
  firstDelayMs: number
  longestDelayMs: number
  /** A worker that served for this long has not failed: it is replaced at once. */
  soundMs: number
  startingMs: number
  retiringMs: number
  closingMs: number
  measuringMs: number
  /** How often each serving worker is asked for its measurements. */
  askingMs: number
  /** Its last messages may arrive after its exit. */
  lastMessagesMs: number
}
const defaultTimes: WorkerTimes = {
  firstDelayMs: 200,
  longestDelayMs: 30_000,
  soundMs: 10_000,
  startingMs: 120_000,
  retiringMs: 45_000,
  closingMs: 8_500,
  measuringMs: 1_000,
  askingMs: 10_000,
  lastMessagesMs: 50,
}
/** After this many failures in a row, and if no worker serves, the instance stops: a supervisor may help. */
const maxFailures = 5
/**
 * A worker that leaves this many requests in a row unanswered is killed at the time of the next one. Time alone does not
 * count: the machine, or the primary process, may have been suspended.
 */
const maxUnanswered = 3

type Child = {
  worker: Worker
  state: 'starting' | 'serving' | 'retired' | 'ended'
  /** Its address; null if it ended before it served. */
  ready: Promise<string | null>
  ended: Promise<object>
  /** Why it could not start. */
  reason: string | null
  last: Snapshot
  /** Requests for measurements since its last message. */
  unanswered: number
}

/**
 * The workers of an instance, each in a place from 1 to `count`. States of a worker:
 *
 *   starting → serving → retired → ended   a restart: the next worker of its place serves by then
 *      │          └────► ended             it died, or was killed because it did not respond: replaced at once, or after a
 *      │                                   delay if it had served only briefly
 *      └───────► ended                     it could not start: another attempt after a delay
 *
 * The primary process has the listening socket and hands connections to the workers in turn, so that connections wait,
 * and are not refused, while one of several workers is replaced.
 */
export function createWorkers({ count, setup, log, onEnded, ...options }: Options) {
  const times = { ...defaultTimes, ...options.times }
  const script = options.script ?? join(import.meta.dirname, '../../bin/parvis-worker.js')
  /** The worker of each place, and the one that starts to replace it. */
  const current = new Map<number, Child>()
  const next = new Map<number, Child>()
  const closing = new AbortController()
  const failed = Promise.withResolvers<never>()
  failed.promise.catch(() => {})
  let gaveUp: string | null = null
  let hasStarted = false
  let isAnnounced = false
  let requests = 0
  const measuring = new Map<number, () => void>()
  const all = () => [...current.values(), ...next.values()]
  const isServing = ({ state, worker }: Child) => state === 'serving' && worker.isConnected()

  function launch(number: number): Child {
    // The password of the owner stays out of the workers.
    const worker = cluster.fork({ MIGRATE_DATABASE_URL: '' })
    const [ready, ended] = [Promise.withResolvers<string | null>(), Promise.withResolvers<object>()]
    const child: Child = {
      ...{ worker, state: 'starting', reason: null, last: [], unanswered: 0 },
      ...{ ready: ready.promise, ended: ended.promise },
    }
    redeliverOnDeath(worker, () => all().some((other) => other !== child && isServing(other)))
    const late = setTimeout(() => worker.process.kill('SIGKILL'), times.startingMs)
    const asking = setInterval(() => askOrKill(number, child), times.askingMs).unref()
    let hadWebApp = false
    const end = (ending: object) => {
      if (child.state === 'ended') return
      clearTimeout(late)
      clearInterval(asking)
      child.state = 'ended'
      onEnded(child.last)
      ready.resolve(null)
      ended.resolve(ending)
    }
    worker.on('message', (message: FromWorker) => {
      child.unanswered = 0
      if (message.kind === 'started') {
        const given = { ...setup(), number }
        hadWebApp = given.webAppFolder !== null
        send(child, { kind: 'setup', setup: given })
      }
      if (message.kind === 'failed') child.reason = message.reason
      if (message.kind === 'measured' || message.kind === 'last-measured') child.last = message.snapshot
      if (message.kind === 'measured') measuring.get(message.request)?.()
      if (message.kind !== 'ready') return
      clearTimeout(late)
      child.state = 'serving'
      log.info({ worker: number, pid: worker.process.pid }, 'a worker serves')
      if (isAnnounced) send(child, { kind: 'announce' })
      // A message that arrived while it was starting is lost.
      const { webAppFolder: folder } = setup()
      if (!hadWebApp && folder !== null) send(child, { kind: 'web-app-built', folder })
      ready.resolve(message.url)
    })
    worker.once('exit', (status, signal) => {
      setTimeout(end, times.lastMessagesMs, signal ? { signal } : { exit_code: status })
    })
    // It could not be spawned, or a message did not reach it.
    worker.on('error', (error) => {
      child.reason ??= error.message
      if (worker.process.pid === undefined) end({ error: error.message })
    })
    return child
  }

  /** Asks a worker for its measurements, so that they are recent if it dies. Kills one that has stopped responding. */
  function askOrKill(number: number, child: Child): void {
    if (child.state !== 'serving' || closing.signal.aborted) return
    if (child.unanswered < maxUnanswered) {
      child.unanswered++
      send(child, { kind: 'measure', request: requests++ })
      return
    }
    const { pid } = child.worker.process
    const silent_s = (maxUnanswered * times.askingMs) / 1_000
    log.error({ worker: number, pid, silent_s }, 'a worker does not respond: it is killed')
    child.worker.process.kill('SIGKILL')
  }

  /** Keeps a worker in its place until the instance stops. */
  async function keep(number: number, isReady: (url: string) => void): Promise<void> {
    for (let failures = 0; !closing.signal.aborted; ) {
      const child = next.get(number) ?? launch(number)
      next.delete(number)
      current.set(number, child)
      const url = await child.ready
      const servedAt = performance.now()
      if (url !== null) isReady(url)
      const ending = await child.ended
      if (closing.signal.aborted || next.has(number)) continue
      const isSound = url !== null && performance.now() - servedAt >= times.soundMs
      failures = isSound ? 0 : failures + 1
      const delayMs =
        failures === 0 ? 0 : Math.min(times.firstDelayMs * 2 ** (failures - 1), times.longestDelayMs)
      const { pid } = child.worker.process
      const reason = child.reason === null ? {} : { reason: child.reason }
      log.error(
        { worker: number, pid, ...ending, ...reason, retry_in_ms: delayMs },
        'a worker ended: it is replaced',
      )
      if (failures >= maxFailures && !all().some(isServing)) return giveUp(child.reason)
      await sleep(delayMs, null, { signal: closing.signal }).catch(() => {})
    }
  }

  function giveUp(reason: string | null): void {
    if (gaveUp !== null) return
    gaveUp = `No worker can be kept running: ${reason ?? 'the log says how they ended.'}`
    failed.reject(new StartError(gaveUp))
    if (hasStarted) process.kill(process.pid, 'SIGTERM')
  }

  /** Replaces one worker after the other. The first that cannot start ends this: the others stay as they are. */
  async function replaceAll(): Promise<void> {
    for (let number = 1; number <= count && !closing.signal.aborted; number++) {
      const before = current.get(number)
      // A worker that has just died is being replaced anyway.
      if (before === undefined || !isServing(before)) continue
      const child = launch(number)
      next.set(number, child)
      const url = await child.ready
      // `close` kills a worker that is being started.
      if (closing.signal.aborted) return
      if (url === null) {
        if (next.get(number) === child) next.delete(number)
        log.error({ worker: number, reason: child.reason }, 'a new worker could not start: the others stay')
        return
      }
      if (before.state === 'ended') continue
      before.state = 'retired'
      send(before, { kind: 'retire' })
      const late = setTimeout(() => before.worker.process.kill('SIGKILL'), times.retiringMs)
      await before.ended
      clearTimeout(late)
    }
    if (!closing.signal.aborted) log.info({ workers: count }, 'all workers were replaced')
  }
  let replacing: Promise<void> = Promise.resolve()
  let isAskedAgain = false

  return {
    /** Starts all workers. Returns their address once all serve; throws if none can start. */
    async start(): Promise<string> {
      // Otherwise the kernel chooses, and gives most of few connections to the same worker.
      cluster.schedulingPolicy = cluster.SCHED_RR
      cluster.setupPrimary({ exec: script, args: [], serialization: 'advanced' })
      const urls = Array.from({ length: count }, (_, index) => {
        const { promise, resolve } = Promise.withResolvers<string>()
        void keep(index + 1, resolve)
        return promise
      })
      const stopped = new Promise<never>((_, reject) =>
        closing.signal.addEventListener('abort', () => reject(new Error('stopped while starting'))),
      )
      stopped.catch(() => {})
      const [url = ''] = await Promise.race([Promise.all(urls), failed.promise, stopped])
      hasStarted = true
      return url
    },
    /** Lets `/readyz` return 503; requests are still served. */
    announce(): void {
      isAnnounced = true
      for (const child of all()) send(child, { kind: 'announce' })
    },
    webAppIsBuilt(folder: string): void {
      for (const child of all()) send(child, { kind: 'web-app-built', folder })
    },
    /** Replaces all workers, one after the other. Called again meanwhile, it replaces them once more afterwards. */
    restart(): Promise<void> {
      if (isAskedAgain) return replacing
      isAskedAgain = true
      replacing = replacing.then(() => {
        isAskedAgain = false
        return replaceAll()
      })
      return replacing
    },
    /** Returns the values of each worker that serves; of one that does not respond in time, the last ones. */
    async measure(): Promise<Snapshot[]> {
      const measured = all().filter(({ state }) => state === 'serving' || state === 'retired')
      await Promise.all(
        measured.map(async (child) => {
          const request = requests++
          const { promise, resolve } = Promise.withResolvers<void>()
          measuring.set(request, resolve)
          const timer = setTimeout(resolve, times.measuringMs)
          send(child, { kind: 'measure', request })
          await Promise.race([promise, child.ended])
          clearTimeout(timer)
          measuring.delete(request)
        }),
      )
      // The values of one that has ended meanwhile were given to `onEnded`.
      return measured.filter(({ state }) => state !== 'ended').map(({ last }) => last)
    },
    /** Lets requests in flight finish and ends all workers. Throws if it had to give them up before. */
    async close(): Promise<void> {
      closing.abort()
      for (const child of all()) {
        // It serves nothing yet.
        if (child.state === 'starting') child.worker.process.kill('SIGKILL')
        else send(child, { kind: 'stop' })
      }
      const timer = setTimeout(() => {
        for (const { worker } of all()) worker.process.kill('SIGKILL')
      }, times.closingMs)
      await Promise.all(all().map(({ ended }) => ended))
      clearTimeout(timer)
      if (gaveUp !== null && hasStarted) throw new Error(gaveUp)
    },
  }
}

/** Sends a message, unless the worker is gone: its end is noticed elsewhere. */
function send({ worker }: Child, message: ToWorker): void {
  if (worker.isConnected()) worker.process.send(message, undefined, undefined, () => {})
}
