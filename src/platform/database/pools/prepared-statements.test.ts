import { sql } from 'kysely'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { cloneDatabase, run } from '../../../../test/support/world.ts'
import { connect, type Database } from '../connect.ts'
import { prepared, unprepared } from './prepared.ts'

const database = await cloneDatabase()
beforeAll(() =>
  run(
    database.owner,
    `create table things (id int primary key); create unique index on things (id) where id > 10; insert into things select generate_series(1, 9); grant all on things to ${database.service.user}`,
  ),
)

function open(maxPrepared?: number) {
  const { close, ...opened } = connect(
    database.service,
    { warn: () => {} },
    maxPrepared === undefined ? {} : { maxPrepared },
  )
  onTestFinished(close)
  return opened
}

const find = (db: Database, id: number) =>
  sql<Record<string, unknown>>`select * from things where id = ${id}`.execute(db).then(({ rows }) => rows)
const distinct = (db: Database, number: number) =>
  sql`select ${number}::int as ${sql.ref(`n${number}`)}`.execute(db)

type Kept = { pid: number; kept: number; reused: number }
async function lookAt(db: Database): Promise<Kept> {
  const { rows } = await sql<Kept>`
    select pg_backend_pid() as pid, count(*)::int as kept, coalesce(sum(generic_plans), 0)::int as reused
    from pg_prepared_statements`.execute(db)
  return rows[0] ?? { pid: 0, kept: 0, reused: 0 }
}

test('a statement is prepared once and gets a cached plan from its sixth execution on', async () => {
  await open()
    .db.connection()
    .execute(async (db) => {
      for (let id = 1; id <= 9; id++) expect(await find(db, id)).toEqual([{ id }])
      expect(await lookAt(db)).toMatchObject({ kept: 1, reused: 4 })
    })
})

test('db and reads prepare statements, lists does not, and each statement can override that', async () => {
  const { db, reads, lists } = open()
  const ways: [Database, (db: Database) => Database, kept: number][] = [
    [db, (one) => one, 1],
    [reads, (one) => one, 1],
    [lists, (one) => one, 0],
    [db, unprepared, 0],
    [reads, unprepared, 0],
    [lists, prepared, 1],
    [lists, (one) => unprepared(prepared(one)), 0],
  ]
  for (const [at, [pool, way, kept]] of ways.entries()) {
    await pool.connection().execute(async (one) => {
      const before = await lookAt(one)
      await distinct(way(one), at)
      await distinct(way(one), at)
      expect((await lookAt(one)).kept - before.kept, `way ${at}`).toBe(kept)
    })
  }
})

test('within a transaction, and on a query executed twice, only an explicit option applies', async () => {
  const query = sql`select id from things where id = ${1}`
  await open()
    .db.transaction()
    .execute(async (tx) => {
      await query.execute(unprepared(tx))
      expect(await lookAt(tx)).toMatchObject({ kept: 0 })
      await query.execute(tx)
      expect(await lookAt(tx)).toMatchObject({ kept: 1 })
      await unprepared(tx).selectFrom('communes').select('id').where('slug', '=', 'x').execute()
      expect(await lookAt(tx)).toMatchObject({ kept: 1 })
      await tx.selectFrom('communes').select('id').where('slug', '=', 'x').execute()
      expect(await lookAt(tx)).toMatchObject({ kept: 2 })
    })
})

test('a statement without values is not prepared', async () => {
  await open()
    .reads.connection()
    .execute(async (one) => {
      await sql`select id from things`.execute(prepared(one))
      expect(await lookAt(one)).toMatchObject({ kept: 0 })
    })
})

test('statements of pg-boss are not prepared', async () => {
  const { db, pools } = open()
  await pools.reads.query('select * from things where id = $1', [1])
  expect(await lookAt(db)).toMatchObject({ kept: 0 })
})

test('a connection prepares a bounded number of statements and is then replaced', async () => {
  const { db } = open(20)
  const pids = new Set<number>()
  const all = await db.connection().execute(async (one) => {
    for (let number = 0; number < 50; number++) await distinct(one, number)
    return lookAt(one)
  })
  expect(all.kept).toBe(20)
  for (let number = 0; number < 50; number++) {
    await distinct(db, number)
    const { pid, kept } = await lookAt(db)
    expect(kept).toBeLessThan(20)
    pids.add(pid)
  }
  expect(pids).not.toContain(all.pid)
  expect(pids.size).toBe(3)
})

test('a statement on an altered table succeeds without an error', async () => {
  const { db } = open()
  for (let id = 1; id <= 7; id++) await find(db, id)
  const { pid } = await lookAt(db)
  await run(database.owner, 'alter table things add column colour text')
  expect(await find(db, 3)).toEqual([{ id: 3, colour: null }])
  expect((await lookAt(db)).pid).not.toBe(pid)
  expect(await find(db, 3)).toEqual([{ id: 3, colour: null }])
})

test('an altered table fails at most one transaction, on any connection', async () => {
  const { db } = open()
  const together = Promise.withResolvers<void>()
  let waiting = 0
  const inTransaction = () => db.transaction().execute((tx) => find(tx, 3))
  // On three connections.
  await Promise.all(
    [1, 2, 3].map(() =>
      db.transaction().execute(async (one) => {
        await find(one, 3)
        if (++waiting === 3) together.resolve()
        await together.promise
      }),
    ),
  )
  await run(database.owner, 'alter table things add column weight int')
  await expect(inTransaction()).rejects.toMatchObject({ code: 'unavailable' })
  for (let time = 0; time < 4; time++) expect(await inTransaction()).toMatchObject([{ id: 3, weight: null }])
  expect(await Promise.all([1, 2, 3].map(inTransaction))).toHaveLength(3)
})

test('stops preparing statements behind a pooler that loses them', async () => {
  const { db, pools } = open()
  await find(db, 3)
  await pools.writes.query('deallocate all')
  expect(await find(db, 3)).toMatchObject([{ id: 3 }])
  expect(await find(db, 3)).toMatchObject([{ id: 3 }])
  expect(await lookAt(db)).toMatchObject({ kept: 0 })
})

test('a failing statement is not prepared, and later ones are', async () => {
  await open()
    .db.connection()
    .execute(async (db) => {
      await expect(sql`select nothing from things where id = ${1}`.execute(db)).rejects.toMatchObject({
        code: '42703',
      })
      await expect(sql`select 1 / ${0}::int`.execute(db)).rejects.toMatchObject({ code: '22012' })
      await find(db, 1)
      expect(await find(db, 2)).toMatchObject([{ id: 2 }])
      expect(await lookAt(db)).toMatchObject({ kept: 2 })
    })
})
