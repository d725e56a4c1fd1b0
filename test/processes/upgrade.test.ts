import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { jwtSecret, sessionKey } from '../support/factories.ts'
import { cloneDatabase, run } from '../support/world.ts'
import { openBalancer } from './balancer.ts'
import { migrationsFolder } from './code-before.ts'
import { urlOf } from './postgres.ts'
import {
  cleanUp,
  endedWell,
  makeFolder,
  newDataDir,
  ownCheckout,
  startService,
  stop,
  systemPath,
  timeoutMs,
} from './service.ts'

afterAll(cleanUp, timeoutMs)

const { owner, service } = await cloneDatabase()
// These tests need no communes.
await run(owner, "insert into first_loads (name) values ('communes'), ('former-names'), ('groups')")
const query = async (statement: string) => (await run(owner, statement)).rows
const database = `${service.database}`
/** The next version: this one with further migrations, on tables that are read and written meanwhile. */
const next = makeVersion('9.0.0', {
  '9001-motto': `alter table communes add column motto text not null default '';
    alter table support_threads add column motto text;`,
  '9002-motto-index': `-- outside a transaction
drop index concurrently if exists support_threads_by_motto;

create index concurrently support_threads_by_motto on support_threads (motto);`,
})

const startVersion = (checkout: string) =>
  startService({
    checkout,
    dataDir: newDataDir(),
    env: {
      AUTH_JWT_SECRET: jwtSecret,
      SESSION_KEY: sessionKey,
      DATABASE_URL: urlOf(service, database),
      RATE_LIMIT_SUPPORT: 'off',
    },
  })

test('while the next version migrates and starts, the former one serves, restarts and loses no request', {
  timeout: 2 * timeoutMs,
}, async () => {
  const instances = [startVersion(ownCheckout), startVersion(ownCheckout)]
  const up: (string | null)[] = await Promise.all(instances.map(({ ready }) => ready))
  const failed: object[] = []
  const keys: string[] = []
  let isOver = false
  const send = openBalancer(() => up)
  const headers = { 'x-app-source': 'public', 'content-type': 'application/json' }
  const reading = async () => {
    for (let count = 0; !isOver; count++) {
      // A word that nobody has searched before is not in the cache.
      const { status } = await send(`/api/v1/communes?q=saint-${count}`, { headers })
      if (status !== 200) failed.push({ status })
      await sleep(20)
    }
  }
  const writing = async () => {
    while (!isOver) {
      const key = `message-${keys.length}`
      keys.push(key)
      const body = JSON.stringify({ email: 'odile@example.org', subject: key, body: 'Le bac déborde.' })
      const { status, text: said } = await send('/api/v1/support/messages', {
        method: 'POST',
        headers: { ...headers, 'idempotency-key': key },
        body,
      })
      if (status !== 201) failed.push({ status, said })
      await sleep(20)
    }
  }
  const working = [reading(), writing(), writing()]
  const replace = async (place: number, checkout: string) => {
    const [former] = instances.splice(place, 1)
    up[place] = null
    if (former) expect(await stop(former)).toEqual(endedWell)
    const started = startVersion(checkout)
    instances.splice(place, 0, started)
    up[place] = await started.ready
  }
  try {
    const before = keys.length
    expect(await migrate(next)).toEqual([
      0,
      expect.stringContaining('Applied: 9001-motto, 9002-motto-index.'),
    ])
    expect(keys.length).toBeGreaterThan(before)
    // A former instance that restarts in the middle of the upgrade.
    for (const [place, checkout] of [
      [0, ownCheckout],
      [0, next],
      [1, next],
    ] as const)
      await replace(place, checkout)
  } finally {
    isOver = true
    await Promise.all(working)
  }
  expect(failed).toEqual([])
  const rows = await query('select subject from support_threads')
  expect(rows.map(({ subject }) => subject).sort()).toEqual(keys.toSorted())
  const versions = up.map(async (url) => (await (await fetch(`${url}/readyz`)).json()) as { version: string })
  expect((await Promise.all(versions)).map(({ version }) => version)).toEqual(['9.0.0', '9.0.0'])
  expect(await Promise.all(instances.map((each) => stop(each)))).toEqual([endedWell, endedWell])
})

test('a version that needs what a later one has removed does not start, and says which one does', {
  timeout: timeoutMs,
}, async () => {
  addMigrations(next, { '9003-drop-motto.needs-9001': 'alter table communes drop column motto;' })
  expect(await migrate(next)).toEqual([0, expect.stringContaining('Applied: 9003-drop-motto.needs-9001.')])
  const former = startVersion(ownCheckout)
  expect(await former.ended).toEqual({ status: 1, signal: null })
  expect(former.state.err).toMatch(
    /^A later version has migrated this database \(9003-drop-motto\.needs-9001\) [^\n]+ migration 9001, [^\n]+\n$/,
  )
})

function makeVersion(version: string, migrations: Record<string, string>): string {
  const checkout = join(makeFolder(), 'checkout')
  for (const part of ['bin', 'demo', 'src'])
    cpSync(join(ownCheckout, part), join(checkout, part), { recursive: true })
  const manifest = JSON.parse(readFileSync(join(ownCheckout, 'package.json'), 'utf8'))
  writeFileSync(join(checkout, 'package.json'), JSON.stringify({ ...manifest, version }))
  // Without the cache of compiled code: that of this version is deleted with it.
  mkdirSync(join(checkout, 'node_modules'))
  for (const name of readdirSync(join(ownCheckout, 'node_modules')))
    if (name !== '.cache')
      symlinkSync(join(ownCheckout, 'node_modules', name), join(checkout, 'node_modules', name))
  addMigrations(checkout, migrations)
  return checkout
}

function addMigrations(checkout: string, migrations: Record<string, string>): void {
  for (const [name, statements] of Object.entries(migrations))
    writeFileSync(join(checkout, migrationsFolder, `${name}.sql`), statements)
}

/** As a deployment does: with the owner, and without the secrets of the service. */
async function migrate(checkout: string): Promise<[status: number, output: string]> {
  const child = spawn(process.execPath, ['bin/parvis-cli.js', 'migrate'], {
    cwd: checkout,
    env: {
      PATH: systemPath,
      DATABASE_URL: urlOf(service, database),
      MIGRATE_DATABASE_URL: urlOf(owner, database),
      SEED: 'none',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [[status], output, messages] = await Promise.all([
    once(child, 'close'),
    text(child.stdout),
    text(child.stderr),
  ])
  return [status, status === 0 ? output : messages]
}
