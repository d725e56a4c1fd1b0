import { appendFileSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import {
  createdDataDir,
  endHolder,
  postmasterPid,
  query,
  removeFolders,
  startHolder,
} from './cluster.test-kit.ts'

vi.setConfig({ testTimeout: 120_000 })
afterAll(removeFolders)

// The bundled OpenSSL is no longer maintained, so no network may reach it.
test('PostgreSQL opens no TCP port, despite environment, configuration files and ALTER SYSTEM', async () => {
  const dataDir = await createdDataDir()
  const data = join(dataDir, 'postgres/data')
  const options = { durable: false, env }
  const first = startHolder(dataDir, options)
  const { superuser } = await first.opened
  await expectNoPort(data)
  for (const statement of told) await query(superuser, statement)
  await expectNoPort(data)
  await endHolder(first)

  for (const file of ['postgresql.conf', 'postgresql.auto.conf'])
    appendFileSync(join(data, file), "\nlisten_addresses = '*'\nport = 5432\nssl = on\n")
  appendFileSync(join(data, 'pg_hba.conf'), '\nhost all all all trust\n')
  const second = startHolder(dataDir, options)
  const again = await second.opened
  await expectNoPort(data)
  expect(await query(again.superuser, shown)).toEqual([
    { listen_addresses: '', unix_socket_directories: '../socket', ssl: 'off' },
  ])
  await endHolder(second)
})

const env = {
  PGHOST: '0.0.0.0',
  PGHOSTADDR: '0.0.0.0',
  PGPORT: '54321',
  PGDATA: '/nowhere',
  PGUSER: 'somebody',
  PGDATABASE: 'somewhere',
  PGOPTIONS: '-c work_mem=4MB',
}
const told = [
  "ALTER SYSTEM SET listen_addresses = '*'",
  "ALTER SYSTEM SET unix_socket_directories = '/tmp'",
  'ALTER SYSTEM SET port = 54321',
  'SELECT pg_reload_conf()',
]
const shown = `SELECT current_setting('listen_addresses') AS listen_addresses,
  current_setting('unix_socket_directories') AS unix_socket_directories,
  current_setting('ssl') AS ssl`

/** Requires a unix socket too, otherwise the check would look at the wrong process. */
async function expectNoPort(data: string): Promise<void> {
  const pid = postmasterPid(data)
  const own = readdirSync(`/proc/${pid}/fd`).map((name) => readlinkSync(`/proc/${pid}/fd/${name}`))
  const inodes = own.flatMap((link) => link.match(/^socket:\[(\d+)\]$/)?.[1] ?? [])
  const among = (kind: string, column: number) => {
    const lines = readFileSync(`/proc/net/${kind}`, 'utf8').split('\n').slice(1)
    return lines.filter((line) => inodes.includes(line.trim().split(/\s+/)[column] ?? ''))
  }
  expect(among('unix', 6)).not.toEqual([])
  expect([...among('tcp', 9), ...among('tcp6', 9)]).toEqual([])
}
