import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, chownSync, existsSync, mkdirSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { findBinaries } from '../../src/embedded-postgres/files/binaries.ts'
import { chooseServerUser, spawnOptions } from '../../src/embedded-postgres/user/server-user.ts'
import { clusterNames } from '../../src/platform/database/cluster-names.ts'
import type { Connection } from '../../src/platform/database/connection.ts'
import { freePort } from './free-port.ts'
import { listProcesses, signal } from './processes.ts'
import { until } from './service.ts'

const run = promisify(execFile)

/** A PostgreSQL server and what Patroni says about it beside it. */
export type Member = {
  folder: string
  connection: Connection & { port: number }
  /** Answers `/primary` as Patroni does. */
  isPrimary: boolean
  checkPort: number
  child: ChildProcess | null
}

/**
 * Returns two PostgreSQL servers, a primary and its synchronous standby, without Patroni: a test decides for it. A third
 * one may be another standby.
 */
export async function openPair(folder: string) {
  const user = chooseServerUser(clusterNames)
  const binaries = await findBinaries(folder, user, clusterNames)
  const checks: Server[] = []
  const members = await Promise.all(
    ['one', 'two', 'three'].map((name) => makeMember(join(folder, name), checks)),
  )
  for (const member of members) {
    mkdirSync(member.folder, { mode: 0o700 })
    if (user) chownSync(member.folder, user.uid, user.gid)
  }
  const [first] = members as [Member, Member]
  await run(
    binaries.initdb,
    [
      ...['--pgdata', first.folder, '--username', 'postgres', '--auth=trust', '--no-sync'],
      ...['--encoding=UTF8', '--locale=C', '--no-instructions'],
    ],
    spawnOptions(user),
  )

  function launch(member: Member, settings: Settings) {
    const all = {
      listen_addresses: '127.0.0.1',
      port: `${member.connection.port}`,
      unix_socket_directories: '',
      shared_buffers: '8MB',
      fsync: 'off',
      ...settings,
    }
    const options = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])
    member.child = spawn(binaries.postgres, ['-D', member.folder, ...options], {
      ...spawnOptions(user),
      stdio: 'ignore',
    })
  }
  /**
   * Copies the stopped primary as its standby, starts both, and waits until commits wait for the standby, or until it
   * receives them if it is asynchronous.
   */
  async function start(
    primary: Member,
    standby: Member,
    query: Query,
    { isSynchronous = true, ofStandby = {} as Settings, others = [] as readonly Member[] } = {},
  ) {
    const standbys = [standby, ...others]
    for (const { folder: copy } of standbys) {
      rmSync(copy, { recursive: true, force: true })
      await run('cp', ['-a', primary.folder, copy])
      appendFileSync(
        join(copy, 'postgresql.auto.conf'),
        `primary_conninfo = 'host=127.0.0.1 port=${primary.connection.port} user=postgres'\n`,
      )
      appendFileSync(join(copy, 'standby.signal'), '')
      if (user) chownSync(join(copy, 'standby.signal'), user.uid, user.gid)
    }
    launch(primary, isSynchronous ? { synchronous_standby_names: '*' } : {})
    for (const each of standbys) launch(each, ofStandby)
    const state = isSynchronous ? 'sync' : 'async'
    const isFollowing = async () =>
      (await query(primary, `select from pg_stat_replication where sync_state = '${state}'`).catch(() => []))
        .length === standbys.length
    await until(isFollowing)
    primary.isPrimary = true
  }
  async function stop(member: Member, name: NodeJS.Signals) {
    const { child } = member
    if (child === null || child.exitCode !== null || child.signalCode !== null) return
    signalAll(member, 'SIGCONT')
    child.kill(name)
    await once(child, 'exit')
    member.child = null
  }
  return {
    launch,
    members: members as [Member, Member, Member],
    start,
    stop,
    /** Makes the standby the primary, as Patroni does. */
    async promote(member: Member, query: Query) {
      await query(member, 'select pg_promote(true, 30)')
      member.isPrimary = true
    },
    async close() {
      for (const member of members) await stop(member, 'SIGQUIT')
      for (const check of checks) check.close()
      // The folder is the test's; the data in it belongs to another user.
      for (const { folder: data } of members) if (existsSync(data)) rmSync(data, { recursive: true })
    },
  }
}

type Settings = Record<string, string>
export type Query = (member: Member, text: string) => Promise<unknown[]>

/** Signals the server and all of its processes, as when its machine stops. */
export function signalAll({ child }: Member, name: NodeJS.Signals): void {
  if (child?.pid === undefined) return
  for (const { pid, ppid } of listProcesses()) if (ppid === child.pid) signal(pid, name)
  signal(child.pid, name)
}

async function makeMember(folder: string, checks: Server[]): Promise<Member> {
  const connection = { host: '127.0.0.1', port: await freePort(), user: 'postgres', database: 'postgres' }
  const member: Member = { folder, connection, isPrimary: false, checkPort: 0, child: null }
  const check = createServer((_, response) => response.writeHead(member.isPrimary ? 200 : 503).end())
  await once(check.listen(0, '127.0.0.1'), 'listening')
  checks.push(check)
  member.checkPort = (check.address() as { port: number }).port
  return member
}
