import { join } from 'node:path'
import pg from 'pg'
import { readConnections } from '../../src/embedded-postgres/cluster/connections.ts'
import { clusterNames } from '../../src/platform/database/cluster-names.ts'
import type { Connection } from '../../src/platform/database/connection.ts'
import { listProcesses, type Process, readOrEmpty, signal } from './processes.ts'

/** Lists the PostgreSQL processes of a data folder, including initdb; the parent first. */
export function postgresPids(dataDir: string): number[] {
  const home = homeOf(dataDir)
  const processes = listProcesses()
  // A postmaster's children overwrite the path with a title; they stay in the folder.
  const belongs = ({ command, cwd }: Process) =>
    /^\S*(postgres|initdb)\b/.test(command) && (command.includes(`${home}/`) || cwd.startsWith(`${home}/`))
  const found = new Set(processes.filter(belongs))
  for (const { pid } of found) {
    for (const child of processes.filter(({ ppid }) => ppid === pid)) found.add(child)
  }
  const pids = new Set([...found].map(({ pid }) => pid))
  const isChild = ({ ppid }: Process) => Number(pids.has(ppid))
  return [...found].sort((a, b) => isChild(a) - isChild(b)).map(({ pid }) => pid)
}

/** `kill -9` of the postmaster (or initdb) alone, or of all its processes. */
export function killPostgres(dataDir: string, { whole = false } = {}): void {
  const pids = postgresPids(dataDir)
  for (const pid of whole ? pids : pids.slice(0, 1)) signal(pid, 'SIGKILL')
}

/** Connects to the PostgreSQL of a running service. */
export async function enter(dataDir: string, role: 'owner' | 'superuser' = 'owner'): Promise<pg.Client> {
  return connect(await roleIn(dataDir, role))
}

export async function roleIn(dataDir: string, role: 'owner' | 'superuser'): Promise<Connection> {
  // Without checking the owner: root's tests also connect to those of other users.
  const connections = readConnections(dataDir, clusterNames)
  if (connections === null) throw new Error(`No service runs on ${dataDir}`)
  return connections[role]
}

export async function connect(connection: Connection): Promise<pg.Client> {
  const client = new pg.Client(connection)
  client.on('error', () => {})
  await client.connect()
  return client
}

/** The host may be a socket folder, which only fits into the query of a URL. */
export function urlOf({ host, port, user, password }: Connection, database: string): string {
  const url = new URL(`postgres://localhost/${database}`)
  url.username = user ?? ''
  url.password = `${password}`
  for (const [name, value] of Object.entries({ host, port })) url.searchParams.set(name, `${value}`)
  return url.href
}

/** Runs one query and returns its first row. */
export async function ask(connecting: Promise<pg.Client>, text: string): Promise<Record<string, unknown>> {
  const client = await connecting
  try {
    return (await client.query(text)).rows[0] ?? {}
  } finally {
    await client.end()
  }
}

/** In the data folder, or staged where root's other user can reach it. */
export function homeOf(dataDir: string): string {
  const id = readOrEmpty(join(dataDir, 'cluster-id')).trim()
  return id ? join('/var/lib/parvis/clusters', id) : join(dataDir, 'postgres')
}
