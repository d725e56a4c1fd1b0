import type { Binaries } from '../files/binaries.ts'
import type { Place } from '../files/place.ts'
import type { ServerUser } from '../user/server-user.ts'

/** Everything needed to start a cluster's PostgreSQL, except passwords. */
export type Launch = {
  binaries: Binaries
  place: Place
  user: ServerUser
  durable: boolean
  log: (message: string) => void
}
