import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, expect, test, vi } from 'vitest'
import { urlOf } from '../../test/processes/postgres.ts'
import {
  endHolder,
  makeFolder,
  postmasterPid,
  query,
  readFileOrEmpty,
  removeFolders,
  startHolder,
} from '../embedded-postgres/cluster/cluster.test-kit.ts'
import { openCluster } from '../embedded-postgres/cluster/cluster.ts'
import { ensureSecret, readSecrets } from '../embedded-postgres/files/secrets.ts'
import { clusterNames } from '../platform/database/cluster-names.ts'
import { migrate } from '../platform/database/migrate/migrate.ts'
import { openDatabase } from '../platform/database/open.ts'
import { run as backUp } from './backup.ts'
import type { Io } from './command.ts'
import { run as restore } from './restore.ts'

vi.setConfig({ testTimeout: 300_000 })
afterAll(removeFolders)
const folder = makeFolder()
const [dataDir, anew, file] = [join(folder, 'data'), join(folder, 'anew'), join(folder, 'parvis.backup')]

async function call(command: typeof backUp, args: string[], env: NodeJS.ProcessEnv) {
  const said = { stdout: '', stderr: '' }
  const output = (name: keyof typeof said) => ({ write: (text: string) => (said[name] += text) })
  const code = await command(args, { stdout: output('stdout'), stderr: output('stderr'), env } satisfies Io)
  return { code, ...said }
}
const open = (place: string) =>
  openCluster({ dataDir: place, names: clusterNames, durable: false, log: () => {} })
const commune =
  "insert into communes (id, slug, nom, code_insee, departement, region) values (gen_random_uuid(), 'beynost', 'Beynost', '01043', '01', '84')"

test('restore restores a backup taken beside a running service, including secrets', async () => {
  const running = await open(dataDir)
  await migrate(running.owner, running.service.user, async () => {})
  await query(running.owner, commune)
  await query(running.owner, "insert into media_variants values (repeat('0', 64), 400, 'jpeg', 6, 'marker')")
  const secret = ensureSecret(dataDir, 'jwtSecret')
  const light = join(folder, 'light.backup')
  const withoutMedia = await call(backUp, [light, '--without-media'], {
    ...{ DATA_DIR: dataDir, MEDIA_URL: 's3://bucket', AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'b' },
  })
  expect(withoutMedia).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(
      /not hold the bytes of pictures\.\n.+in the store of MEDIA_URL: keep them there\.\n$/,
    ),
  })
  const isHeld = (path: string) =>
    gunzipSync(readFileSync(path)).includes(Buffer.from('marker').toString('hex'))
  expect(isHeld(light)).toBe(false)
  const backup = await call(backUp, [file], { DATA_DIR: dataDir })
  await running.stop()
  expect(isHeld(file)).toBe(true)
  expect(backup).toEqual({
    code: 0,
    stdout: expect.stringMatching(/parvis\.backup: \d+ tables, \d+ bytes of rows\. It holds secrets/),
    stderr: `Database: the embedded one in ${dataDir}\n`,
  })
  expect(await call(backUp, [file], { DATA_DIR: dataDir })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('already exists'),
  })

  expect(await call(restore, [file], { DATA_DIR: anew })).toEqual({
    code: 0,
    stdout: expect.stringMatching(/anew is as it was at 20.+Z: start Parvis on it\.\n$/),
    stderr: `Database: a new embedded one in ${anew}\n`,
  })
  const restored = await open(anew)
  expect(await query(restored.service, 'select nom from communes')).toEqual([{ nom: 'Beynost' }])
  await restored.stop()
  const secrets = readSecrets(anew)
  expect(secrets.jwtSecret).toBe(secret)
  for (const role of Object.values(clusterNames.roles))
    expect(secrets[role]).not.toBe(readSecrets(dataDir)[role])

  expect(await call(restore, [file], { DATA_DIR: anew })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('move that folder away'),
  })
})

test('restore fills an empty PostgreSQL of one’s own, as an owner that may disable triggers', async () => {
  const own = await open(join(folder, 'own'))
  const { owner, service, superuser } = own
  const [migrating, serving] = [owner, service].map((role) => urlOf(role, role.database))
  const env = { DATABASE_URL: serving, MIGRATE_DATABASE_URL: migrating }
  expect(await call(restore, [file], { DATABASE_URL: serving })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('Set MIGRATE_DATABASE_URL'),
  })
  expect(await call(restore, [file], env)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(`run "grant set on parameter session_replication_role to ${owner.user}"`),
  })
  await query(superuser, `grant set on parameter session_replication_role to ${owner.user}`)
  expect(await call(restore, [file], env)).toEqual({
    code: 0,
    stdout: expect.stringMatching(
      /^It is as the backup was at 20.+Z: start Parvis with the secrets that it had\.\n$/,
    ),
    stderr: expect.stringMatching(/^Database: parvis on .+, as parvis_service\n$/),
  })
  expect(await query(service, 'select nom from communes')).toEqual([{ nom: 'Beynost' }])
  await query(owner, "insert into first_loads (name) values ('communes')")
  expect(await call(restore, [file], env)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('is not empty'),
  })
  await own.stop()
})

test('an interrupted restore is not mistaken for a new database, and its PostgreSQL is stopped', async () => {
  const restoring = startHolder(anew, { as: clusterNames })
  await restoring.opened
  writeFileSync(join(anew, 'restoring'), '')
  expect(await call(restore, [file], { DATA_DIR: anew })).toMatchObject({
    code: 2,
    stderr: `A restore into ${anew} is under way: wait until it has ended.\n`,
  })
  const leftover = postmasterPid(join(anew, 'postgres/data'))
  await endHolder(restoring, 'SIGKILL')
  expect(readFileOrEmpty(`/proc/${leftover}/cmdline`)).toContain(anew)
  const unfinished = `A restore into ${anew} was not finished: move that folder away, and restore again.`
  const config = { databaseUrl: null, dataDir: anew, instance: null } as Parameters<typeof openDatabase>[0]
  await expect(openDatabase(config, () => {})).rejects.toThrow(unfinished)
  for (const [command, name] of [
    [restore, file],
    [backUp, join(folder, 'other')],
  ] as const)
    expect(await call(command, [name], { DATA_DIR: anew })).toEqual({
      code: 2,
      stdout: '',
      stderr: `${unfinished}\n`,
    })
  expect(readFileOrEmpty(`/proc/${leftover}/cmdline`)).toBe('')
})

test('a file that is not a backup creates no database', async () => {
  const [torn, place] = [join(folder, 'torn'), join(folder, 'place')]
  writeFileSync(torn, readFileSync(file).subarray(0, 1_000))
  expect(await call(restore, [torn], { DATA_DIR: place })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('is not a complete backup'),
  })
  await expect(async () => readFileSync(join(place, 'secrets.json'))).rejects.toThrow('ENOENT')
})

test.each([backUp, restore])('a command without a file says what to do', async (command) => {
  expect(await call(command, [], { DATA_DIR: dataDir })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('Name one file'),
  })
  expect(await call(command, ['--help'], {})).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('Usage'),
  })
})

test('backup of an external database says what to do', async () => {
  const own = { DATABASE_URL: 'postgres://a@127.0.0.1/b' }
  expect(await call(backUp, ['file'], own)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('its own tools'),
  })
})
