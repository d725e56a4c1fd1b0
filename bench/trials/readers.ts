import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { run } from '../connections.ts'
import { load } from '../load/load.ts'
import { type Bench, ms, skipped, verdictOf, whole } from '../measure.ts'
import { freePort } from '../process.ts'
import type { Row } from '../report.ts'
import { startService } from '../service.ts'
import { asAdmin } from './long-work.ts'

const readers = 100_000
const seconds = 60
const title = 'Coupure d’eau, rue du Puits'

/** Many read the page of one commune within a minute, in the middle of which an alerte appears: on the service, and behind Varnish. */
export async function readersOfAnAlerte(bench: Bench): Promise<Row[]> {
  const rows = [await readersThrough(bench, 'the service alone', bench.service.port)]
  const scenario = scenarioOf('Varnish')
  if (!isInstalled()) return [...rows, skipped(scenario, 'varnishd is not installed')]
  const port = await freePort()
  const service = await startService({
    name: 'behind-varnish',
    database: bench.database,
    env: {
      ...{ CDN: 'on', TRUST_PROXY: '127.0.0.1' },
      ...{ CDN_PURGE_URL: `http://127.0.0.1:${port}/`, CDN_PURGE_METHOD: 'PURGE' },
    },
  })
  const varnish = await startVarnish(port, service.port)
  rows.push(await readersThrough({ ...bench, service }, 'Varnish', port))
  await varnish.stop()
  await service.stop()
  return rows
}

const scenarioOf = (through: string) =>
  `${whole(readers)} readers of an alerte in a minute, through ${through}`

async function readersThrough(bench: Bench, through: string, port: number): Promise<Row> {
  const { communeSlug } = bench.world
  const [commune] = await run(bench.database.superuser, 'select id from communes where slug = $1', [
    communeSlug,
  ])
  const path = `/communes/${communeSlug}`
  const loading = load({
    port,
    requests: [{ method: 'GET', path, headers: {} }],
    connections: 256,
    seconds,
    rate: readers / seconds,
  })
  await sleep((seconds / 2) * 1_000)
  const alertes = `/mairie/communes/${commune.id}/alertes`
  const made = await asAdmin(bench, 'POST', alertes, {
    titre: title,
    message: 'De 8 h à midi.',
    niveau: 'urgence',
  })
  const shownMs = await untilShown(`http://127.0.0.1:${port}${path}`)
  const { perSecond, refused: notServed, p50Ms, p99Ms, answered } = await loading
  const unsent = answered.unsent ?? 0
  const refused = notServed - unsent
  const { data } = (await made.json()) as { data: { id: string } }
  await asAdmin(bench, 'DELETE', `${alertes}/${data.id}`)
  return {
    scenario: scenarioOf(through),
    measured: `${whole(perSecond)}/s, p50 ${ms(p50Ms)}, p99 ${ms(p99Ms)}; ${whole(refused)} refused; shown after ${ms(shownMs)}`,
    target: 'none refused, p99 ≤ 100 ms; shown within 5 s',
    verdict: verdictOf(refused === 0 && p99Ms <= 100 && shownMs <= 5_000),
    notes: [],
    figures: {
      per_second: perSecond,
      refused,
      p50_ms: p50Ms,
      p99_ms: p99Ms,
      shown_ms: shownMs,
      unsent,
    },
  }
}

/** Returns after how long the page shows the alerte. */
async function untilShown(url: string): Promise<number> {
  const startedAt = performance.now()
  for (; performance.now() - startedAt < 30_000; await sleep(10))
    if ((await (await fetch(url)).text()).includes(title)) break
  return performance.now() - startedAt
}

function isInstalled(): boolean {
  try {
    execFileSync('varnishd', ['-V'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** Starts Varnish with the documented configuration. */
async function startVarnish(port: number, upstream: number) {
  const folder = mkdtempSync(join(tmpdir(), 'parvis-varnish-'))
  const configured = join(folder, 'parvis.vcl')
  const documented = readFileSync(join(import.meta.dirname, '../../docs/proxies/varnish.vcl'), 'utf8')
  writeFileSync(configured, documented.replace('"3000"', `"${upstream}"`))
  // Only root has another user to switch to, who may not read the folder.
  const jail = process.getuid?.() === 0 ? ['-j', 'none'] : []
  const child = spawn(
    'varnishd',
    [
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
    ],
    { stdio: 'ignore' },
  )
  const isReady = () =>
    fetch(`http://127.0.0.1:${port}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )
  for (let tries = 0; !(await isReady()); await sleep(100))
    if (++tries > 300) throw new Error('Varnish does not answer')
  return {
    async stop() {
      child.kill('SIGTERM')
      await once(child, 'exit')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
