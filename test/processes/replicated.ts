import { afterAll, vi } from 'vitest'
import { migrate } from '../../src/platform/database/migrate/migrate.ts'
import { openNetwork } from '../../src/platform/database/network.test-kit.ts'
import { openWorld } from '../support/world.ts'
import { type Member, openPair } from './pair.ts'
import { connect } from './postgres.ts'
import { makeFolder } from './service.ts'

const name = 'parvis'
export const patient = { timeout: 60_000, interval: 20 }
/** Replay cancels statements at once. */
const ofStandby = { max_standby_streaming_delay: '0' }

/** Opens a primary with a migrated database, and two replicas that follow it. */
export async function openReplicated() {
  const pair = await openPair(makeFolder())
  afterAll(pair.close)
  const [primary, replica, other] = pair.members
  const ask = async ({ connection }: Member, text: string, database = name) => {
    const client = await connect({ ...connection, database })
    return client
      .query(text)
      .then(({ rows }) => rows)
      .finally(() => client.end())
  }
  await pair.start(primary, replica, (member, text) => ask(member, text, 'postgres'), {
    ...{ isSynchronous: false, ofStandby, others: [other] },
  })
  for (const role of ['parvis_owner', 'parvis_service', 'parvis_reads'])
    await ask(primary, `create role ${role} login`, 'postgres')
  await ask(primary, `create database ${name} owner parvis_owner`, 'postgres')
  const as = (user: string, { connection }: Member) => ({ ...connection, database: name, user })
  const owner = as('parvis_owner', primary)
  await migrate(owner, 'parvis_service', async () => {})
  // As docs/operations.md says.
  await ask(primary, 'grant pg_read_all_data to parvis_reads')
  const service = as('parvis_service', primary)
  const database = { name, superuser: as('postgres', primary), owner, service, drop: async () => [] as never }
  const ofReplica = as('parvis_reads', replica)

  return {
    ...pair,
    ...{ primary, replica, other, ask, service, ofReplica },
    async restart(member: Member) {
      await pair.stop(member, 'SIGINT')
      pair.launch(member, member === primary ? {} : ofStandby)
    },
    /** Waits until a replica has replayed what the primary has written. */
    async caughtUp(member = replica) {
      const [{ lsn }] = await ask(primary, 'select pg_current_wal_insert_lsn() as lsn')
      const text = `select pg_last_wal_replay_lsn() >= '${lsn}' as is`
      await vi.waitUntil(async () => (await ask(member, text).catch(() => []))[0]?.is, patient)
    },
    /** Opens a proxy whose connections lead to each of these servers in turn. */
    inTurn(members: readonly Member[]) {
      let next = 0
      const address = () => members[next++ % members.length]?.connection ?? {}
      return openNetwork(ofReplica, (near, far) => near.pipe(far).pipe(near), address)
    },
    /** Opens an instance with a replica. */
    async open(options: Parameters<typeof openWorld>[0] = {}) {
      const world = await openWorld({ database, replica: ofReplica, timeoutMs: 2_000, ...options })
      const { publicly } = world
      if (publicly === undefined) throw new Error('the instance follows no replica')
      return {
        ...world,
        publicly,
        served: () => ({ ...publicly.served }),
        isUsed: () => vi.waitUntil(() => publicly.replica.isUsed, patient),
      }
    },
  }
}
