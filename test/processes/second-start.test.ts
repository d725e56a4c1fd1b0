import { spawnSync } from 'node:child_process'
import { createServer } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectWhole, loadFewCommunes } from './content.ts'
import { filledDataDir } from './filled.ts'
import { postgresPids } from './postgres.ts'
import {
  cleanUp,
  endedWell,
  fetchServed,
  newDataDir,
  onTerminal,
  ownCheckout,
  type Service,
  startService,
  stop,
  timeoutMs,
  until,
} from './service.ts'

const [dataDir, otherDir] = [await filledDataDir(), newDataDir()]
const env = { SEED: 'none' }
let first: Service
let other: Service

beforeAll(async () => {
  first = startService({ dataDir, env })
  await first.ready
}, timeoutMs)
afterAll(cleanUp, timeoutMs)

test('a second start on the same data folder is refused in one sentence, and the first one continues', async () => {
  const before = postgresPids(dataDir)
  const second = startService({ dataDir, by: 'npm', env })
  expect(await second.ended).toEqual({ status: 1, signal: null })
  expect(second.state.err).toBe(
    `Another Parvis already runs on the data folder ${dataDir}; stop it or set another DATA_DIR.\n`,
  )
  expect(postgresPids(dataDir)[0]).toBe(before[0])
  const url = await first.ready
  await until(async () => (await fetch(`${url}/readyz`)).status === 200, first)
})

test('reports a taken metrics port in one sentence before anything is loaded', {
  timeout: timeoutMs,
}, async () => {
  const taken = createServer().listen(0, '127.0.0.1')
  await new Promise((done) => taken.once('listening', done))
  const address = taken.address()
  const port = typeof address === 'object' ? address?.port : null
  const refused = startService({ dataDir: otherDir, env: { METRICS_PORT: `${port}` } })
  expect(await refused.ended).toEqual({ status: 1, signal: null })
  expect(refused.state.err).toBe(
    `Port ${port} of 127.0.0.1 is taken: stop what uses it, or set another PORT (or METRICS_PORT).\n`,
  )
  expect(refused.state.out).not.toContain('communes')
  expect(postgresPids(otherDir)).toEqual([])
  taken.close()
})

test('a taken port is reported in one sentence, PostgreSQL stops too, and the next start still counts as the first', {
  timeout: 2 * timeoutMs,
}, async () => {
  const port = new URL(await first.ready).port
  const refused = startService({ dataDir: otherDir, env: { ...env, PORT: port } })
  expect(await refused.ended).toEqual({ status: 1, signal: null })
  expect(refused.state.err).toBe(
    `Port ${port} of 127.0.0.1 is taken: stop what uses it, or set another PORT (or METRICS_PORT).\n`,
  )
  expect(postgresPids(otherDir)).toEqual([])
  other = startService({ dataDir: otherDir, env: { ...env, ...loadFewCommunes() } })
  await other.ready
  expect(other.state.out).toContain('The communes of France are loaded')
  // A token must not reach a log file: only a terminal gets one.
  expect(other.state.out + other.state.greeting).not.toContain('Bearer')
  expect(other.state.greeting).toContain('bin/node bin/parvis-cli.js token --email admin@example.org')
})

test('two services in two data folders run side by side', async () => {
  expect(await first.ready).not.toBe(await other.ready)
  await expectWhole(first, { demo: false })
  await expectWhole(other, { demo: false, few: true })
})

test('a database in use stays a real one when SEED is left out later', {
  timeout: 2 * timeoutMs,
}, async () => {
  const operator = ['sign-in', '--email', 'boss@example.org', '--role', 'admin']
  const signInToken = () => {
    const command = spawnSync(process.execPath, ['bin/parvis-cli.js', ...operator], {
      ...{ cwd: ownCheckout, encoding: 'utf8' },
      env: { PATH: process.env.PATH, DATA_DIR: otherDir },
    })
    return command.stdout.trim().split('#token=')[1]
  }
  signInToken()
  expect(await stop(other)).toEqual(endedWell)
  other = startService({ dataDir: otherDir, env: { ...onTerminal, ...loadFewCommunes() } })
  const url = await other.ready
  await expectWhole(other, { demo: false, few: true, loads: 'communes, demo, former-names, groups' })
  expect(other.state.greeting).not.toMatch(/Bearer|#token=/)
  const response = await fetchServed(`${url}/api/v1/auth/email/verify`, {
    method: 'POST',
    headers: { 'x-app-source': 'backoffice', 'content-type': 'application/json' },
    body: JSON.stringify({ token: signInToken() }),
  })
  expect(await response.json()).toEqual({ data: { status: 'enrolment' } })
  expect(await stop(other)).toEqual(endedWell)
})

test('reports a HOST of another machine in one sentence', { timeout: timeoutMs }, async () => {
  const refused = startService({ dataDir: otherDir, env: { ...env, HOST: '1.2.3.4' } })
  expect(await refused.ended).toEqual({ status: 1, signal: null })
  expect(refused.state.err).toBe(
    'HOST must be an address or a name of this machine, and 1.2.3.4 is none (EADDRNOTAVAIL).\n',
  )
  expect(postgresPids(otherDir)).toEqual([])
})
