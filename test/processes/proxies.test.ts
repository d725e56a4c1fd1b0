// Not on another PostgreSQL, because other files run its statements too.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type ClientRequest, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import Type from 'typebox'
import { expect, onTestFinished, test, vi } from 'vitest'
import { listen } from '../../src/modules/events/events.test-kit.ts'
import { insertPublication } from '../../src/modules/publications/publications.test-kit.ts'
import * as audiences from '../../src/platform/http/audiences.ts'
import { cloneDatabase, openWorld } from '../support/world.ts'
import { freePort } from './free-port.ts'
import { slowdown } from './service.ts'

const generous = { timeout: 60_000 }

type Proxy = {
  file: string
  command: string
  /** The documented file with these ports, and without TLS. */
  configure(text: string, ports: Ports): string
  arguments(file: string, folder: string): string[]
}
type Ports = { own: number; one: number; two: number }

const replaced = (text: string, pairs: [RegExp, string][]) =>
  pairs.reduce((changed, [pattern, by]) => {
    expect(changed).toMatch(pattern)
    return changed.replace(pattern, by)
  }, text)

const proxies: Proxy[] = [
  {
    file: 'nginx.conf',
    command: 'nginx',
    configure(text, { own, one, two }) {
      const site = replaced(text, [
        [/listen 443 ssl http2;/, `listen 127.0.0.1:${own};`],
        [/ssl_certificate .*\n/, '\n'],
        [/ssl_certificate_key .*\n/, '\n'],
        [/127\.0\.0\.1:3000/, `127.0.0.1:${one}`],
        [/# server 127\.0\.0\.1:3001/, `server 127.0.0.1:${two}`],
      ])
      return `pid nginx.pid;\nerror_log stderr;\nevents { worker_connections 4096; }\nhttp {\naccess_log off;\n${site}}\n`
    },
    arguments: (file, folder) => ['-p', folder, '-c', file, '-e', 'stderr', '-g', 'daemon off;'],
  },
  {
    file: 'Caddyfile',
    command: 'caddy',
    configure: (text, { own, one, two }) =>
      replaced(text, [
        [/\n\{\n/, '\n{\n\tadmin off\n'],
        [/\nparvis\.example\.org/, `\nhttp://127.0.0.1:${own}`],
        [/reverse_proxy 127\.0\.0\.1:3000/, `reverse_proxy 127.0.0.1:${one} 127.0.0.1:${two}`],
        // Certificates come from outside.
        [/\nhttps:\/\/ \{[\s\S]*/, '\n'],
      ]),
    arguments: (file) => ['run', '--config', file, '--adapter', 'caddyfile'],
  },
  {
    file: 'haproxy.cfg',
    command: 'haproxy',
    configure: (text, { own, one, two }) =>
      replaced(text, [
        [/bind :443 ssl .*/, `bind 127.0.0.1:${own}`],
        [/127\.0\.0\.1:3000/, `127.0.0.1:${one}`],
        [/# server two 127\.0\.0\.1:3001/, `server two 127.0.0.1:${two}`],
      ]),
    arguments: (file) => ['-db', '-f', file],
  },
]

function isInstalled(command: string): boolean {
  try {
    execFileSync(command, ['-v'], { stdio: 'ignore' })
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ENOENT'
  }
}

/** Two instances on one database, each with one slot for anonymous clients and one for signed-in ones. */
async function openInstances() {
  const lane = { reserved: { signedIn: 1, anonymous: 1 }, anonymousWhileSignedIn: 1 }
  const limit = { slots: 2, ...lane, targetMs: 500, maxWaitMs: 60_000, capacity: 8 }
  const schema = (operationId: string) => ({
    ...{ operationId, summary: operationId, tags: ['communes'] },
    response: { 200: Type.Unknown() },
  })
  const slowly = async () => {
    await sleep(10)
    return {}
  }
  const options = {
    database: await cloneDatabase(),
    env: { TRUST_PROXY: '127.0.0.1' },
    admissionLimits: { reads: limit, lists: limit, writes: limit },
    extraRoutes: ((api, deps) => {
      audiences.publicReads(api, deps, (scope) =>
        scope.get('/test/all', { config: { caching: { never: 'test' } }, schema: schema('all') }, slowly),
      )
      audiences.bearer(api, deps, (scope) => scope.get('/test/own', { schema: schema('own') }, slowly))
    }) satisfies NonNullable<Parameters<typeof openWorld>[0]>['extraRoutes'],
  }
  return [await openWorld(options), await openWorld(options)] as const
}

const portOf = ({ url }: { url: string }) => Number(new URL(url).port)

async function startProxy({ file, command, configure, arguments: words }: Proxy, ports: Ports) {
  const folder = mkdtempSync(join(tmpdir(), 'parvis-proxy-'))
  const configured = join(folder, file)
  writeFileSync(configured, configure(readFileSync(`docs/proxies/${file}`, 'utf8'), ports))
  const child: ChildProcess = spawn(command, words(configured, folder), { stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (text) => (said += text))
  onTestFinished(async () => {
    child.kill('SIGTERM')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    rmSync(folder, { recursive: true, force: true })
  })
  await vi.waitFor(async () => {
    expect([child.exitCode, said]).toEqual([null, expect.anything()])
    expect(await statusOf(ports.own, '/readyz')).toBe(200)
  }, generous)
}

/** From an address of this machine, on a connection of its own: the status, or 0 where none came. */
async function statusOf(port: number, path: string, { localAddress = '127.0.0.1', token = '' } = {}) {
  const sent: ClientRequest = request({
    ...{ host: '127.0.0.1', port, path, localAddress, agent: false },
    headers: { 'x-app-source': 'public', ...(token && { authorization: `Bearer ${token}` }) },
  })
  sent.end()
  const { promise, resolve } = Promise.withResolvers<number>()
  sent.once('response', (response) => {
    response.resume().once('close', () => resolve(response.statusCode ?? 0))
  })
  sent.once('error', () => resolve(0))
  return promise
}

for (const proxy of proxies) {
  const { command } = proxy
  const installed = isInstalled(command)
  if (!installed)
    process.stderr.write(`SKIPPED: ${command} is not installed; docs/proxies/${proxy.file} is not tried.\n`)
  test.runIf(installed)(
    `${command}: an anonymous flood of one address affects no others, and stopping an instance fails no request`,
    async () => {
      const [one, two] = await openInstances()
      const ports = { own: await freePort(), one: portOf(one), two: portOf(two) }
      const { token } = await one.user()
      await startProxy(proxy, ports)
      const own = () => statusOf(ports.own, '/api/v1/test/own', { localAddress: '127.0.0.3', token })
      const other = () => statusOf(ports.own, '/api/v1/test/all', { localAddress: '127.0.0.4' })
      const flood = Promise.all(
        Array.from({ length: 250 }, () =>
          statusOf(ports.own, '/api/v1/test/all', { localAddress: '127.0.0.2' }),
        ),
      )
      const during = []
      for (let round = 0; round < 20; round++) during.push(await own(), await other())
      expect(new Set(during)).toEqual(new Set([200]))
      const statuses = new Set(await flood)
      expect(statuses).toContain(503)
      expect(statuses.difference(new Set([200, 503]))).toEqual(new Set())
      await one.app.server.close()
      for (let round = 0; round < 10; round++) expect(await own()).toBe(200)
    },
  )

  test.runIf(installed)(
    `${command}: live events arrive at once, those of the other instance too`,
    async () => {
      const database = await cloneDatabase()
      const env = { TRUST_PROXY: '127.0.0.1' }
      const [one, two] = [await openWorld({ database, env }), await openWorld({ database, env })]
      const ports = { own: await freePort(), one: portOf(one), two: portOf(two) }
      await startProxy(proxy, ports)
      const { token } = await one.user({ roles: ['moderator'] })
      const stream = await listen(
        { url: `http://127.0.0.1:${ports.own}` },
        { authorization: `Bearer ${token}` },
      )
      onTestFinished(stream.leave)
      await stream.until('it is open', () => stream.lastId() !== '')
      for (const [count, world] of [one, two].entries()) {
        const { id } = await insertPublication(world)
        const began = performance.now()
        expect((await world.post(`/publications/${id}/report`, {})).status).toBe(201)
        await stream.until('it is notified', () => stream.topics().length > count)
        expect(performance.now() - began).toBeLessThan(5_000 * slowdown())
      }
    },
  )
}
