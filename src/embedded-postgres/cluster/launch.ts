import type { Binaries } from '../files/binaries.ts'
import type { ClusterPaths } from '../files/paths.ts'
import type { ServerUser } from '../user/server-user.ts'

/** Everything needed to start a cluster's PostgreSQL, except passwords. */
export type Launch = {
  binaries: Binaries
  paths: ClusterPaths
  user: ServerUser
  durable: boolean
  maxConnections?: number | undefined
  log: (message: string) => void
}
