import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished, vi } from 'vitest'
import type { Connection } from './connection.ts'

const program = ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer'].find((path) => existsSync(path)) ?? ''
export const hasPgBouncer = program !== ''
if (!hasPgBouncer) process.stderr.write('SKIPPED: PgBouncer is not installed; poolers are not tried.\n')

const isRoot = process.getuid?.() === 0
const nobody = Number(spawnSync('id', ['-u', 'nobody'], { encoding: 'utf8' }).stdout)

/** Starts PgBouncer on a socket in its own folder, with no setting that Parvis would need; not as root, which it refuses. */
export async function openPgBouncer(
  to: Connection,
  settings: { pool_mode: string } & Record<string, string | number>,
): Promise<Connection & { host: string; port: number }> {
  const folder = mkdtempSync(join(tmpdir(), 'parvis-pgbouncer-'))
  chmodSync(folder, 0o777)
  const { host, port, user, password, database: dbname } = to
  const target = Object.entries({ host, port, user, password, dbname }).map(
    ([key, value]) => `${key}='${value}'`,
  )
  const own = {
    listen_addr: '',
    unix_socket_dir: folder,
    listen_port: 6432,
    auth_type: 'any',
    pidfile: '',
    logfile: '',
    ...settings,
  }
  const lines = Object.entries(own).map(([key, value]) => `${key} = ${value}`)
  const file = join(folder, 'pgbouncer.ini')
  writeFileSync(file, ['[databases]', `parvis = ${target.join(' ')}`, '[pgbouncer]', ...lines, ''].join('\n'))
  // Only the owner can enter the socket folder of the embedded PostgreSQL.
  const uid = host?.startsWith('/') ? statSync(host).uid : nobody
  const child: ChildProcess = spawn(program, [file], { stdio: 'ignore', ...(isRoot && { uid, gid: uid }) })
  onTestFinished(async () => {
    child.kill('SIGKILL')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    rmSync(folder, { recursive: true })
  })
  await vi.waitUntil(() => existsSync(join(folder, '.s.PGSQL.6432')), { timeout: 30_000 })
  return { host: folder, port: 6432, user: 'anybody', password: '', database: 'parvis' }
}
