import { existsSync, openSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { ClusterError } from '../cluster-error.ts'
import { type ClusterPaths, findPaths } from '../files/paths.ts'
import { ensureSecret, readSecret } from '../files/secrets.ts'
import type { Names } from '../names.ts'

const longestPath = process.platform === 'linux' ? 107 : 103

/** Returns the `host` for pg: an absolute path, short enough for a socket. Linux offers a short alias. */
function socketHost(folder: string, dataDir: string, setting: string): string {
  if (Buffer.byteLength(join(folder, '.s.PGSQL.5432')) <= longestPath) return folder
  const short = shortNames.get(folder)
  if (short && leadsTo(short, folder)) return short
  return nameByDescriptor(folder) ?? refuseLength(dataDir, setting)
}

const shortNames = new Map<string, string>()

/** Returns an alias through an open descriptor of this process, for the life of the process. */
function nameByDescriptor(folder: string): string | null {
  if (process.platform !== 'linux') return null
  const name = `/proc/${process.pid}/fd/${openSync(folder, 'r')}`
  if (!leadsTo(name, folder)) return null
  shortNames.set(folder, name)
  return name
}

function leadsTo(name: string, folder: string): boolean {
  try {
    return readlinkSync(name) === folder
  } catch {
    return false
  }
}

function refuseLength(dataDir: string, setting: string): never {
  throw new ClusterError(
    `The path of ${dataDir} is too long for a database socket: set a shorter ${setting}.`,
  )
}

/** A pg PoolConfig. `host` is a unix socket's folder, valid in this process only (see socket.ts). */
export type ClusterConnection = {
  host: string
  port: number
  user: string
  password: string
  database: string
}
export type ClusterConnections = {
  owner: ClusterConnection
  service: ClusterConnection
  superuser: ClusterConnection
}
type Entry = { dataDir: string; paths: ClusterPaths; names: Names; password: (role: string) => string }

/** Returns the connections and creates missing passwords. The caller must hold the folder's lock. */
export function ensureConnections(dataDir: string, paths: ClusterPaths, names: Names): ClusterConnections {
  return describe({ dataDir, paths, names, password: (role) => ensureSecret(dataDir, role) })
}

/** Returns the connections without creating anything; null while a first start has not finished. */
export function readConnections(dataDir: string, names: Names): ClusterConnections | null {
  const paths = findPaths(dataDir, names)
  if (!paths || !existsSync(paths.socket)) return null
  const password = (role: string) => readSecret(dataDir, role) ?? ''
  const connections = describe({ dataDir, paths, names, password })
  return Object.values(connections).every((each) => each.password) ? connections : null
}

function describe({ dataDir, paths, names, password }: Entry): ClusterConnections {
  const at = { host: socketHost(paths.socket, dataDir, names.dataDirSetting), port: 5432 }
  const as = (user: string, database: string) => ({ ...at, user, password: password(user), database })
  const { superuser, owner, service } = names.roles
  return {
    superuser: as(superuser, 'postgres'),
    owner: as(owner, names.database),
    service: as(service, names.database),
  }
}
