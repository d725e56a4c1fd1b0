import { existsSync } from 'node:fs'
import { findPlace, type Place } from './place.ts'
import { ensureSecret, readSecret } from './secrets.ts'
import { socketHost } from './socket.ts'

/** Fits pg's PoolConfig: `host` is the folder of a unix socket, good in this process only (see socket.ts). */
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

/** For the holder of the data folder's lock, who makes the passwords at the first start. */
export function ensureConnections(dataDir: string, place: Place): ClusterConnections {
  return describe(dataDir, place, (name) => ensureSecret(dataDir, name))
}

/** For everyone else; null while a first start has not made everything yet. */
export function readConnections(dataDir: string): ClusterConnections | null {
  const place = findPlace(dataDir)
  if (!place || !existsSync(place.socket)) return null
  const connections = describe(dataDir, place, (name) => readSecret(dataDir, name) ?? '')
  return Object.values(connections).every((each) => each.password) ? connections : null
}

function describe(dataDir: string, place: Place, password: (name: string) => string): ClusterConnections {
  const at = { host: socketHost(place.socket, dataDir), port: 5432 }
  const as = (user: string, database: string) => ({ ...at, user, password: password(user), database })
  return {
    superuser: as('parvis_superuser', 'postgres'),
    owner: as('parvis_owner', 'parvis'),
    service: as('parvis_service', 'parvis'),
  }
}
