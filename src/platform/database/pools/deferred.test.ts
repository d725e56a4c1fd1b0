import { Socket } from 'node:net'
import { sql } from 'kysely'
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { cloneDatabase, run } from '../../../../test/support/world.ts'
import { connect, type Database } from '../connect.ts'
import { defaultPools } from './pools.ts'
import { deferred } from './prepared.ts'

const database = await cloneDatabase()
beforeAll(() =>
  run(
    database.owner,
    `create table things (id int constraint things_pkey primary key); grant all on things to ${database.service.user}`,
  ),
)

/** A pool of one connection, directly or as through a connection pooler. */
function open(isPooled: boolean): Database {
  const limits = { ...defaultPools, writes: { ...defaultPools.writes, max: 1 } }
  const { db, close } = connect(database.service, { warn: () => {} }, { limits, isPooled, timeoutMs: 30_000 })
  onTestFinished(close)
  return db
}
const insert = (db: Database, id: number) => sql`insert into things (id) values (${id})`.execute(db)
const list = async (db: Database) =>
  (await sql<{ id: number }>`select id from things order by id`.execute(db)).rows.map(({ id }) => id)
const duplicate = { code: '23505', constraint: 'things_pkey' }

test.each([false, true])('executes deferred statements in order (pooled: %j)', async (isPooled) => {
  const db = open(isPooled)
  await run(database.owner, 'delete from things')
  const seen = await db.transaction().execute(async (tx) => {
    for (const id of [1, 2, 3]) expect(await insert(deferred(tx), id)).toEqual({ rows: [] })
    const seen = await list(tx)
    await insert(deferred(tx), 4)
    return seen
  })
  expect(seen).toEqual([1, 2, 3])
  expect(await list(db)).toEqual([1, 2, 3, 4])
})

test.each([false, true])(
  'what waits for no response leaves in one write, the begin included (pooled: %j)',
  async (isPooled) => {
    const db = open(isPooled)
    await run(database.owner, 'delete from things')
    await list(db)
    const writes = [vi.spyOn(Socket.prototype, '_write'), vi.spyOn(Socket.prototype, '_writev')]
    onTestFinished(() => void vi.restoreAllMocks())
    await db.transaction().execute(async (tx) => {
      await insert(deferred(tx), 1)
      await insert(deferred(tx), 2)
      expect(await list(tx)).toEqual([1, 2])
    })
    // The other is the commit.
    expect(writes.reduce((sum, { mock }) => sum + mock.calls.length, 0)).toBe(2)
  },
)

test.each([false, true])(
  'a deferred failure is thrown by the next statement, or by the commit (pooled: %j)',
  async (isPooled) => {
    const db = open(isPooled)
    await run(database.owner, 'delete from things; insert into things values (1)')
    const next = db.transaction().execute(async (tx) => {
      await insert(deferred(tx), 1)
      await insert(deferred(tx), 2)
      await list(tx)
    })
    await expect(next).rejects.toMatchObject(duplicate)
    const last = db.transaction().execute(async (tx) => {
      await insert(tx, 3)
      await insert(deferred(tx), 1)
    })
    await expect(last).rejects.toMatchObject(duplicate)
    const ignored = db.transaction().execute(async (tx) => {
      await insert(tx, 4)
      await insert(deferred(tx), 1)
      throw new Error('refused')
    })
    await expect(ignored).rejects.toThrow('refused')
    expect(await list(db)).toEqual([1])
  },
)

test.each([false, true])(
  'a refusal for lack of rows is thrown by the next statement, or by the commit (pooled: %j)',
  async (isPooled) => {
    const db = open(isPooled)
    await run(database.owner, 'delete from things; insert into things values (1)')
    const refused = () => new Error('refused')
    const find = (db: Database, id: number) =>
      sql`select from things where id = ${id} for key share`.execute(deferred(db, refused))
    const next = db.transaction().execute(async (tx) => {
      await find(tx, 1)
      await find(tx, 2)
      await insert(tx, 3)
    })
    await expect(next).rejects.toThrow('refused')
    const last = db.transaction().execute(async (tx) => {
      await insert(tx, 3)
      await find(tx, 2)
    })
    await expect(last).rejects.toThrow('refused')
    expect(await list(db)).toEqual([1])
    await expect(find(db, 2)).rejects.toThrow('refused')
  },
)

test('outside a transaction a deferred statement is executed as usual', async () => {
  const db = open(false)
  await run(database.owner, 'delete from things; insert into things values (1)')
  await expect(insert(deferred(db), 1)).rejects.toMatchObject(duplicate)
  expect(await list(deferred(db))).toEqual([1])
  await db.transaction().execute(async () => {})
  expect(await list(deferred(db))).toEqual([1])
})

test('a deferred statement with an outdated plan is never repeated outside its transaction', async () => {
  const db = open(false)
  await run(database.owner, 'delete from things')
  const add = (tx: Database, id: number) =>
    sql`insert into things values (${id}) returning *`.execute(deferred(tx))
  await db.transaction().execute((tx) => add(tx, 1))
  await run(database.owner, 'alter table things add column more int')
  const failed = db.transaction().execute((tx) => add(tx, 2))
  await expect(failed).rejects.toMatchObject({ code: 'unavailable' })
  expect(await list(db)).toEqual([1])
})
