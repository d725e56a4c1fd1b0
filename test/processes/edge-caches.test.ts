// Not on another PostgreSQL, because other files run its statements too.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { insertPublication } from '../../src/modules/publications/publications.test-kit.ts'
import { edgeHeaders, edgeTag } from '../../src/platform/http/cache/edge.ts'
import { openWorld } from '../support/world.ts'
import { filledDataDir } from './filled.ts'
import { freePort } from './free-port.ts'
import { postgresPids } from './postgres.ts'
import { signal } from './processes.ts'
import { cleanUp, endedWell, startService, stop, timeoutMs } from './service.ts'

const generous = { timeout: 60_000, interval: 50 }
const vcl = readFileSync('docs/proxies/varnish.vcl', 'utf8')
const nginxConf = readFileSync('docs/proxies/nginx.conf', 'utf8')
const [, outside = '', inside = ''] = readFileSync('docs/proxies/nginx-cache.conf', 'utf8').split(
  /# --- .* ---\n/,
)

test('the configuration of Varnish understands the headers and every tag that Parvis sends', () => {
  const tags = [
    'publications',
    `publications:${crypto.randomUUID()}`,
    'publications*',
    'commune_infos',
    'parvis',
  ]
  const [, pattern = ''] = /Surrogate-Key !~ "(.+)"/.exec(vcl) ?? []
  expect(tags.map(edgeTag).join(' ')).toMatch(new RegExp(pattern))
  expect('publications.*').not.toMatch(new RegExp(pattern))
  const headers = edgeHeaders(tags)
  expect(headers.slice(0, 1).concat(headers.slice(2, 3), headers.slice(4, 5))).toEqual([
    'cdn-cache-control',
    'surrogate-key',
    'cache-tag',
  ])
  const seconds = [...vcl.matchAll(/regsub\(beresp\.http\.CDN-Cache-Control, "(.+?)", "(.+?)"\)/g)].map(
    ([, from = '', to = '']) => headers[1]?.replace(new RegExp(from), to.replace('\\1', '$1')),
  )
  expect(seconds).toEqual(['60s', '86400s'])
  for (const name of ['CDN-Cache-Control', 'Surrogate-Key', 'Cache-Tag']) {
    expect(vcl).toContain(`unset resp.http.${name};`)
    expect(inside).toContain(`proxy_hide_header ${name};`)
  }
})

const token = '0f1e2d3c4b5a69788796a5b4c3d2e1f0'

/** Other users may not read the folder of a test. */
const isRoot = process.getuid?.() === 0

type Cache = {
  command: string
  start(port: number, upstream: number, folder: string, ages?: boolean): string[]
}

