// On another PostgreSQL, because migrations run there too.
import { join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { openWorld } from '../../test/support/world.ts'
import {
  endHolder,
  makeFolder,
  query,
  removeFolders,
  startHolder,
} from '../embedded-postgres/cluster/cluster.test-kit.ts'
import { isClusterHeld } from '../embedded-postgres/cluster/cluster.ts'
import { clusterNames } from '../platform/database/cluster-names.ts'
import { openCommandWorld } from './command.test-kit.ts'
import { run } from './migrate.ts'

vi.setConfig({ testTimeout: 120_000 })
afterAll(removeFolders)
const { call, env, named } = await openCommandWorld(await openWorld(), run)

const ready = (role: string) => `The database is ready for a service that enters as ${role}.\n`
const communesLoaded = 'The communes of France are loaded.\n'
const inFolder = (dataDir: string) => `Database: the embedded one in ${dataDir}`

test('on a current database it does nothing, says so, and needs no token secret', async () => {
  const { AUTH_JWT_SECRET, ...without } = env
  const { username: user } = new URL(`${env.DATABASE_URL}`)
  expect(await call('', without)).toEqual({
    code: 0,
    stdout: `There was nothing to apply.\n${ready(user)}`,
    stderr: named,
  })
})

test('without the owner it names the setting it needs', async () => {
  const { MIGRATE_DATABASE_URL, ...alone } = env
  expect(await call('', alone)).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringContaining('let MIGRATE_DATABASE_URL name the role that owns the database'),
  })
})

test('creates and fills the embedded database as configured, reports both, and stops it', async () => {
  const dataDir = join(makeFolder(), 'data')
  const first = await call('', { DATA_DIR: dataDir, SEED: 'none' })
  expect(first).toEqual({
    code: 0,
    stdout: expect.stringMatching(/^Applied: 0001-functions, .+, pg-boss \d+\.\n/),
    stderr: `${inFolder(dataDir)}, new\n`,
  })
  expect(first.stdout).toContain(`\n${communesLoaded}${ready('parvis_service')}`)
  expect(isClusterHeld(dataDir, clusterNames)).toBe(false)
  expect(await call('', { DATA_DIR: dataDir })).toEqual({
    code: 0,
    stdout: `There was nothing to apply.\nDemo content is in place.\n${ready('parvis_service')}`,
    stderr: `${inFolder(dataDir)}\n`,
  })
})

test("beside a running service it prepares that service's database and leaves it running", async () => {
  const dataDir = join(makeFolder(), 'data')
  const holder = startHolder(dataDir, { durable: false, as: clusterNames })
  const { service } = await holder.opened
  const { code, stdout, stderr } = await call('', { DATA_DIR: dataDir, SEED: 'none' })
  expect([code, stderr]).toEqual([0, `${inFolder(dataDir)}\n`])
  expect(stdout).toContain(communesLoaded)
  expect(await query(service, 'select count(*)::int as n from communes')).toEqual([{ n: 34_969 }])
  await endHolder(holder)
})

test.each([
  ['now', /^Unexpected argument 'now'/],
  ['--force', /^Unknown option '--force'\. See npm run migrate -- --help\.\n$/],
])('"%s" exits with 2 and one sentence', async (args, sentence) => {
  expect(await call(args)).toEqual({ code: 2, stdout: '', stderr: expect.stringMatching(sentence) })
})

test('--help prints the usage', async () => {
  expect(await call('--help')).toMatchObject({ code: 0, stdout: expect.stringContaining('npm run migrate') })
})
