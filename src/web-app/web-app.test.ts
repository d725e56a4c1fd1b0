// Round: rest, because it builds the browser application.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { createWebApp } from './web-app.ts'

// A checkout with a small application: its build takes half a second.
const root = await mkdtemp(join(tmpdir(), 'parvis-web-app-'))
afterAll(() => rm(root, { recursive: true }))
for (const folder of ['src/web-app', 'src/platform'])
  await cp(folder, join(root, folder), { recursive: true })
await symlink(resolve('node_modules'), join(root, 'node_modules'))
await writeFile(join(root, 'package.json'), '{"type":"module"}')
await writeFile(join(root, 'package-lock.json'), '{}')
await mkdir(join(root, 'web'))
await writeFile(join(root, 'web/vite.config.ts'), "export default { base: '/backoffice/' }\n")
await writeFile(join(root, 'web/main.ts'), "document.body.append('made')\n")
await writeFile(
  join(root, 'web/index.html'),
  '<!doctype html><html><body><script type="module" src="/main.ts"></script></body></html>',
)

type Line = { fields: object; message: string }

async function open({ dataDir, retryMs = 60_000 }: { dataDir?: string; retryMs?: number } = {}) {
  const folder = dataDir ?? (await mkdtemp(join(root, 'data-')))
  const warned: Line[] = []
  const log = { info: () => {}, warn: (fields: object, message: string) => warned.push({ fields, message }) }
  const webApp = createWebApp({ dataDir: folder, root, retryMs, log: log as never })
  onTestFinished(() => webApp.close())
  return { webApp, dataDir: folder, warned }
}

const buildsIn = (dataDir: string) => readdir(join(dataDir, 'web')).catch((): string[] => [])

async function until(holds: () => boolean | Promise<boolean>) {
  while (!(await holds())) await sleep(5)
}

test('builds once, and serves the same build after a restart', async () => {
  const first = await open()
  expect(first.webApp.state).toBe('waiting')
  await first.webApp.prepare()
  expect(first.webApp.state).toBe('ready')
  const [script = ''] = [...(first.webApp.site?.assets.keys() ?? [])]
  expect(script).toMatch(/^assets\/index-.+\.js$/)
  expect(first.webApp.site?.assets.get(script)?.compressed).toEqual({
    br: expect.any(Buffer),
    gzip: expect.any(Buffer),
  })
  const builds = await buildsIn(first.dataDir)
  expect(builds).toEqual([expect.stringMatching(/^[\da-f]{20}$/)])
  const second = await open(first)
  await second.webApp.find()
  expect(second.webApp.state).toBe('ready')
  await second.webApp.prepare()
  expect(second.webApp.site).toEqual(first.webApp.site)
  expect(await buildsIn(first.dataDir)).toEqual(builds)
})

test('two instances that start at the same time on one folder are both ready, with one build', async () => {
  const one = await open()
  const other = await open(one)
  await Promise.all([one.webApp.prepare(), other.webApp.prepare()])
  expect([one.webApp.state, other.webApp.state]).toEqual(['ready', 'ready'])
  expect(await buildsIn(one.dataDir)).toHaveLength(1)
})

test('a killed build leaves nothing that is served, and the next start builds again', async () => {
  const { dataDir } = await open()
  const folder = join(dataDir, 'web/half')
  await mkdir(join(dataDir, 'web'))
  const child = spawn(process.execPath, [join(root, 'src/web-app/build.ts'), folder])
  await until(async () => (await buildsIn(dataDir)).length > 0)
  child.kill('SIGKILL')
  await once(child, 'close')
  expect(await buildsIn(dataDir)).toEqual([expect.stringMatching(/^\.building-/)])
  const next = await open({ dataDir })
  await next.webApp.prepare()
  expect(next.webApp.state).toBe('ready')
})

test('closing during a build ends it and removes its partial files', async () => {
  const { webApp, dataDir, warned } = await open()
  const preparing = webApp.prepare()
  await until(async () => (await buildsIn(dataDir)).length > 0)
  await webApp.close()
  await preparing
  expect(webApp.state).toBe('building')
  expect(await buildsIn(dataDir)).toEqual([])
  expect(warned).toEqual([])
})

test('a damaged build is built again', async () => {
  const first = await open()
  await first.webApp.prepare()
  const [stamp = ''] = await buildsIn(first.dataDir)
  const [script = ''] = [...(first.webApp.site?.assets.keys() ?? [])]
  await writeFile(join(first.dataDir, 'web', stamp, script), 'cut')
  const second = await open(first)
  await second.webApp.prepare()
  expect(second.webApp.site).toEqual(first.webApp.site)
})

test('a failed build is reported and retried', async () => {
  const { webApp, dataDir, warned } = await open({ retryMs: 50 })
  await writeFile(join(dataDir, 'web'), 'a file where the folder should be')
  const preparing = webApp.prepare()
  await until(() => warned.length > 0)
  expect(webApp.state).toBe('failed')
  expect(warned[0]?.message).toContain('could not be built')
  await rm(join(dataDir, 'web'))
  await preparing
  expect(webApp.state).toBe('ready')
})

test('waits for what another instance builds, and builds nothing itself', async () => {
  const builder = await open()
  const webApp = createWebApp({ dataDir: builder.dataDir, root, builds: false, log: {} as never })
  onTestFinished(webApp.close)
  const waiting = webApp.prepare()
  await builder.webApp.prepare()
  await waiting
  expect([webApp.state, webApp.site]).toEqual(['ready', builder.webApp.site])
  expect(await buildsIn(builder.dataDir)).toHaveLength(1)
})

const isRoot = process.getuid?.() === 0

test.skipIf(!isRoot)('a full disk leaves no part of a build, and the next attempt succeeds', async () => {
  const disk = await mkdtemp(join(root, 'disk-'))
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64k,mode=0755', 'tmpfs', disk]).status === 0
  if (!mounted) return
  onTestFinished(() => void spawnSync('umount', ['-l', disk]))
  const filler = join(disk, 'filler')
  expect(spawnSync('fallocate', ['-l', '60000', filler]).status).toBe(0)
  const { webApp, warned } = await open({ dataDir: disk, retryMs: 50 })
  const preparing = webApp.prepare()
  await until(() => warned.length > 0)
  expect(await buildsIn(disk)).toEqual([])
  await rm(filler)
  await preparing
  expect(webApp.state).toBe('ready')
})

test("serves a release's web/dist as it is, and builds nothing", async () => {
  const dist = join(root, 'web/dist')
  onTestFinished(() => rm(dist, { recursive: true }))
  const child = spawn(process.execPath, [join(root, 'src/web-app/build.ts'), dist])
  await once(child, 'close')
  const { webApp, dataDir } = await open()
  await webApp.prepare()
  expect(webApp.site?.assets.size).toBe(1)
  expect(await buildsIn(dataDir)).toEqual([])
})
