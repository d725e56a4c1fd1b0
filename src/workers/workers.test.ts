import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import type { WorkerTimes } from './workers.ts'

const folder = mkdtempSync(join(tmpdir(), 'parvis-workers-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Starts a primary process whose workers run this code once they know their number. */
function start(code: string, times: Partial<WorkerTimes>) {
  const script = join(folder, `${Math.random()}.mjs`)
  const ready = `process.send({ kind: 'ready', url: 'http://localhost' })`
  writeFileSync(
    script,
    `process.on('message', async ({ kind, setup }) => {
       if (kind === 'stop') process.exit(0)
       if (kind !== 'setup') return
       const serve = () => ${ready}
       ${code}
     })
     process.send({ kind: 'started' })`,
  )
  const primary = join(import.meta.dirname, 'crash-loop.test-worker.ts')
  const child = spawn(process.execPath, [primary, script, JSON.stringify(times)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  return { child, lines: createInterface({ input: child.stdout }) }
}

/** Worker code that serves, and runs `code` again and again once both workers have served: only then has the instance started. */
function onceBothServed(code: string): string {
  const served = join(folder, `${Math.random()}-`)
  return `const { existsSync, writeFileSync } = await import('node:fs')
    serve()
    writeFileSync('${served}' + setup.number, '')
    setInterval(() => { if ([1, 2].every((number) => existsSync('${served}' + number))) { ${code} } }, 10)`
}

type Line = { retry_in_ms?: number; worker?: number; message?: string; closed?: boolean; reason?: string }

test('workers that serve and then crash are replaced after growing delays; at last the instance stops with an error', async () => {
  const { lines } = start(onceBothServed('process.exit(3)'), { firstDelayMs: 4 })
  const all: Line[] = []
  for await (const line of lines) all.push(JSON.parse(line))
  const delaysOf = (number: number) =>
    all.filter(({ worker }) => worker === number).flatMap(({ retry_in_ms }) => retry_in_ms ?? [])
  const [, ofLast] = [delaysOf(1), delaysOf(2)].sort((one, other) => one.length - other.length)
  expect(ofLast?.slice(0, 5)).toEqual([4, 8, 16, 32, 64])
  expect(all.at(-1)).toEqual({
    closed: false,
    reason: 'No worker can be kept running: the log says how they ended.',
  })
})

test('while one worker serves, the instance keeps replacing the one that crashes', async () => {
  const crashes = onceBothServed('if (setup.number === 1) process.exit(3)')
  const { child, lines } = start(crashes, { firstDelayMs: 1, longestDelayMs: 20 })
  const all: Line[] = []
  let ended = 0
  for await (const line of lines) {
    all.push(JSON.parse(line))
    if (all.at(-1)?.retry_in_ms !== undefined) ended++
    if (ended === 12) child.kill('SIGTERM')
  }
  expect(all.filter(({ worker, retry_in_ms }) => worker === 2 && retry_in_ms !== undefined)).toEqual([])
  expect(all.at(-1)).toEqual({ closed: true })
})

test('a worker that served for long is replaced at once', async () => {
  const { child, lines } = start('serve(); if (setup.number === 1) setTimeout(() => process.exit(3), 50)', {
    soundMs: 10,
    firstDelayMs: 60_000,
  })
  const delays: number[] = []
  for await (const line of lines) {
    const { retry_in_ms } = JSON.parse(line) as Line
    if (retry_in_ms === undefined) continue
    delays.push(retry_in_ms)
    child.kill('SIGTERM')
  }
  expect(delays[0]).toBe(0)
})
