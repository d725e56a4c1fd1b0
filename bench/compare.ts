import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { Pool } from 'undici'
import { openCluster, removeCluster } from '../src/embedded-postgres/cluster/cluster.ts'
import { signToken } from '../src/platform/access/tokens.ts'
import { clusterNames } from '../src/platform/database/cluster-names.ts'
import type { Connection } from '../src/platform/database/connection.ts'
import { insertManyPublications, type Many } from '../test/support/many-publications.ts'

/**
 * Two checkouts of the service against each other, on the same data and the same PostgreSQL, turn about, so that what else
 * the machine does meanwhile meets both: `node bench/compare.ts --before ../parvis-before --after .`
 */
const { values: options } = parseArgs({
  options: {
    before: { type: 'string' },
    after: { type: 'string', default: '.' },
    publications: { type: 'string', default: '100000' },
    seconds: { type: 'string', default: '3' },
    turns: { type: 'string', default: '5' },
  },
})
if (options.before === undefined)
  throw new Error('Say what to compare with: --before <folder of a checkout>.')

const secret = 'a secret for measuring, long enough to be one'
const admin = 'admin@example.org'
const connections = 4

type Request = { method: 'GET' | 'PATCH'; path: string; body?: string }
type Side = { name: string; process: ChildProcess; pool: Pool; requests: Record<string, () => Request> }

const dataDir = mkdtempSync(join(tmpdir(), 'parvis-bench-'))
const cluster = await openCluster({ dataDir, names: clusterNames, log: () => {} })
const sides: Side[] = []
try {
  const token = await signToken(secret, admin, admin, 86_400, new Date())
  for (const [name, folder] of [
    ['before', options.before],
    ['after', options.after],
  ] as const)
    sides.push(await openSide(name, folder))
  const [before, after] = sides
  if (before === undefined || after === undefined) throw new Error('both are open')
  console.log(`${options.publications} publications, ${connections} connections, PostgreSQL 18, requests/s:`)
  console.log(`${'scenario'.padEnd(34)}${'before'.padStart(9)}${'after'.padStart(9)}${'ratio'.padStart(8)}`)
  for (const scenario of Object.keys(before.requests)) {
    const rates = { before: [] as number[], after: [] as number[] }
    for (let turn = 0; turn < Number(options.turns); turn++) {
      rates.before.push(await measure(before, scenario, token))
      rates.after.push(await measure(after, scenario, token))
    }
    const [one, other] = [median(rates.before), median(rates.after)]
    const figures = [
      one.toFixed(0).padStart(9),
      other.toFixed(0).padStart(9),
      (other / one).toFixed(2).padStart(8),
    ]
    console.log(scenario.padEnd(34) + figures.join(''))
  }
} finally {
  for (const { process, pool } of sides) {
    await pool.destroy()
    process.kill('SIGTERM')
    await once(process, 'exit')
  }
  await cluster.stop()
  await removeCluster(dataDir, clusterNames)
}

