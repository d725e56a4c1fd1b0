import { sql } from 'kysely'
import pg from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'
import { urlOf } from '../../../../test/processes/postgres.ts'
import { slowdown } from '../../../../test/processes/service.ts'
import { jwtSecret } from '../../../../test/support/factories.ts'
import { cloneDatabase } from '../../../../test/support/world.ts'
import { readConfig } from '../../config/config.ts'
import { connect, type Database } from '../connect.ts'
import { ownConnections } from '../connections/own-connection.ts'
import { openDatabase } from '../open.ts'
import { hasPgBouncer, openPgBouncer } from '../pgbouncer.test-kit.ts'
import { defaultPools } from './pools.ts'

// A file of which every test is skipped is not cleaned up after.
const database = hasPgBouncer ? await cloneDatabase() : ({} as Awaited<ReturnType<typeof cloneDatabase>>)
const quiet = { warn: () => {} }

const timeouts = sql<{ statement: string; lock: string; idle: string; pid: number }>`
  select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock,
    current_setting('idle_in_transaction_session_timeout') as idle, pg_backend_pid() as pid`
const timeoutsOf = async (db: Database) => (await timeouts.execute(db)).rows[0]

/** Opens the pools of a service behind PgBouncer, in transaction mode with fewer connections than the service has. */
async function open(pool_mode: string, options: Parameters<typeof connect>[2] = {}) {
  const settings = pool_mode === 'transaction' ? { default_pool_size: 3 } : {}
  const pooler = await openPgBouncer(database.service, { pool_mode, ...settings })
  const opened = connect(pooler, quiet, {
    ...{ timeoutMs: 30_000, maxPrepared: 0, isPooled: true, direct: database.service },
    ...options,
  })
  onTestFinished(opened.close)
  return { ...opened, pooler }
}

async function lockTable(table: string) {
  const client = new pg.Client(database.owner)
  await client.connect()
  await client.query(`begin; lock table ${table} in access exclusive mode`)
  return () => client.end()
}

describe.skipIf(!hasPgBouncer)('behind PgBouncer (skipped without it)', () => {
  test.each(['transaction', 'session'])('in %s mode each pool has its timeouts', async (mode) => {
    const { db, reads, lists, health, pooler } = await open(mode)
    for (const [name, one] of Object.entries({ writes: db, reads, lists, health })) {
      const { statementMs, lockMs } = defaultPools[name as 'reads']
      const expected = {
        statement: `${statementMs / 1_000}s`,
        lock: lockMs % 1_000 === 0 ? `${lockMs / 1_000}s` : `${lockMs}ms`,
        idle: '15s',
      }
      expect(await timeoutsOf(one), name).toMatchObject(expected)
      const within = one.transaction().setAccessMode('read only').execute(timeoutsOf)
      expect(await within, name).toMatchObject(expected)
    }
    const other = new pg.Client(pooler)
    await other.connect()
    onTestFinished(() => other.end())
    expect((await other.query(timeouts.compile(db).sql)).rows).toMatchObject([{ statement: '0', lock: '0' }])
  })

  test('a locked table costs a read its own short timeout, and the connection stays usable', async () => {
    const { reads, pools } = await open('transaction')
    expect((await timeoutsOf(reads))?.lock).toBe('300ms')
    const unlock = await lockTable('app_sources')
    const began = performance.now()
    await expect(sql`select code from app_sources where code = ${'x'}`.execute(reads)).rejects.toMatchObject({
      cause: { code: '55P03' },
    })
    // 300 ms without a pooler; without timeouts it would wait for ever.
    expect(performance.now() - began).toBeLessThan(2_000 * slowdown())
    await unlock()
    expect((await timeoutsOf(reads))?.lock).toBe('300ms')
    expect(pools.reads.totalCount).toBe(1)
  })

  test('a single write is committed, and a failed one is not', async () => {
    const { db, reads } = await open('transaction')
    const add = (code: string) => sql`insert into app_sources (code, label) values (${code}, 'x')`.execute(db)
    await add('pooled')
    await expect(add('pooled')).rejects.toMatchObject({ code: '23505' })
    await expect(
      db.transaction().execute(async (tx) => {
        await sql`insert into app_sources (code, label) values ('gone', 'x')`.execute(tx)
        throw new Error('on purpose')
      }),
    ).rejects.toThrow('on purpose')
    const { rows } = await sql`select code from app_sources where code in ('pooled', 'gone')`.execute(reads)
    expect(rows).toEqual([{ code: 'pooled' }])
  })

  test('long work on its own connection keeps its timeouts, directly or through the pooler', async () => {
    const { pooler } = await open('transaction')
    for (const [connection, isPooled] of [[database.service, false] as const, [pooler, true] as const]) {
      const seen = await ownConnections(connection, isPooled)(AbortSignal.timeout(30_000), (tx) =>
        timeoutsOf(tx),
      )
      expect(seen).toMatchObject({ statement: '30min', lock: '10s', idle: '2min' })
    }
  })

  test('the start recognises the pooler, and refuses one as DIRECT_DATABASE_URL', async () => {
    const pooler = await openPgBouncer(database.service, { pool_mode: 'transaction' })
    const [through, direct] = [pooler, database.service].map((one) => urlOf(one, `${one.database}`))
    const openWith = (env: Record<string, string | undefined>) =>
      openDatabase(readConfig([], { AUTH_JWT_SECRET: jwtSecret, ...env }), () => {})
    expect(await openWith({ DATABASE_URL: direct })).toMatchObject({ isPooled: false })
    const opened = await openWith({ DATABASE_URL: through, DIRECT_DATABASE_URL: direct })
    expect(opened).toMatchObject({
      isPooled: true,
      service: { connectionString: through },
      direct: { connectionString: direct },
    })
    const refused = openWith({ DATABASE_URL: through, DIRECT_DATABASE_URL: through })
    await expect(refused).rejects.toThrow(
      'The database that DIRECT_DATABASE_URL names cannot be used: it leads through a connection pooler, and not to PostgreSQL itself.',
    )
  })

  test('pg-boss connects directly', async () => {
    const { pools } = await open('transaction')
    const client = await pools.jobs.connect()
    const { rows } = await client.query('select pg_backend_pid() as pid')
    expect(rows).toEqual([{ pid: (client as unknown as { processID: number }).processID }])
    client.release()
  })

  test.each([
    ['off', 0],
    ['on, although this PgBouncer may lose them', 100],
  ])('with prepared statements %s, no statement of many at once fails', async (_, maxPrepared) => {
    const { db, reads, lists } = await open('transaction', { maxPrepared })
    const found = await Promise.all(
      Array.from({ length: 300 }, async (_, n) => {
        const one = [db, reads, lists][n % 3] as Database
        const { rows } = await sql`select ${n}::int as n from app_sources limit 1`.execute(one)
        return rows
      }),
    )
    expect(found).toEqual(Array.from({ length: 300 }, (_, n) => [{ n }]))
  })
})
