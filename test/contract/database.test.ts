import { readFileSync } from 'node:fs'
import pg from 'pg'
import { expect, inject, test } from 'vitest'
import { loadOnce } from '../../src/platform/database/load-once.ts'
import { migrate } from '../../src/platform/database/migrate/migrate.ts'
import { cloneDatabase, openWorld, run } from '../support/world.ts'

const { database, db, commune } = await openWorld()

test.each([
  'drop table communes',
  'alter table communes add column x int',
  'create table mine (x int)',
  'truncate communes',
  "delete from first_loads where name = 'communes'",
  "insert into kysely_migration (name, timestamp) values ('x', now())",
  "update migration_digests set digest = ''",
  'drop trigger communes_touch on communes',
  'create extension hstore',
])("the service's role may not: %s", async (statement) => {
  await expect(run(database.service, statement)).rejects.toThrow(/permission denied|must be owner/)
})

test.each(['audit_log', 'audit_seals', 'audit_seal_faults', 'audit_verifications'])(
  'the service role may only insert into and read %s, even without triggers',
  async (table) => {
    const may = ['select', 'insert', 'update', 'delete', 'truncate', 'trigger'].map(
      (right) =>
        `has_table_privilege('${table}', '${right}') as ${right === 'trigger' ? 'alter_it' : `may_${right}`}`,
    )
    const { rows } = await run(database.service, `select ${may.join(', ')}`)
    expect(rows).toEqual([
      {
        may_select: true,
        may_insert: true,
        may_update: false,
        may_delete: false,
        may_truncate: false,
        alter_it: false,
      },
    ])
  },
)

test('the service role reads and writes rows', async () => {
  const { id } = await commune()
  await db.updateTable('communes').set({ population: 12 }).where('id', '=', id).execute()
  await db.deleteFrom('communes').where('id', '=', id).execute()
})

test('each change of a row increments its version; an update without effect does not', async () => {
  const { id } = await commune()
  const write = async (population: number) => {
    await db.updateTable('communes').set({ population }).where('id', '=', id).execute()
    return db
      .selectFrom('communes')
      .select(['version', 'updated_at'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
  }
  expect((await write(1)).version).toBe(2)
  expect((await write(1)).version).toBe(2)
  expect((await write(2)).version).toBe(3)
})

test('five concurrent starts migrate an empty database and load the initial data once', async () => {
  const { superuser, owner, service } = inject('server')
  const name = `parvis_fresh_${Date.now()}`
  await run(superuser, `create database ${name} owner ${owner.user}`)
  try {
    let loads = 0
    const load = async (fresh: Parameters<Parameters<typeof migrate>[2]>[0]) => {
      await loadOnce(fresh, 'test', async () => void loads++)
    }
    const at = { ...owner, database: name }
    await Promise.all(Array.from({ length: 5 }, () => migrate(at, service.user ?? '', load)))
    expect(loads).toBe(1)
    const { rows } = await run({ ...service, database: name }, 'select count(*)::int as n from communes')
    expect(rows).toEqual([{ n: 0 }])
  } finally {
    await run(superuser, `drop database ${name} with (force)`)
  }
})

test('a failed load leaves no rows and no completion mark', async () => {
  const fails = loadOnce(db, 'broken', async (tx) => {
    await tx
      .insertInto('acteurs')
      .values({ id: '0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e', slug: 'x', nom: 'x', type: 'autre' })
      .execute()
    throw new Error('killed')
  })
  await expect(fails).rejects.toThrow('killed')
  expect(await db.selectFrom('acteurs').selectAll().where('slug', '=', 'x').execute()).toEqual([])
})

test('a service role added later gets its grants at the next start', async () => {
  const fresh = await cloneDatabase()
  const { superuser, owner, service } = fresh
  const role = service.user ?? ''
  await run(superuser, `revoke all on all tables in schema public from ${role}`)
  await expect(run(service, 'select 1 from communes')).rejects.toThrow('permission denied')
  await migrate(owner, role, async () => {})
  await run(service, 'select 1 from communes')
  await fresh.drop()
})

test('dates, lists of dates and counts arrive as text, lists and numbers', async () => {
  const client = new pg.Client(database.service)
  await client.connect()
  const { rows } = await client.query(
    "select date '2026-02-28' as day, array[date '2026-02-28', date '2027-01-01'] as days, '{}'::date[] as none, count(*) as n from communes where false",
  )
  await client.end()
  expect(rows).toEqual([{ day: '2026-02-28', days: ['2026-02-28', '2027-01-01'], none: [], n: 0 }])
})

test('docs/architecture.md names every trigger function and the tables that it is on', async () => {
  const { rows } = await run(
    database.service,
    `select proname as name, array_agg(distinct relname::text order by relname::text) as tables
     from pg_trigger t join pg_proc p on p.oid = tgfoid join pg_class c on c.oid = tgrelid
     where not tgisinternal and relnamespace = 'public'::regnamespace group by proname`,
  )
  const page = readFileSync('docs/architecture.md', 'utf8')
  const [, section = ''] = /^## What triggers maintain\n(.*?)^## /ms.exec(page) ?? []
  const namesIn = (cell: string) => Array.from(cell.matchAll(/`(\w+)`/g), ([, name = '']) => name)
  const drawn = Array.from(section.matchAll(/^\| (`.*?) \| (`.*?) \|/gm), ([, functions = '', tables = '']) =>
    namesIn(functions).map((name) => [name, namesIn(tables).sort()]),
  )
  expect(Object.fromEntries(drawn.flat())).toEqual(
    Object.fromEntries(rows.map(({ name, tables }) => [name, tables.sort()])),
  )
})
