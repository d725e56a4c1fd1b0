import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { type Bench, median, verdictOf, whole } from '../measure.ts'
import { folder, type Process, startProcess } from '../process.ts'
import type { Row } from '../report.ts'
import { startService } from '../service.ts'

const listeners = 200
const changesPerSecond = 50
const maxBehindMs = 2_000
const maxGrowthMb = 50
/** Other load on the machine changes a median by this much. */
const maxTimesSlower = 1.25

/**
 * Measures the events of the back-office: 200 listeners on two instances, behind nginx where it is installed,
 * while 50 records change per second.
 */
export async function events(bench: Bench): Promise<Row[]> {
  const second = await startService({ name: 'second', database: bench.database })
  const proxy = await startNginx([bench.service, second])
  const notes = proxy === null ? ['nginx is not installed: clients connect to the instances'] : []
  const ports = proxy === null ? [bench.service.port, second.port] : [proxy.port]
  const seconds = 3 * bench.pace.turns * bench.pace.seconds
  await change(bench, 2)
  const quiet = await change(bench, seconds)
  const clients: Awaited<ReturnType<typeof listen>>[] = []
  // One after the other: what is measured is listening, not a rush of connections.
  while (clients.length < listeners)
    clients.push(await listen(bench, ports[clients.length % ports.length] ?? 0))
  await sleep(2_000)
  const instances = [bench.service, second]
  const before = instances.map((each) => each.memoryMb() ?? 0)
  const [notified, samples] = await Promise.all([change(bench, seconds), sampleNumbers(bench, seconds)])
  await sleep(maxBehindMs)
  const grown = Math.max(...instances.map((each, at) => (each.memoryMb() ?? 0) - (before[at] ?? 0)))
  const behindMs = Math.max(...clients.map((client) => client.behindMs(samples)))
  const lost = clients.filter((client) => client.isOver()).length
  for (const client of clients) client.leave()
  await proxy?.stop()
  await second.stop()
  const [was, is] = [median(quiet), median(notified)]
  const scenario = `events, ${listeners} listeners and ${changesPerSecond} changes a second`
  const row = {
    notes,
    figures: {
      behind_ms: behindMs,
      lost,
      grown_mb: grown,
      quiet_ms: was,
      notified_ms: is,
      changes: notified.length,
    },
  }
  return [
    {
      ...row,
      scenario: `${scenario}: the one furthest behind`,
      measured: `${whole(behindMs)} ms${lost > 0 ? `; ${lost} were disconnected` : ''}`,
      target: `≤ ${maxBehindMs} ms`,
      verdict: verdictOf(behindMs <= maxBehindMs && lost === 0),
    },
    {
      ...row,
      scenario: `${scenario}: growth of memory`,
      measured: `${whole(grown)} MB`,
      target: `≤ ${maxGrowthMb} MB`,
      verdict: verdictOf(grown <= maxGrowthMb),
    },
    {
      ...row,
      scenario: `${scenario}: a change`,
      measured: `${whole(is)} ms, without listeners ${whole(was)} ms`,
      target: `≤ ${maxTimesSlower} × without`,
      verdict: verdictOf(is <= maxTimesSlower * was),
    },
  ]
}

/** Changes records at a fixed rate, however long one takes, and returns the time of each change. */
async function change({ service, world }: Bench, seconds: number): Promise<number[]> {
  const times: number[] = []
  const running: Promise<void>[] = []
  const startedAt = performance.now()
  for (let n = 0; n < seconds * changesPerSecond; n++) {
    await sleep(Math.max(0, startedAt + (n * 1_000) / changesPerSecond - performance.now()))
    const id = world.moderated[world.next() % world.moderated.length]
    const sentAt = performance.now()
    running.push(
      fetch(`http://127.0.0.1:${service.port}/api/v1/admin/publications/${id}/feature`, {
        method: 'PATCH',
        headers: { ...headersOf(world.token), 'content-type': 'application/json' },
        body: JSON.stringify({ en_avant: n % 2 === 0 }),
      }).then(async (answer) => {
        await answer.text()
        times.push(performance.now() - sentAt)
      }),
    )
  }
  await Promise.all(running)
  return times
}

type Sample = { at: number; number: number }

/** Reads the number of the newest audit entry several times a second. */
async function sampleNumbers({ database }: Bench, seconds: number): Promise<Sample[]> {
  const client = new pg.Client(database.superuser)
  await client.connect()
  const samples: Sample[] = []
  for (const end = performance.now() + seconds * 1_000; performance.now() < end; await sleep(200)) {
    const { rows } = await client.query('select max(seq)::int as number from audit_log')
    samples.push({ at: performance.now(), number: rows[0]?.number ?? 0 })
  }
  await client.end()
  return samples
}

/** Listens as a colleague's browser does, and notes when which number arrived. */
async function listen({ world }: Bench, port: number) {
  const leaving = new AbortController()
  const answer = await fetch(`http://127.0.0.1:${port}/api/v1/admin/events`, {
    headers: headersOf(world.token),
    signal: leaving.signal,
  })
  if (answer.status !== 200) throw new Error(`GET /admin/events answered ${answer.status}`)
  const arrived: Sample[] = []
  let isOver = false
  void (async () => {
    const decoder = new TextDecoder()
    for await (const part of answer.body ?? [])
      for (const [, id] of decoder.decode(part).matchAll(/^id: (\d+)$/gm))
        arrived.push({ at: performance.now(), number: Number(id) })
  })()
    .catch(() => {})
    .finally(() => {
      isOver = true
    })
  return {
    isOver: () => isOver,
    leave: () => leaving.abort(),
    /** The longest time from a change until this client knew of it; infinite if it never did. */
    behindMs: (samples: readonly Sample[]) =>
      Math.max(
        ...samples.map(({ at, number }) => {
          const known = arrived.find((each) => each.number >= number)
          return known === undefined ? Number.POSITIVE_INFINITY : Math.max(0, known.at - at)
        }),
      ),
  }
}

const headersOf = (token: string) => ({ 'x-app-source': 'backoffice', authorization: `Bearer ${token}` })

/** Starts nginx with the documented configuration, without TLS; null if it is not installed. */
async function startNginx(instances: readonly Process[]): Promise<Process | null> {
  if (spawnSync('nginx', ['-v']).error !== undefined) return null
  const documented = readFileSync(join(import.meta.dirname, '../../docs/proxies/nginx.conf'), 'utf8')
  const [one, two] = instances.map(({ port }) => port)
  const site = documented
    .replace(/listen 443 ssl http2;/, 'listen 127.0.0.1:PORT;')
    .replaceAll(/ssl_certificate(_key)? .*\n/g, '\n')
    .replace(/127\.0\.0\.1:3000/, `127.0.0.1:${one}`)
    .replace(/# server 127\.0\.0\.1:3001/, `server 127.0.0.1:${two}`)
  const file = join(folder, 'nginx.conf')
  writeFileSync(
    file,
    `pid nginx.pid;\nerror_log stderr;\nevents { worker_connections 4096; }\nhttp {\naccess_log off;\n${site}}\n`,
  )
  return startProcess({
    name: 'nginx',
    node: '/bin/sh',
    // Its port is known when it starts.
    arguments: [
      '-c',
      `sed -i "s/127.0.0.1:PORT/127.0.0.1:$PORT/" ${file} && exec nginx -p ${folder} -c ${file} -e stderr -g 'daemon off;'`,
    ],
    env: {},
    readyPath: '/readyz',
  })
}