const caches: Cache[] = [
  {
    command: 'varnishd',
    start(port, upstream, folder, ages) {
      const configured = join(folder, 'parvis.vcl')
      let site = replaced(vcl, /"3000"/g, `"${upstream}"`)
      writeFileSync(join(folder, 'token'), `${token}\n`)
      site = replaced(site, /\/etc\/varnish\/parvis-purge-token/g, join(folder, 'token'))
      // Everything is as old as after 90 s.
      if (ages)
        site = replaced(
          replaced(site, /(set beresp.ttl =) .*;/, '$1 0.01s;'),
          /(set req.grace =) .*;/,
          '$1 0s;',
        )
      writeFileSync(configured, site)
      const jail = isRoot ? ['-j', 'none'] : []
      return [
        ...jail,
        '-F',
        '-f',
        configured,
        '-a',
        `127.0.0.1:${port}`,
        '-n',
        join(folder, 'varnish'),
        '-s',
        'malloc,64m',
      ]
    },
  },
  {
    command: 'nginx',
    start(port, upstream, folder) {
      mkdirSync(join(folder, 'cache'))
      const configured = join(folder, 'nginx.conf')
      let site = replaced(nginxConf, /listen 443 ssl http2;/, `listen 127.0.0.1:${port};`)
      site = replaced(site, /ssl_certificate .*\n\s*ssl_certificate_key .*\n/, '\n')
      site = replaced(site, /127\.0\.0\.1:3000/, `127.0.0.1:${upstream}`)
      site = replaced(site, /# To cache public reads.*\n/, `${inside}\n`)
      const stored = replaced(outside, /\/var\/cache\/nginx\/parvis/, join(folder, 'cache'))
      writeFileSync(
        configured,
        `${isRoot ? 'user root;' : ''}pid nginx.pid;\nerror_log stderr;\nevents { worker_connections 1024; }\nhttp {\naccess_log off;\n${stored}${site}}\n`,
      )
      return ['-p', folder, '-c', configured, '-e', 'stderr', '-g', 'daemon off;']
    },
  },
]

function replaced(text: string, pattern: RegExp, by: string): string {
  expect(text).toMatch(pattern)
  return text.replace(pattern, by)
}

function isInstalled(command: string): boolean {
  try {
    execFileSync(command, [command === 'nginx' ? '-v' : '-V'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

const settings = { CDN: 'on', TRUST_PROXY: '127.0.0.1' }

/** Opens a service that purges the cache, which is started as documented in front of it. */
async function open(cache: Cache, ages = false) {
  const port = await freePort()
  const env = {
    ...settings,
    ...(cache.command === 'varnishd' && {
      ...{ CDN_PURGE_URL: `http://127.0.0.1:${port}/`, CDN_PURGE_METHOD: 'PURGE', CDN_PURGE_TOKEN: token },
    }),
  }
  const world = await openWorld({ keeps: true, env })
  return { world, ...(await startCache(cache, { port, upstream: world.url, ages })) }
}

async function startCache(
  { command, start }: Cache,
  { port, upstream, ages }: { port: number; upstream: string; ages: boolean },
) {
  const folder = mkdtempSync(join(tmpdir(), 'parvis-edge-'))
  const words = start(port, Number(new URL(upstream).port), folder, ages)
  const child = spawn(command, words, { stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (said += text))
  onTestFinished(async () => {
    child.kill('SIGTERM')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    rmSync(folder, { recursive: true, force: true })
  })
  const url = `http://127.0.0.1:${port}`
  const get = async (path: string, headers: Record<string, string> = { 'x-app-source': 'public' }) => {
    const response = await fetch(`${url}${path}`, { headers })
    const cache = response.headers.get('x-cache')?.toLowerCase() ?? null
    return { status: response.status, headers: response.headers, cache, text: await response.text() }
  }
  await vi.waitFor(async () => {
    expect([child.exitCode, said]).toEqual([null, expect.anything()])
    expect((await get('/readyz')).status).toBe(200)
  }, generous)
  return { url, get }
}

for (const cache of caches) {
  const { command } = cache
  const installed = isInstalled(command)
  if (!installed)
    process.stderr.write(`SKIPPED: ${command} is not installed; its documented cache is not tried.\n`)
  test.runIf(installed && process.env.PARVIS_TEST_LONG)(
    `${command}: serves a crowd from its cache, nothing private, and rejected content for at most 5 s`,
    async () => {
      const { world, get } = await open(cache)
      const { id: communeId } = await world.commune({ slug: 'nozeroy' })
      const { id } = await insertPublication(world, { commune_id: communeId, slug: 'bourse-aux-plantes' })
      await world.changes?.arrived()
      const page = '/publications/bourse-aux-plantes'
      const read = `/api/v1/publications/${id}`
      for (const path of [page, read]) {
        await vi.waitFor(async () => expect((await get(path)).cache).toBe('hit'), generous)
        const crowd = await Promise.all(Array.from({ length: 20 }, () => get(path)))
        expect(crowd.filter(({ cache }) => cache === 'hit').length).toBeGreaterThanOrEqual(19)
        const [{ headers }] = crowd as [Awaited<ReturnType<typeof get>>]
        expect(['cdn-cache-control', 'surrogate-key', 'cache-tag'].map((name) => headers.get(name))).toEqual([
          null,
          null,
          null,
        ])
      }
      const { token } = await world.user({ roles: ['admin'] })
      const signedIn = { authorization: `Bearer ${token}` }
      for (let time = 0; time < 3; time++) {
        const me = await get('/api/v1/me', { 'x-app-source': 'public', ...signedIn })
        expect([me.status, me.cache]).toEqual([200, expect.not.stringContaining('hit')])
        expect((await get('/api/v1/me')).status).toBe(401)
      }
      const admin = await world.as('admin')
      const decision = { moderation_status: 'rejected', reason: 'Hors sujet' }
      expect((await admin.patch(`/admin/publications/${id}/moderate`, decision)).status).toBe(200)
      for (const path of [page, read])
        await vi.waitFor(async () => expect((await get(path)).status).toBe(404), {
          timeout: 5_000,
          interval: 50,
        })
    },
    120_000,
  )

  test.runIf(installed && process.env.PARVIS_TEST_LONG)(
    `${command}: serves what it has stored while the service is down, even when it is old`,
    async () => {
      const { world, get } = await open(cache, true)
      const { id } = await world.commune()
      await world.changes?.arrived()
      const path = `/api/v1/communes/${id}`
      await vi.waitFor(() => expect(world.purges?.isDone ?? true).toBe(true), generous)
      // The first request reads the application sources, and is not stored.
      for (let time = 0; time < 2; time++) expect((await get(path)).status).toBe(200)
      await world.app.server.close()
      await vi.waitFor(
        async () => expect((await get('/api/v1/communes')).status).toBeGreaterThan(500),
        generous,
      )
      // nginx says when it is old; in Varnish all of it is.
      if (command === 'nginx')
        await vi.waitFor(async () => expect((await get(path)).cache).toBe('stale'), generous)
      for (let time = 0; time < 3; time++)
        expect(await get(path)).toMatchObject({ status: 200, text: expect.stringContaining(id) })
    },
    120_000,
  )

  test.runIf(installed && process.env.PARVIS_TEST_LONG)(
    `${command}: serves what it has stored while the service is up and its database is frozen`,
    async () => {
      const dataDir = await filledDataDir()
      // Without purges, such as those of what the start itself changes.
      const service = startService({ dataDir, env: { SEED: 'none', ...settings } })
      onTestFinished(cleanUp, timeoutMs)
      const { get } = await startCache(cache, {
        port: await freePort(),
        upstream: await service.ready,
        ages: true,
      })
      const path = '/communes/lons-le-saunier'
      const other = '/communes/dole'
      for (let time = 0; time < 3; time++) expect((await get(path)).status).toBe(200)
      const pids = postgresPids(dataDir)
      const sendAll = (name: NodeJS.Signals) => {
        for (const pid of pids) signal(pid, name)
      }
      onTestFinished(() => sendAll('SIGCONT'))
      sendAll('SIGSTOP')
      await vi.waitFor(async () => expect((await get(other)).status).toBe(503), generous)
      for (let time = 0; time < 3; time++) {
        expect(await get(path)).toMatchObject({
          status: 200,
          text: expect.stringContaining('Lons-le-Saunier'),
        })
        expect((await get(other)).status).toBe(503)
      }
      sendAll('SIGCONT')
      await vi.waitFor(async () => expect((await get(other)).status).toBe(200), generous)
      expect(await stop(service)).toEqual(endedWell)
    },
    timeoutMs,
  )
}

test.runIf(isInstalled('varnishd'))(
  'varnishd: takes purges with the token only, and none that came through a proxy',
  async () => {
    const [varnish] = caches as [Cache]
    const { url } = await open(varnish)
    const purge = async (headers: Record<string, string>) => {
      const response = await fetch(url, {
        method: 'PURGE',
        headers: { 'surrogate-key': 'communes', ...headers },
      })
      return response.status
    }
    expect(await purge({ 'fastly-key': token })).toBe(200)
    expect(await purge({})).toBe(403)
    expect(await purge({ 'fastly-key': '' })).toBe(403)
    expect(await purge({ 'fastly-key': `${token}s` })).toBe(403)
    for (const address of ['198.51.100.7', '127.0.0.1'])
      expect(await purge({ 'fastly-key': token, 'x-forwarded-for': address })).toBe(403)
  },
  120_000,
)
