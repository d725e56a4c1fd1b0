import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { cpuSecondsOf, folder } from '../process.ts'
import { messageOf, type Request } from './request.ts'

export type Load = {
  port: number
  /** Sent in this order, then from the beginning. */
  requests: Request[]
  connections: number
  /** 0: each connection sends one request. */
  seconds: number
  /** Requests per second, without waiting for responses. By default each connection waits. */
  rate?: number
}

export type Outcome = {
  /** Counts successful responses only. */
  perSecond: number
  p50Ms: number
  p99Ms: number
  refused: number
  answered: Answered
  /** Duration of the slowest response that is not a refusal; null if the generator does not report it. */
  maxMs: number | null
  /** Median duration of a refusal; null when the load generator does not report it. */
  refusalMs: number | null
  /** Share of one processor the load generator used; null when unknown. */
  makerCpu: number | null
}

/** Number of responses by status; without a rate, wrk only distinguishes 200 from the rest. */
export type Answered = Record<string, number>

/** The output of both load generators. */
export type Printed = Pick<Outcome, 'p50Ms' | 'p99Ms' | 'answered'> & {
  seconds: number
  maxMs?: number
  refusalMs?: number
}

export const loadMaker = hasWrk() ? 'wrk' : 'node'

let made = 0

/** Generates load in a separate process: wrk where installed, which is several times faster. */
export async function load(wanted: Load): Promise<Outcome> {
  const name = `${process.pid}-${++made}`
  const file = join(folder, `${name}.requests`)
  const { port, connections, seconds, rate } = wanted
  // wrk cannot send a single request per connection, and its timers count whole milliseconds.
  const withWrk = loadMaker === 'wrk' && seconds > 0 && (rate === undefined || rate >= 1_000)
  writeFileSync(file, withWrk ? rawRequests(wanted) : JSON.stringify(wanted))
  const url = `http://127.0.0.1:${port}`
  const child = withWrk
    ? spawn('wrk', [
        ...['-t1', `-c${connections}`, `-d${Math.max(1, Math.round(seconds))}s`, '--timeout', '10s'],
        ...[
          '-s',
          join(import.meta.dirname, 'wrk.lua'),
          url,
          '--',
          file,
          ...(rate === undefined ? [] : [`${rate}`]),
        ],
      ])
    : spawn(process.execPath, [join(import.meta.dirname, 'node-maker.ts'), file])
  const cpu = watchCpu(child.pid ?? 0)
  const [out, err] = [text(child.stdout), text(child.stderr)]
  await once(child, 'close')
  const makerCpu = cpu.stop()
  rmSync(file)
  const line = (await out).split('\n').find((each) => each.startsWith('{'))
  if (line === undefined) throw new Error(`The load maker said: ${await out}${await err}`)
  const { seconds: took, maxMs = null, refusalMs = null, answered, ...times } = JSON.parse(line) as Printed
  const responses = Object.values(answered).reduce((total, count) => total + count, 0)
  if (withWrk && rate !== undefined) answered.unsent = Math.max(0, Math.round(rate * took) - responses)
  const entries = Object.entries(answered)
  const sum = (which: (status: string) => boolean) =>
    entries.reduce((total, [status, count]) => total + (which(status) ? count : 0), 0)
  return {
    ...times,
    perSecond: sum(isGood) / took,
    refused: sum((status) => !isGood(status)),
    answered,
    maxMs,
    refusalMs,
    makerCpu: makerCpu === null ? null : makerCpu / took,
  }
}

const isGood = (status: string) => Number(status) >= 200 && Number(status) < 400

/** Samples the processor time of a process; `stop` returns the last sample. */
function watchCpu(pid: number) {
  let last = cpuSecondsOf(pid)
  const timer = setInterval(() => {
    last = cpuSecondsOf(pid) ?? last
  }, 50)
  return {
    stop(): number | null {
      clearInterval(timer)
      return last
    },
  }
}

/** Input of wrk.lua: for each request its length, then its bytes. */
function rawRequests({ port, requests }: Load): Buffer {
  const parts = requests.map((request) => {
    const text = messageOf(request, port)
    return `${Buffer.byteLength(text)}\n${text}`
  })
  return Buffer.from(parts.join(''))
}

function hasWrk(): boolean {
  try {
    execFileSync('wrk', ['-v'], { stdio: 'pipe' })
  } catch (error) {
    // wrk prints its version and exits with an error.
    return (error as NodeJS.ErrnoException).code !== 'ENOENT'
  }
  return true
}
