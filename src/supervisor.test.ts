// Round: rest, because it starts services as processes.
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import type { SupervisorTimes } from './supervisor.ts'

const folder = mkdtempSync(join(tmpdir(), 'parvis-workers-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Starts a supervisor whose instances run this code, and `onPing` before they reply to a ping. */
function start(code: string, times: Partial<SupervisorTimes>, onPing = '') {
  const script = join(folder, `${Math.random()}.mjs`)
  writeFileSync(
    script,
    `const number = Number(process.env.PARVIS_INSTANCE)
     const serve = () => process.send({ ready: 'http://localhost' })
     process.on('disconnect', () => process.exit(0))
     process.on('message', async (message) => {
       if (message === 'retire') process.exit(0)
       { ${onPing} }
       process.send('alive')
     })
     ${code}`,
  )
  const supervisor = join(import.meta.dirname, 'supervisor.test-worker.ts')
  const child = spawn(process.execPath, [supervisor, script, JSON.stringify(times)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  return { child, lines: createInterface({ input: child.stdout }) }
}

/** Code that serves, and runs `code` again and again once both instances have served: only then has the service started. */
function onceBothServed(code: string): string {
  const served = join(folder, `${Math.random()}-`)
  return `const { existsSync, writeFileSync } = await import('node:fs')
    serve()
    writeFileSync('${served}' + number, '')
    setInterval(() => { if ([0, 1].every((number) => existsSync('${served}' + number))) { ${code} } }, 10)`
}

type Line = {
  retry_in_ms?: number
  pid?: number
  instance?: number
  message?: string
  closed?: boolean
  reason?: string
}

test('instances that serve and then crash are started again after growing delays; at last the service stops with an error', async () => {
  const { lines } = start(onceBothServed('process.exit(3)'), { firstDelayMs: 4 })
  const all: Line[] = []
  for await (const line of lines) all.push(JSON.parse(line))
  const delaysOf = (number: number) =>
    all.filter(({ instance }) => instance === number).flatMap(({ retry_in_ms }) => retry_in_ms ?? [])
  const [, ofLast] = [delaysOf(0), delaysOf(1)].sort((one, other) => one.length - other.length)
  expect(ofLast?.slice(0, 5)).toEqual([4, 8, 16, 32, 64])
  expect(all.at(-1)).toEqual({
    closed: false,
    reason: 'No instance can be kept running: the log says how they ended.',
  })
})

test('while one instance serves, the one that crashes is started again and again', async () => {
  const crashes = onceBothServed('if (number === 0) process.exit(3)')
  const { child, lines } = start(crashes, { firstDelayMs: 1, longestDelayMs: 20 })
  const all: Line[] = []
  let ended = 0
  for await (const line of lines) {
    all.push(JSON.parse(line))
    if (all.at(-1)?.retry_in_ms !== undefined) ended++
    if (ended === 12) child.kill('SIGTERM')
  }
  expect(all.filter(({ instance, retry_in_ms }) => instance === 1 && retry_in_ms !== undefined)).toEqual([])
  expect(all.at(-1)).toEqual({ closed: true })
})

test('an instance that served for long is started again at once', async () => {
  const { child, lines } = start('serve(); if (number === 0) setTimeout(() => process.exit(3), 50)', {
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

const isKilled = ({ reason }: Line) => reason === 'it did not respond'

test.each([
  ['is suspended', "process.kill(process.pid, 'SIGSTOP')"],
  ['loops endlessly', 'for (;;);'],
])(
  'an instance that %s is killed after three pings without a reply, and started again',
  async (_how, freeze) => {
    const froze = join(folder, `${Math.random()}`)
    const { child, lines } = start(
      'serve()',
      { pingMs: 200, soundMs: 10 },
      `const { existsSync, writeFileSync } = await import('node:fs')
     if (number === 0 && !existsSync('${froze}')) {
       writeFileSync('${froze}', '')
       ${freeze}
     }`,
    )
    const all: Line[] = []
    for await (const line of lines) {
      const next: Line = JSON.parse(line)
      all.push(next)
      const isReplaced =
        next.message === 'an instance serves' && all.some((each) => isKilled(each) && each.instance === 0)
      if (isReplaced && next.instance === 0) child.kill('SIGTERM')
    }
    const killed = all.find((line) => isKilled(line) && line.instance === 0)
    expect(killed).toMatchObject({ signal: 'SIGKILL', retry_in_ms: 0 })
    expect(all.at(-1)).toEqual({ closed: true })
  },
)

test('instances that respond stay after the supervisor was suspended', async () => {
  const measured = join(folder, `${Math.random()}`)
  const count = () => (existsSync(measured) ? readFileSync(measured).length : 0)
  const untilAsked = async (times: number) => {
    for (const before = count(); count() < before + times; ) await sleep(10)
  }
  const asking = `(await import('node:fs')).appendFileSync('${measured}', '.')`
  const { child, lines } = start('serve()', { pingMs: 800 }, asking)
  const all: Line[] = []
  const read = (async () => {
    for await (const line of lines) all.push(JSON.parse(line))
  })()
  await untilAsked(2)
  child.kill('SIGSTOP')
  // Longer than an instance may be silent.
  await sleep(3_000)
  child.kill('SIGCONT')
  await untilAsked(6)
  child.kill('SIGTERM')
  await read
  expect(all.filter(isKilled)).toEqual([])
  expect(all.at(-1)).toEqual({ closed: true })
})

test('stopping during a restart is no failure of the instance that is being started', async () => {
  const served = join(folder, `${Math.random()}-`)
  const starting = join(folder, `${Math.random()}`)
  // The second one of a number starts and never serves.
  const { child, lines } = start(
    `const { existsSync, writeFileSync } = await import('node:fs')
     if (existsSync('${served}' + number)) writeFileSync('${starting}', '')
     else {
       writeFileSync('${served}' + number, '')
       serve()
     }`,
    {},
  )
  const all: Line[] = []
  for await (const line of lines) {
    all.push(JSON.parse(line))
    if (all.length !== 2) continue
    child.kill('SIGUSR2')
    while (!existsSync(starting)) await sleep(10)
    child.kill('SIGTERM')
  }
  expect(all.map(({ message }) => message)).toEqual(['an instance serves', 'an instance serves', undefined])
  expect(all.at(-1)).toEqual({ closed: true })
})
