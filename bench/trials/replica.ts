import { availableParallelism } from 'node:os'
import { openPair, type Query } from '../../test/processes/pair.ts'
import { makeFolder } from '../../test/processes/service.ts'
import { type BenchDatabase, run, urlOf } from '../connections.ts'
import { makePublications } from '../data.ts'
import { type Bench, median, takeTurn, verdictOf, whole } from '../measure.ts'
import { makeOthers } from '../other-data.ts'
import type { Process } from '../process.ts'
import type { Row } from '../report.ts'
import { scenarioNamed } from '../scenarios.ts'
import { startService } from '../service.ts'
import { lookAround } from '../world.ts'

const names = ['one publication', "a commune's publications"]
const count = 20_000

/** Compares uncached reads of an instance with a replica with those of an instance that has the primary alone. */
export async function readReplica(bench: Bench): Promise<Row[]> {
  const pair = await openPair(makeFolder())
  try {
    const [primary, standby] = pair.members
    const query: Query = ({ connection }, text) => run(connection, text)
    await pair.start(primary, standby, query, { isSynchronous: false })
    await run(primary.connection, 'create database bench')
    const superuser = { ...primary.connection, database: 'bench' }
    const database: BenchDatabase = { superuser, owner: superuser, service: superuser }
    const start = (name: string, env = {}) => startService({ name, database, env })
    await (await start('replica-first-start')).stop()
    const landmarks = await makePublications(superuser, count)
    await makeOthers(superuser, count)
    const world = await lookAround({ database, landmarks, count })
    const replica = { ...standby.connection, database: 'bench' }
    const alone = await start('primary-alone')
    const both = await start('with-replica', { READ_DATABASE_URL: urlOf(replica) })
    const ask = ({ port }: Process, name: string) =>
      takeTurn({ port, world, database: superuser, scenario: scenarioNamed(name) }, bench.pace)
    const rows: Row[] = []
    for (const name of names) {
      for (const each of [alone, both]) await ask(each, name)
      const [one, two]: [number[], number[]] = [[], []]
      const before = await transactionsOf(replica)
      for (let turn = 0; turn < bench.pace.turns; turn++) {
        one.push((await ask(alone, name)).perSecond)
        two.push((await ask(both, name)).perSecond)
      }
      const served = (await transactionsOf(replica)) - before
      const ratio = median(two) / median(one)
      rows.push({
        scenario: `a read replica: ${name}`,
        measured: `${whole(median(two))}/s; without ${whole(median(one))}/s; ${ratio.toFixed(2)}`,
        target: '≥ 0.6 of the primary alone, on one machine',
        verdict: verdictOf(ratio >= 0.6 && served > 0),
        notes: [
          `${whole(served)} transactions of the replica`,
          ...(availableParallelism() < 4 ? ['both servers and the load share the same processors'] : []),
        ],
        figures: { with_replica_per_second: median(two), alone_per_second: median(one), ratio },
      })
    }
    await alone.stop()
    await both.stop()
    return rows
  } finally {
    await pair.close()
  }
}

async function transactionsOf(replica: Parameters<typeof run>[0]): Promise<number> {
  const statement =
    'select xact_commit::int as count from pg_stat_database where datname = current_database()'
  return (await run(replica, statement))[0].count
}
