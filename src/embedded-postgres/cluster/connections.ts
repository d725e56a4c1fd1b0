import { existsSync } from 'node:fs'
import { findPlace, type Place } from '../files/place.ts'
import { ensureSecret, readSecret } from '../files/secrets.ts'
import type { Names } from '../names.ts'
import { socketHost } from './socket.ts'

/** Fits pg's PoolConfig: `host` is the folder of a unix socket, valid in this process only (see socket.ts). */
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
type Entry = { dataDir: string; place: Place; names: Names; password: (role: string) => string }

/** For the holder of the folder's lock, who creates the passwords at the first start. */
export function ensureConnections(dataDir: string, place: Place, names: Names): ClusterConnections {
  return describe({ dataDir, place, names, password: (role) => ensureSecret(dataDir, role) })
}

/** For everybody else; null while a first start has not finished. */
export function readConnections(dataDir: string, names: Names): ClusterConnections | null {
  const place = findPlace(dataDir, names)
  if (!place || !existsSync(place.socket)) return null
  const password = (role: string) => readSecret(dataDir, role) ?? ''
  const connections = describe({ dataDir, place, names, password })
  return Object.values(connections).every((each) => each.password) ? connections : null
}

function describe({ dataDir, place, names, password }: Entry): ClusterConnections {
  const at = { host: socketHost(place.socket, dataDir, names.dataDirSetting), port: 5432 }
  const as = (user: string, database: string) => ({ ...at, user, password: password(user), database })
  const { superuser, owner, service } = names.roles
  return {
    superuser: as(superuser, 'postgres'),
    owner: as(owner, names.database),
    service: as(service, names.database),
  }
}
