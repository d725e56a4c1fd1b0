import { Kysely } from 'kysely'
import type pg from 'pg'
import { Counter, Gauge, type Registry } from 'prom-client'
import type { Database, Databases } from '../connect.ts'
import type { Connection } from '../connection.ts'
import { type CheckedOut, dialectOn, type Statement } from '../pools/dialect.ts'
import type { DB } from '../types.generated.ts'
import { newestChange } from './newest-change.ts'
import { readPosition } from './position.ts'
import { openReplica, type ReadPool, type Replica, type ReplicaOptions } from './replica.ts'

/** The databases of public reads, where replicas serve them. */
export type PublicDatabases = Pick<Databases, 'reads' | 'lists'> & {
  replica: Replica
  readonly served: Readonly<Record<'replica' | 'primary', number>>
}
type Uses = {
  primary: Record<ReadPool, () => Promise<CheckedOut>>
  /** The primary, for reading its position. */
  health: Database
  log: Parameters<typeof openReplica>[1]['log']
}

/** Prepares the use of a replica. `newest` follows the notifications that make it usable. */
export function followReplica(
  connection: Connection,
  { primary, health, log }: Uses,
  options?: ReplicaOptions,
) {
  const newest = newestChange(() => readPosition(health))
  return {
    newest,
    open(arrived: () => Promise<void>): PublicDatabases {
      return publicDatabases(primary, openReplica(connection, { newest, arrived, log }, options), arrived)
    },
  }
}

/**
 * Returns databases whose statements run on a replica that has replayed the newest change, else on the primary, as
 * transactions do. This is the only place that chooses.
 *
 * A read of the primary may show changes of which no notification has arrived; so that none disappears in the next read
 * of a replica, it ends when the notifications have arrived.
 */
function publicDatabases(
  primary: Uses['primary'],
  replica: Replica,
  arrived: () => Promise<void>,
): PublicDatabases {
  const served = { replica: 0, primary: 0 }

  async function read(name: ReadPool, statement: Statement): Promise<pg.QueryResult> {
    const ofReplica = await replica.read(name, statement)
    served[ofReplica === null ? 'primary' : 'replica']++
    if (ofReplica !== null) return ofReplica
    const client = await primary[name]()
    const result = await client.query(statement).finally(() => client.release())
    await arrived()
    return result
  }
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

/** Exports which servers serve public reads. PostgreSQL itself reports how far a replica is behind. */
export function watchReplica(
  registry: Registry,
  { replica, served }: Pick<PublicDatabases, 'served'> & { replica: Pick<Replica, 'isUsed'> },
): void {
  new Counter({
    name: 'public_reads_total',
    help: 'Statements of public reads by server',
    labelNames: ['server'],
    registers: [registry],
    collect() {
      this.reset()
      for (const [server, count] of Object.entries(served)) this.inc({ server }, count)
    },
  })
  new Gauge({
    name: 'read_replica_available',
    help: 'Whether the read replica is used and had replayed the newest change at the last look (1)',
    // Workers of an instance: the worst of them counts.
    aggregator: 'min',
    registers: [registry],
    collect() {
      this.set(Number(replica.isUsed))
    },
  })
}
