import { AsyncLocalStorage } from 'node:async_hooks'
import { Kysely } from 'kysely'
import type pg from 'pg'
import { Counter, Gauge, type Registry } from 'prom-client'
import type { Databases } from '../connect.ts'
import { type CheckedOut, dialectOn, type Statement } from '../pools/dialect.ts'
import type { DB } from '../types.generated.ts'
import type { ReadPool } from './reads.ts'
import { isConnectionFailure, type Replica } from './replica.ts'
import type { RequiredPositions } from './required-positions.ts'

/** A public read in progress. */
export type PublicRead = {
  /** The tables it shows; null: any. */
  keys: readonly string[] | null
  /** True if it was served while the primary was unavailable: it may lack changes. */
  mayBeOutdated: boolean
  /** True for what all requests share: a replica serves it only while the primary is unavailable. */
  isShared?: true
}

export type PublicDatabases = Pick<Databases, 'reads' | 'lists'> & {
  replica: Replica
  /** Reads served by a replica, by the primary, and by a replica while the primary was unavailable. */
  readonly served: Readonly<Record<Server, number>>
}
type Server = 'replica' | 'primary' | 'replica_unchecked'

const inProgress = new AsyncLocalStorage<PublicRead>()

/** Runs the handler of a public read: replicas may serve its statements. */
export const readPublicly = (read: PublicRead, handle: () => void): void => inProgress.run(read, handle)

/** Reads what all requests share, and returns whether it may lack changes, and so must not be kept. */
export async function readShared<Found>(find: () => Promise<Found>): Promise<[Found, boolean]> {
  const read: PublicRead = { keys: null, mayBeOutdated: false, isShared: true }
  const found = await inProgress.run(read, find)
  return [found, read.mayBeOutdated]
}

type Primary = Record<ReadPool, () => Promise<CheckedOut>>
export type PublicDatabasesParts = {
  primary: Primary
  replica: Replica
  positions: RequiredPositions
  arrived: () => Promise<void>
}

/**
 * Returns the databases for public reads. A statement of a public read runs on a replica that has replayed every change
 * heard, else on the primary. If the primary is unavailable, it runs on a replica anyway, and the read is marked. Other
 * statements, such as those that fill caches of all requests, prefer the primary.
 *
 * A read of the primary may show changes of which no notification has arrived; so that none disappears in the next read
 * of a replica, it ends when the notifications have arrived.
 */
export function publicDatabases({
  primary,
  replica,
  positions,
  arrived,
}: PublicDatabasesParts): PublicDatabases {
  const served = { replica: 0, primary: 0, replica_unchecked: 0 }

  async function read(name: ReadPool, statement: Statement): Promise<pg.QueryResult> {
    const request = inProgress.getStore()
    if (request !== undefined && !request.isShared) {
      const result = await replica.read(name, statement, () => positions.of(request.keys))
      if (result !== null) {
        served.replica++
        return result
      }
    }
    try {
      const result = await runOn(primary[name], statement)
      if (request !== undefined && !request.isShared) {
        served.primary++
        await arrived()
      }
      return result
    } catch (error) {
      if (positions.isListening && !isConnectionFailure(error)) throw error
      const result = await replica.readUnchecked(name, statement)
      if (result === null) throw error
      if (request !== undefined) {
        served.replica_unchecked++
        request.mayBeOutdated = true
      }
      return result
    }
  }
  /** Transactions run on the primary. */
  const checkOutOf = (name: ReadPool) => async (): Promise<CheckedOut> => {
    let held: Promise<CheckedOut> | null = null
    return {
      begin(text) {
        held = primary[name]()
        return held.then((client) => client.begin(text))
      },
      // The statements of a transaction may follow before the connection has been checked out.
      query: (statement) =>
        held === null ? read(name, statement) : held.then((client) => client.query(statement)),
      release(isBroken) {
        held?.then((client) => client.release(isBroken)).catch(() => {})
      },
    }
  }
  return {
    reads: new Kysely<DB>({ dialect: dialectOn(checkOutOf('reads'), true) }),
    lists: new Kysely<DB>({ dialect: dialectOn(checkOutOf('lists'), false) }),
    replica,
    served,
  }
}

async function runOn(checkOut: () => Promise<CheckedOut>, statement: Statement): Promise<pg.QueryResult> {
  const client = await checkOut()
  try {
    return await client.query(statement)
  } finally {
    client.release()
  }
}

/** Exports which servers serve public reads, and how far the replica is behind. */
export function watchReplica(
  registry: Registry,
  { replica, served }: Pick<PublicDatabases, 'served'> & { replica: Pick<Replica, 'state'> },
): void {
  new Counter({
    name: 'public_reads_total',
    help: 'Statements of public reads by server; replica_unchecked: while the primary was unavailable',
    labelNames: ['server'],
    registers: [registry],
    collect() {
      this.reset()
      for (const [server, count] of Object.entries(served)) this.inc({ server }, count)
    },
  })
  // Workers of an instance: the worst of them counts.
  const gauge = (name: string, help: string, aggregator: 'min' | 'max', value: () => number) =>
    new Gauge({
      ...{ name, help, aggregator, registers: [registry] },
      collect() {
        this.set(value())
      },
    })
  gauge('read_replica_available', 'Whether the read replica is used (1)', 'min', () =>
    Number(replica.state.isAvailable),
  )
  gauge('read_replica_lag_bytes', 'WAL of the primary that the read replica has not replayed', 'max', () => {
    return replica.state.lagBytes
  })
  gauge(
    'read_replica_lag_seconds',
    'Age of the last change that a replica behind has replayed',
    'max',
    () => {
      return replica.state.lagSeconds
    },
  )
}
