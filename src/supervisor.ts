import { type ChildProcess, fork } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { StartError } from './platform/config/start-error.ts'
import type { Log } from './platform/log/log.ts'

/** What an instance sends; `alive` replies to `ping`. The other message to an instance is `retire`. */
export type FromInstance = { ready: string } | { failed: string } | 'alive'

const defaultTimes = {
  /** Before the first further attempt after a failure; it doubles up to `longestDelayMs`. */
  firstDelayMs: 200,
  longestDelayMs: 30_000,
  ...{ soundMs: 10_000, closingMs: 8_500, pingMs: 10_000 },
}
export type SupervisorTimes = typeof defaultTimes
/** After this many failures in a row, and if no instance serves, the service ends: systemd may help. */
const maxFailures = 5
/** Pings count, and not the time: the machine may have been suspended. */
const maxUnanswered = 3
const ownScript = join(import.meta.dirname, '../bin/parvis.js')

type Options = {
  count: number
  env: (number: number) => NodeJS.ProcessEnv
  log: Pick<Log, 'info' | 'error'>
  script?: string
  times?: Partial<SupervisorTimes>
}

/**
 * Keeps `count` instances running, numbered from 0: they listen on one port, whose connections Linux balances. One that ends
 * is started again: at once if it had served for `soundMs` or was told to retire, else after a delay that grows.
 */
export function supervise({ count, env, log, script = ownScript, ...options }: Options) {
  const times = { ...defaultTimes, ...options.times }
  const instances = new Map<number, Instance>()
  const closing = new AbortController()
  const failed = Promise.withResolvers<never>()
  failed.promise.catch(() => {})
  let gaveUp: StartError | null = null
  let hasStarted = false
  let replacing = Promise.resolve()

  /** Keeps an instance of this number running until the service stops. */
  async function keep(number: number, isReady: (url: string) => void): Promise<void> {
    for (let failures = 0; !closing.signal.aborted; ) {
      const instance = launch(fork(script, [], { env: env(number) }), times)
      instances.set(number, instance)
      const { pid } = instance.child
      const url = await instance.ready
      const servedAt = performance.now()
      if (url !== null) log.info({ instance: number, pid }, 'an instance serves')
      if (url !== null) isReady(url)
      const ending = await instance.ended
      if (closing.signal.aborted || instance.isRetired) continue
      const isSound = url !== null && performance.now() - servedAt >= times.soundMs
      failures = isSound ? 0 : failures + 1
      const delayMs = isSound ? 0 : Math.min(times.firstDelayMs * 2 ** (failures - 1), times.longestDelayMs)
      const about = { instance: number, pid, ...ending, retry_in_ms: delayMs }
      log.error(about, 'an instance ended: it is started again')
      if (failures >= maxFailures && instances.values().every(({ isServing }) => !isServing)) {
        const reason = ending.reason ?? 'the log says how they ended.'
        gaveUp = new StartError(`No instance can be kept running: ${reason}`)
        if (hasStarted) process.kill(process.pid, 'SIGTERM')
        return failed.reject(gaveUp)
      }
      await sleep(delayMs, null, { signal: closing.signal }).catch(() => {})
    }
  }

  /** Replaces one instance after the other. The first that cannot start ends this: the others stay as they are. */
  async function replaceAll(): Promise<void> {
    for (const [number, before] of [...instances]) {
      // An instance that has just died is started again anyway.
      if (closing.signal.aborted || !before.isServing) continue
      before.isRetired = true
      before.child.send('retire', () => {})
      await before.ended
      while (instances.get(number) === before && !closing.signal.aborted) await sleep(1)
      const url = await instances.get(number)?.ready
      if (closing.signal.aborted) return
      if (url === null)
        return log.error({ instance: number }, 'a new instance did not start: the others stay')
    }
    log.info({ instances: count }, 'all instances were replaced')
  }

  function signalAll(signal: NodeJS.Signals): void {
    closing.abort(new Error('stopped while starting'))
    for (const { child } of instances.values()) child.kill(signal)
  }

  return {
    /** Starts all instances. Returns their address once all serve; throws if none can start. */
    async start(): Promise<string> {
      closing.signal.addEventListener('abort', () => failed.reject(closing.signal.reason))
      const numbers = Array.from({ length: count }, (_, number) => number)
      const urls = numbers.map((number) => new Promise<string>((isReady) => void keep(number, isReady)))
      const [url = ''] = await Promise.race([Promise.all(urls), failed.promise])
      hasStarted = true
      return url
    },
    /** Replaces all instances, after a replacement that is in progress. */
    restart: (): Promise<void> => (replacing = replacing.then(replaceAll)),
    /** Passes a signal on: the instances announce their end, and stop. */
    stop: signalAll,
    /** Waits until all instances have ended. Throws if it had to give them up before. */
    async close(): Promise<void> {
      signalAll('SIGTERM')
      const late = setTimeout(signalAll, times.closingMs, 'SIGKILL')
      await Promise.all(instances.values().map(({ ended }) => ended))
      clearTimeout(late)
      if (gaveUp !== null && hasStarted) throw gaveUp
    },
  }
}

type Instance = ReturnType<typeof launch>

/** Watches a process that has just been started: kills it if it serves and does not reply to pings. */
function launch(child: ChildProcess, { pingMs }: SupervisorTimes) {
  const ready = Promise.withResolvers<string | null>()
  const ended = Promise.withResolvers<{ reason?: string }>()
  const instance = { child, isServing: false, isRetired: false, ready: ready.promise, ended: ended.promise }
  let why: { reason?: string } = {}
  let unanswered = 0
  const pinging = setInterval(() => {
    if (!instance.isServing) return
    if (unanswered++ < maxUnanswered) return child.send('ping', () => {})
    why = { reason: 'it did not respond' }
    return child.kill('SIGKILL')
  }, pingMs)
  child.on('message', (message: FromInstance) => {
    unanswered = 0
    if (message === 'alive') return
    if ('failed' in message) why = { reason: message.failed }
    else ready.resolve(message.ready)
    instance.isServing = 'ready' in message
  })
  const end = (ending: object) => {
    clearInterval(pinging)
    instance.isServing = false
    ready.resolve(null)
    ended.resolve({ ...ending, ...why })
  }
  child.once('exit', (status, signal) => end(signal ? { signal } : { exit_code: status }))
  child.on('error', ({ message }) => child.pid === undefined && end({ reason: message }))
  return instance
}
