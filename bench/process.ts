import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdirSync, openSync, readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** A measured process, separate as in production. */
export type Process = {
  port: number
  pid: number
  /** From start to first response. */
  startMs: number
  /** Resident memory; null when unknown. */
  memoryMb(): number | null
  stop(): Promise<void>
}

type What = {
  name: string
  arguments: string[]
  env: Record<string, string>
  readyPath: string
  node?: string
}

/** Starts a process with its output in a file: a terminal or pipe would slow it down. */
export async function startProcess({ name, arguments: words, env, readyPath, node }: What): Promise<Process> {
  mkdirSync(folder, { recursive: true })
  const port = await freePort()
  const log = openSync(join(folder, `${name}.log`), 'w')
  const startedAt = performance.now()
  const child = spawn(node ?? process.execPath, words, {
    // Outside the checkout, so that its .env does not apply.
    cwd: folder,
    env: { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', ...env, PORT: `${port}` },
    stdio: ['ignore', log, log],
  })
  closeSync(log)
  running.add(child)
  await untilReady(`http://127.0.0.1:${port}${readyPath}`, child, name)
  const pid = child.pid ?? 0
  const startMs = performance.now() - startedAt
  return { port, pid, startMs, memoryMb: () => memoryMbOf(pid), stop: () => end(child) }
}

/** Folder for logs and requests of the last run, and for filled databases. */
export const folder = join(import.meta.dirname, '../.bench')

const running = new Set<ChildProcess>()

/** Stops all processes that still run. */
export async function stopAll(): Promise<void> {
  await Promise.all([...running].map(end))
}

async function end(child: ChildProcess): Promise<void> {
  running.delete(child)
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGTERM')
  await once(child, 'exit')
}

async function untilReady(url: string, child: ChildProcess, name: string): Promise<void> {
  for (const end = performance.now() + 120_000; performance.now() < end && child.exitCode === null; ) {
    const isReady = await fetch(url).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isReady) return
    await sleep(10)
  }
  throw new Error(`${name} does not answer: see ${join(folder, `${name}.log`)}`)
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  await once(server.close(), 'close')
  return port
}

function memoryMbOf(pid: number): number | null {
  const kb = /VmRSS:\s+(\d+) kB/.exec(readProc(pid, 'status') ?? '')?.[1]
  return kb === undefined ? null : Number(kb) / 1_024
}

/** Returns the processor time used so far; null if unknown. */
export function cpuSecondsOf(pid: number): number | null {
  const fields = readProc(pid, 'stat')?.split(') ')[1]?.split(' ')
  // In hundredths of a second, on every Linux.
  return fields === undefined ? null : (Number(fields[11]) + Number(fields[12])) / 100
}

/** Returns the processor time used so far by the children of a process; null if unknown. */
export function cpuSecondsBelow(parent: number): number | null {
  try {
    return readdirSync('/proc')
      .filter((name) => /\bPPid:\s+(\d+)/.exec(readProc(Number(name), 'status') ?? '')?.[1] === `${parent}`)
      .reduce((sum, name) => sum + (cpuSecondsOf(Number(name)) ?? 0), 0)
  } catch {
    return null
  }
}

function readProc(pid: number, file: string): string | null {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return null
  }
}