async function openSide(name: string, folder: string): Promise<Side> {
  const database = `bench_${name}`
  await run(cluster.superuser, `create database ${database} owner ${cluster.owner.user}`)
  const within = <C extends Connection>(connection: C) => ({ ...connection, database })
  const port = await freePort()
  // Without npm between, which forwards no signal; each with the Node that it brings.
  const node = join(folder, 'node_modules/.bin/node')
  const service = spawn(resolve(node), ['bin/parvis.js'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...process.env,
      DATABASE_URL: urlOf(within(cluster.service)),
      MIGRATE_DATABASE_URL: urlOf(within(cluster.owner)),
      AUTH_JWT_SECRET: secret,
      PORT: String(port),
      RATE_LIMIT_MODERATE: 'off',
      LOG_LEVEL: 'error',
    },
  })
  await untilReady(`http://127.0.0.1:${port}/readyz`, service)
  const superuser = within(cluster.superuser)
  // Their codes are given to the communes that the publications hang on.
  await run(superuser, "delete from communes where departement = '95'")
  const many = await insertManyPublications(
    {
      database: {
        name: database,
        superuser,
        owner: within(cluster.owner),
        service: within(cluster.service),
        drop: async () => {},
      },
    } as never,
    Number(options.publications),
  )
  const rows = await run(
    superuser,
    `insert into users (id, issuer, subject, email) values (gen_random_uuid(), 'parvis', '${admin}', '${admin}');
     insert into user_roles (user_id, role) select id, 'admin' from users where subject = '${admin}';
     select id from publications p where valide and deleted_at is null and publie_le < now()
       and exists (select from acteurs a where a.id = p.acteur_id and a.active) order by id limit 500`,
  )
  const ids = (rows as unknown as pg.QueryResult<{ id: string }>[])[2]?.rows.map(({ id }) => id) ?? []
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections, pipelining: 1 })
  return { name, process: service, pool, requests: requestsOf(many, ids) }
}

function requestsOf(many: Many, ids: string[]): Record<string, () => Request> {
  const get = (path: string) => () => ({ method: 'GET', path }) as const
  let count = 0
  const next = () => ids[count++ % ids.length] ?? ''
  return {
    'communes page': get('/communes'),
    'commune by slug': get('/communes/many-250'),
    "a small commune's publications": get(`/communes/${many.smallCommune}/publications`),
    'one publication': () => ({ method: 'GET', path: `/publications/${next()}` }),
    'search, few matches': get('/publications?q=chataignes'),
    'back-office, pending': get('/admin/publications?moderation_status=pending&per_page=10'),
    'moderate one': () => {
      const moderation_status = Math.floor(count / ids.length) % 2 === 0 ? 'rejected' : 'published'
      return {
        method: 'PATCH',
        path: `/admin/publications/${next()}/moderate`,
        body: JSON.stringify({ moderation_status }),
      }
    },
  }
}

/** Requests answered in a second, after a short run that does not count. */
async function measure({ pool, requests }: Side, scenario: string, token: string): Promise<number> {
  const request = requests[scenario]
  if (request === undefined) throw new Error(`no scenario ${scenario}`)
  await load(300)
  const ms = Number(options.seconds) * 1_000
  return ((await load(ms)) / ms) * 1_000

  async function load(ms: number): Promise<number> {
    const end = performance.now() + ms
    let answered = 0
    const one = async () => {
      while (performance.now() < end) {
        const { method, path, body } = (request as () => Request)()
        const isAdmin = path.startsWith('/admin')
        const answer = await pool.request({
          method,
          path: `/api/v1${path}`,
          headers: {
            'x-app-source': isAdmin ? 'backoffice' : 'public',
            ...(isAdmin && { authorization: `Bearer ${token}` }),
            ...(body && { 'content-type': 'application/json' }),
          },
          ...(body && { body }),
        })
        const text = await answer.body.text()
        if (answer.statusCode !== 200) throw new Error(`${path} answered ${answer.statusCode}: ${text}`)
        answered++
      }
    }
    await Promise.all(Array.from({ length: connections }, one))
    return answered
  }
}

async function untilReady(url: string, service: ChildProcess): Promise<void> {
  for (let looks = 0; looks < 600 && service.exitCode === null; looks++) {
    const isReady = await fetch(url).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isReady) return
    await sleep(100)
  }
  throw new Error(`${url} does not answer`)
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  await once(server.close(), 'close')
  return port
}

function urlOf({ host, port, user, password, database }: typeof cluster.owner): string {
  return `postgres://${user}:${password}@localhost/${database}?host=${encodeURIComponent(host)}&port=${port}`
}

async function run(connection: Connection, statement: string): Promise<pg.QueryResult> {
  const client = new pg.Client(connection)
  await client.connect()
  return client.query(statement).finally(() => client.end())
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}
