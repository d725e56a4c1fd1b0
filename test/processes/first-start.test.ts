import { spawnSync } from 'node:child_process'
import { readlinkSync } from 'node:fs'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { expectWhole, fingerprint } from './content.ts'
import { ask, enter } from './postgres.ts'
import {
  cleanUp,
  endedWell,
  fetchServed,
  newDataDir,
  onTerminal,
  type Service,
  servicePid,
  slowdown,
  startService,
  stop,
  systemPath,
  timeoutMs,
} from './service.ts'

const dataDir = newDataDir()
let service: Service
let url: string
let allowedMs: number

beforeAll(async () => {
  service = startService({ dataDir, by: 'npm', env: onTerminal })
  url = await service.ready
  allowedMs = 20_000 * slowdown()
}, timeoutMs)
afterAll(cleanUp, timeoutMs)

test('npm start on an empty folder responds within 20 seconds without warnings', () => {
  expect(service.state.readyMs).toBeLessThan(allowedMs)
  expect(service.state.err).toBe('')
})

test('npm installs the Node that the service runs on', () => {
  expect(readlinkSync(`/proc/${servicePid(service)}/exe`)).toContain('/node_modules/node-')
})

test('the first lines name the address and the documentation, and both respond', async () => {
  const [, documentation = ''] = /Documentation +(\S+)/.exec(service.state.greeting) ?? []
  await vi.waitFor(async () => {
    expect((await fetch(`${url}/readyz`)).status).toBe(200)
    const page = await fetch(documentation)
    expect(page.status).toBe(200)
    expect(page.headers.get('content-type')).toContain('text/html')
  }, patient)
})

test('each printed curl line works as printed', { timeout: timeoutMs }, async () => {
  const printed = service.state.greeting.split('\n').map((line) => line.trim())
  const lines = printed.filter((line) => line.startsWith('curl '))
  await vi.waitFor(() => {
    const answers = lines.map(runInShell)
    expect(answers).toEqual([
      expect.objectContaining({ meta: { page: 1, per_page: 15 } }),
      expect.objectContaining({ meta: expect.objectContaining({ current_page: 1, per_page: 15 }) }),
      { status: 'ready', jobs: 'on', version: expect.any(String) },
      expect.objectContaining({ publications: expect.any(Number), users: expect.any(Number) }),
    ])
    expect(answers[0].data[0]).toMatchObject({ slug: 'chambery' })
  }, patient)
})

test('the printed link signs an administrator in, once', async () => {
  const [, token = ''] =
    /http:\/\/localhost:\d+\/backoffice\/sign-in#token=(\S+)/.exec(service.state.greeting) ?? []
  const headers = { 'x-app-source': 'backoffice', 'content-type': 'application/json' }
  const verify = () =>
    fetchServed(`${url}/api/v1/auth/email/verify`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ token }),
    })
  const signedIn = await verify()
  expect(await signedIn.json()).toEqual({ data: { status: 'signed_in' } })
  const cookie = signedIn.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ')
  const dashboard = await fetchServed(`${url}/api/v1/admin/dashboard`, { headers: { ...headers, cookie } })
  expect(dashboard.status).toBe(200)
  expect((await verify()).status).toBe(401)
})

test('the 34 969 communes, their aliases and the demo content are loaded', () => expectWhole(service))

test('a later start responds within 3 seconds and loads nothing again', {
  timeout: 2 * timeoutMs,
}, async () => {
  const before = await ask(enter(dataDir), fingerprint)
  // A busy machine gets three attempts, and its slowdown is measured.
  const starts: { readyMs: number | null; allowedMs: number }[] = []
  const isQuick = ({ readyMs, allowedMs }: (typeof starts)[number]) => readyMs !== null && readyMs < allowedMs
  while (starts.length < 3 && !starts.some(isQuick)) {
    expect(await stop(service)).toEqual(endedWell)
    service = startService({ dataDir, by: 'npm' })
    await service.ready
    starts.push({ readyMs: service.state.readyMs, allowedMs: 3_000 * slowdown() })
  }
  expect(starts.some(isQuick), JSON.stringify(starts)).toBe(true)
  expect(await ask(enter(dataDir), fingerprint)).toEqual(before)
})

// Under pressure the service says so, and the request is retried.
const patient = { timeout: 30_000, interval: 500 }

function runInShell(line: string) {
  const { status, stdout, stderr } = spawnSync('sh', ['-c', line], {
    encoding: 'utf8',
    env: { PATH: systemPath },
  })
  if (status !== 0) throw new Error(`${line} ended with ${status}: ${stderr}`)
  return JSON.parse(stdout)
}
