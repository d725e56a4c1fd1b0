import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { cpuSecondsOf, folder } from '../process.ts'
import { type Request, unseen } from './request.ts'

export type Load = {
  port: number
  /** Made in this order, and again from the beginning. */
  requests: Request[]
  connections: number
  seconds: number
  /** Each request asks in words of its own, so that no answer is kept for it. */
  unseen?: boolean
  /** So many a second, whether the last ones were answered or not. Otherwise as many as are answered. */
  rate?: number
}

export type Outcome = {
  /** What was refused, or never answered, does not count. */
  perSecond: number
  p50Ms: number
  p99Ms: number
  refused: number
  answered: Answered
  /** How long a refusal took, half of them at most; null where the load maker does not tell. */
  refusalMs: number | null
  /** How much of one processor the load maker had; null where that cannot be told. */
  makerCpu: number | null
}

/** How many, by status; of others than 200 wrk knows only that they were refused. */
export type Answered = Record<string, number>

/** As each load maker prints it. */
export type Printed = Pick<Outcome, 'p50Ms' | 'p99Ms' | 'answered'> & { seconds: number; refusalMs?: number }

export const loadMaker = hasWrk() ? 'wrk' : 'node'

let made = 0

/** The load maker is a process of its own: wrk where it is installed, which makes several times as much. */
export async function load(wanted: Load): Promise<Outcome> {
  const name = `${process.pid}-${++made}`
  const file = join(folder, `${name}.requests`)
  const withWrk = wanted.rate === undefined && loadMaker === 'wrk'
  writeFileSync(file, withWrk ? rawRequests(wanted) : JSON.stringify({ ...wanted, mark: `${name}-` }))
  const { port, connections, seconds } = wanted
  const url = `http://127.0.0.1:${port}`
  const child = withWrk
    ? spawn('wrk', [
        ...['-t1', `-c${connections}`, `-d${Math.max(1, Math.round(seconds))}s`, '--timeout', '10s'],
        ...['-s', join(import.meta.dirname, 'wrk.lua'), url, '--', file, `${name}-`],
      ])
    : spawn(process.execPath, [join(import.meta.dirname, 'node-maker.ts'), file])
  const cpu = watchCpu(child.pid ?? 0)
  const [out, err] = [text(child.stdout), text(child.stderr)]
  await once(child, 'close')
  const makerCpu = cpu.stop()
  rmSync(file)
  const line = (await out).split('\n').find((each) => each.startsWith('{'))
  if (line === undefined) throw new Error(`The load maker said: ${await out}${await err}`)
  const { seconds: took, refusalMs = null, answered, ...times } = JSON.parse(line) as Printed
  const entries = Object.entries(answered)
  const sum = (which: (status: string) => boolean) =>
    entries.reduce((total, [status, count]) => total + (which(status) ? count : 0), 0)
  return {
    ...times,
    perSecond: sum(isGood) / took,
    refused: sum((status) => !isGood(status)),
    answered,
    refusalMs,
    makerCpu: makerCpu === null ? null : makerCpu / took,
  }
}

const isGood = (status: string) => Number(status) >= 200 && Number(status) < 400

/** Time on the processors between two looks, the first of which is soon enough and the last late enough. */
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

/**
 * What wrk.lua reads: for each request the lengths of two parts, then the parts. Between them goes what makes it unseen.
 */
function rawRequests({ port, requests, unseen: isUnseen = false }: Load): Buffer {
  const mark = '\0'
  const parts = requests.map(({ method, path, headers, body = '' }) => {
    const target = isUnseen ? unseen(path, mark) : path
    const lines = {
      host: `127.0.0.1:${port}`,
      ...headers,
      ...(body && { 'content-length': Buffer.byteLength(body) }),
    }
    const head = Object.entries(lines).map(([name, value]) => `${name}: ${value}\r\n`)
    const [before = '', after = ''] = `${method} ${target} HTTP/1.1\r\n${head.join('')}\r\n${body}`.split(
      mark,
    )
    return `${Buffer.byteLength(before)} ${Buffer.byteLength(after)}\n${before}${after}`
  })
  return Buffer.from(parts.join(''))
}

function hasWrk(): boolean {
  try {
    execFileSync('wrk', ['-v'], { stdio: 'pipe' })
  } catch (error) {
    // It prints its version, and calls that a failure.
    return (error as NodeJS.ErrnoException).code !== 'ENOENT'
  }
  return true
}
