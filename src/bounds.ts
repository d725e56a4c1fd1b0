import type { Config } from './platform/config/config.ts'
import { defaultCacheBytes } from './platform/http/cache/store.ts'
import { defaultAdmissionLimits } from './platform/http/overload/admission.ts'
import type { LimitSettings } from './platform/http/overload/concurrency-limit.ts'
import { defaultConnections } from './platform/http/overload/connections.ts'
import { defaultBodyLimits } from './platform/http/overload/received-bodies.ts'
import { defaultUnreadLimits } from './platform/http/overload/unread-responses.ts'

/** Below this, one large request or response would fill the memory that an instance has for all. */
const leastBytes = 8 * 2 ** 20

/** Returns the share that each of WORKERS instances has of the bounds that protect a machine. */
export function boundsOfInstance({ workers }: Pick<Config, 'workers'>) {
  const share = (whole: number) => Math.ceil(whole / workers)
  const bytes = (whole: number) => Math.max(share(whole), leastBytes)
  // Twice as many slots as a pool of such an instance has connections, like those of a single process.
  const slots = (limit: LimitSettings, signedIn = 1): LimitSettings => ({
    ...limit,
    ...{ slots: 4, reserved: { signedIn, anonymous: 1 }, anonymousWhileSignedIn: 1 },
    capacity: share(limit.capacity),
  })
  const { reads, lists, writes } = defaultAdmissionLimits
  return {
    admissionLimits: { reads: slots(reads), lists: slots(lists, 3), writes: slots(writes) },
    unreadLimits: { maxBytes: bytes(defaultUnreadLimits.maxBytes) },
    maxConnections: share(defaultConnections),
    bodyLimits: { totalBytes: bytes(defaultBodyLimits.totalBytes) },
    cacheLimits: { maxBytes: bytes(defaultCacheBytes) },
    // A single process writes two: a half is not possible.
    csvLimit: 1,
  }
}

/** Returns the bound of connections per address of one of WORKERS instances: Linux divides them about evenly. */
export const connectionsPerAddress = ({ workers, maxConnectionsPerAddress }: Config): number =>
  Math.ceil(maxConnectionsPerAddress / workers)
