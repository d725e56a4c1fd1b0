import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import type { WorkerTimes } from './workers.ts'

const folder = mkdtempSync(join(tmpdir(), 'parvis-workers-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Starts a primary process whose workers run this code once they know their number, and `onMeasure` before they respond. */
function start(code: string, times: Partial<WorkerTimes>, onMeasure = '') {
  const script = join(folder, `${Math.random()}.mjs`)
  const ready = `process.send({ kind: 'ready', url: 'http://localhost' })`
  writeFileSync(
    script,
    `let number
     process.on('message', async ({ kind, setup, request }) => {
       if (kind === 'stop') process.exit(0)
       if (kind === 'measure') {
         ${onMeasure}
         process.send({ kind: 'measured', request, snapshot: [] })
       }
       if (kind !== 'setup') return
       number = setup.number
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

type Line = {
  retry_in_ms?: number
  pid?: number
  silent_s?: number
  worker?: number
  message?: string
  closed?: boolean
  reason?: string
}

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

const isKilled = ({ message }: Line) => message === 'a worker does not respond: it is killed'

test.each([
  ['is suspended', "process.kill(process.pid, 'SIGSTOP')"],
  ['loops endlessly', 'for (;;);'],
])(
  'a worker that %s is killed after three requests without a response, and replaced',
  async (_how, freeze) => {
    const froze = join(folder, `${Math.random()}`)
    const { child, lines } = start(
      'serve()',
      { askingMs: 200, soundMs: 10 },
      `const { existsSync, writeFileSync } = await import('node:fs')
     if (number === 1 && !existsSync('${froze}')) {
       writeFileSync('${froze}', '')
       ${freeze}
     }`,
    )
    const all: Line[] = []
    for await (const line of lines) {
      const next: Line = JSON.parse(line)
      all.push(next)
      const isReplaced =
        next.message === 'a worker serves' && all.some((each) => isKilled(each) && each.worker === 1)
      if (isReplaced && next.worker === 1) child.kill('SIGTERM')
    }
    const killed = all.find((line) => isKilled(line) && line.worker === 1)
    expect(killed?.silent_s).toBe(0.6)
    expect(all).toContainEqual(expect.objectContaining({ pid: killed?.pid, signal: 'SIGKILL' }))
    expect(all.at(-1)).toEqual({ closed: true })
  },
)

test('workers that respond stay after the primary process was suspended', async () => {
  const measured = join(folder, `${Math.random()}`)
  const count = () => (existsSync(measured) ? readFileSync(measured).length : 0)
  const untilAsked = async (times: number) => {
    for (const before = count(); count() < before + times; ) await sleep(10)
  }
  const asking = `(await import('node:fs')).appendFileSync('${measured}', '.')`
  const { child, lines } = start('serve()', { askingMs: 800 }, asking)
  const all: Line[] = []
  const read = (async () => {
    for await (const line of lines) all.push(JSON.parse(line))
  })()
  await untilAsked(2)
  child.kill('SIGSTOP')
  // Longer than a worker may be silent.
  await sleep(3_000)
  child.kill('SIGCONT')
  await untilAsked(6)
  child.kill('SIGTERM')
  await read
  expect(all.filter(isKilled)).toEqual([])
  expect(all.at(-1)).toEqual({ closed: true })
})

test('stopping during a restart is no failure of the worker that is being started', async () => {
  const served = join(folder, `${Math.random()}-`)
  const starting = join(folder, `${Math.random()}`)
  // The second worker of a place starts and never serves.
  const { child, lines } = start(
    `const { existsSync, writeFileSync } = await import('node:fs')
     if (existsSync('${served}' + number)) return writeFileSync('${starting}', '')
     writeFileSync('${served}' + number, '')
     serve()`,
    {},
  )
  const all: Line[] = []
  for await (const line of lines) {
    all.push(JSON.parse(line))
    if (all.length !== 2) continue
    child.kill('SIGHUP')
    while (!existsSync(starting)) await sleep(10)
    child.kill('SIGTERM')
  }
  expect(all.map(({ message }) => message)).toEqual(['a worker serves', 'a worker serves', undefined])
  expect(all.at(-1)).toEqual({ closed: true })
})
