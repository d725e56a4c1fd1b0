import type { Binaries } from '../files/binaries.ts'
import type { Place } from '../files/place.ts'
import type { ServerUser } from '../user/server-user.ts'

/** What it takes to start a cluster's PostgreSQL: no password. */
export type Launch = {
  binaries: Binaries
  place: Place
  user: ServerUser
  durable: boolean
  log: (message: string) => void
}
