import { sql } from 'kysely'
import pg from 'pg'
import { expect, test } from 'vitest'
import { openWorld, run } from '../../../test/support/world.ts'
import { uuidv7 } from '../../platform/formats/uuid.ts'
import { acteurs } from '../acteurs/module.ts'
import { dashboardReader } from './routes.admin.ts'

const world = await openWorld()
const { as, acteur, user, db, database, config } = world
const admin = await as('admin')
const blocks = ['subscription_plans', 'subscription_logs', 'transports_failing']
const figures = [
  'publications',
  'publications_pending',
  'publications_unscheduled',
  'publications_reported',
  'acteurs',
  'users',
  ...blocks,
]

async function publication(values: { moderation_status?: string; valide?: boolean; deleted_at?: Date } = {}) {
  const id = uuidv7()
  const content = { slug: id, title: 'Fête', body: 'Samedi', duplicate_key: `s:${id.replaceAll('-', '')}` }
  await db
    .insertInto('publications')
    .values({ id, ...content, ...values })
    .execute()
  return id
}

async function report(publication_id: string, key: string, closed_at: Date | null = null) {
  const values = { id: uuidv7(), publication_id, caller_key: key, day: '2026-11-20', closed_at }
  await db.insertInto('publication_reports').values(values).execute()
}

/** Runs `during` while the table is locked. */
async function whileLocked(table: string, during: () => Promise<unknown>) {
  const client = new pg.Client(database.owner)
  await client.connect()
  await client.query(`begin; lock table ${table} in access exclusive mode`)
  await during().finally(() => client.end())
}

test('GET /admin/dashboard returns 200 with the five figures, flat', async () => {
  expect((await admin.get('/admin/dashboard')).body).toMatchObject({ publications: 0, acteurs: 0 })
  await acteur()
  await acteur({ active: false })
  await acteur({ deleted_at: new Date() })
  await user({ actif: false })
  const [reported] = [
    await publication(),
    await publication(),
    await publication({ moderation_status: 'rejected' }),
  ]
  const deleted = await publication({ deleted_at: new Date() })
  const closed = await publication({ moderation_status: 'approved', valide: true })
  await report(reported, 'user a')
  await report(reported, 'user b')
  await report(deleted, 'user a')
  await report(closed, 'user a', new Date())
  const { status, body, headers } = await admin.get('/admin/dashboard')
  expect(status).toBe(200)
  expect(headers.get('cache-control')).toBe('no-store')
  expect(body).toEqual({
    publications: 4,
    publications_pending: 2,
    publications_unscheduled: 1,
    publications_reported: 1,
    acteurs: 2,
    users: 1,
    subscription_plans: [],
    subscription_logs: { failed: 0, oldest_unprocessed_at: null, latest: [] },
    transports_failing: 0,
  })
  for (const role of ['moderator', 'support'] as const) {
    const { body } = await (await as(role)).get('/admin/dashboard')
    expect(body.publications).toBe(4)
    for (const block of blocks) expect(body, role).not.toHaveProperty(block)
  }
})

test.each([
  ['publications', ['acteurs', 'users', ...blocks]],
  [
    'publication_reports',
    ['publications', 'publications_pending', 'publications_unscheduled', 'acteurs', 'users', ...blocks],
  ],
  ['payment_events', figures.filter((name) => name !== 'subscription_logs')],
  ['subscriptions', figures.filter((name) => name !== 'subscription_plans')],
  ['acteurs', figures.filter((name) => name !== 'acteurs')],
])('while %s is locked its figures are omitted and the others returned', async (table, left) => {
  await whileLocked(table, async () => {
    const { status, body } = await admin.get('/admin/dashboard')
    expect(status).toBe(200)
    expect(Object.keys(body)).toEqual(left)
  })
  expect(Object.keys((await admin.get('/admin/dashboard')).body)).toEqual(figures)
})

test('many requests for a locked table use few connections, and others are served', async () => {
  await whileLocked('publications', async () => {
    const asking = Promise.all(Array.from({ length: 30 }, () => admin.get('/admin/dashboard')))
    expect((await admin.get('/admin/claims')).status).toBe(200)
    const answers = await asking
    expect(answers.map(({ status }) => status)).toEqual(Array(30).fill(200))
  })
})

test('omits a figure that exceeds its timeout and cancels its statement in PostgreSQL', async () => {
  const lines: { block: string; err: { cause: unknown } }[] = []
  const log = { ...world.app.server.log, warn: (line: (typeof lines)[number]) => lines.push(line) } as never
  const read = dashboardReader({ reads: db, log, config }, acteurs.office.figures, {
    timeoutMs: 50,
    atOnce: 3,
  })
  await whileLocked('acteurs', async () => {
    expect(await read()).not.toHaveProperty('acteurs')
    const { rows } = await sql`select from pg_stat_activity
      where datname = current_database() and state = 'active' and query like '%from acteurs where%'
        and pid <> pg_backend_pid()`.execute(db)
    expect(rows).toEqual([])
  })
  // PostgreSQL itself ended the statement. On a slow machine other figures may time out too.
  expect(lines.find(({ block }) => block === 'acteurs')?.err.cause).toMatchObject({ code: '57014' })
})

test('the timeout of a figure is reset on the connection afterwards', async () => {
  await Promise.all(Array.from({ length: 5 }, () => admin.get('/admin/dashboard')))
  const limits = await Promise.all(
    Array.from(
      { length: 10 },
      async () => (await sql<{ statement_timeout: string }>`show statement_timeout`.execute(db)).rows,
    ),
  )
  expect(new Set(limits.flat().map((row) => row.statement_timeout))).toEqual(new Set(['2min']))
})

test('a missing table removes only its own figures, and the status is still 200', async () => {
  await run(database.owner, 'drop table publication_reports cascade')
  const { status, body } = await admin.get('/admin/dashboard')
  expect([status, Object.keys(body)]).toEqual([
    200,
    figures.filter((name) => name !== 'publications_reported'),
  ])
  await run(database.owner, 'drop table publications cascade')
  expect(Object.keys((await admin.get('/admin/dashboard')).body)).toEqual(['acteurs', 'users', ...blocks])
})
