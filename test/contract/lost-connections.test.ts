import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { insertPublication, openAssociation } from '../../src/modules/publications/publications.test-kit.ts'
import { untilWaiting } from '../support/locks.ts'
import { openWorld, run } from '../support/world.ts'

const world = await openWorld()
const { as, client, user, database, db } = world
const admin = await as('admin')
const { commune, acteur } = await openAssociation(world)
const { id } = await insertPublication(world, { acteur_id: acteur.id, commune_id: commune.id })
const { email } = await user({ roles: ['moderator'] })

const asCsv = { headers: { accept: 'text/csv' } }
const moderate = () => admin.patch(`/admin/publications/${id}/moderate`, { moderation_status: 'approved' })
const erase = async () => admin.post('/admin/people/erase', { user_id: (await user()).id })

/** Every way to the database that serves requests, and a table for which its request waits. */
const ways = {
  'the pool for writes': ['audit_log', moderate],
  'the pool for reads': ['publications', () => client({}).get(`/publications/${id}`)],
  'the pool for lists': ['publications', () => client({}).get('/publications?q=mot')],
  'a list as CSV': ['publications', () => admin.get('/admin/publications', asCsv)],
  'a transaction that reads': ['publication_changes', () => client({}).get('/publications/changes')],
  'the search over all areas': ['publications', () => admin.get('/admin/search?q=mot')],
  'the stream of events': ['audit_log', () => admin.get('/admin/events')],
  'a connection of its own': ['audit_log', erase],
  'the job store': ['pgboss.queue', () => client({}).post('/auth/email', { email })],
} as const

/** How PostgreSQL ends a statement: the second has the code of a statement that took too long. */
const ends = ['pg_terminate_backend', 'pg_cancel_backend']

const refused = (answer: Awaited<ReturnType<typeof erase>>) => {
  expect(answer).toBeError(503, 'unavailable')
  expect(answer.headers.get('retry-after')).toBe('5')
}

test.each(
  Object.entries(ways).flatMap(([way, [table, ask]]) => ends.map((end) => [end, way, table, ask] as const)),
)('%s while a request waits on %s is a 503', async (end, _way, table, ask) => {
  const holder = new pg.Client(database.owner)
  await holder.connect()
  onTestFinished(() => holder.end())
  await holder.query(`begin; lock table ${table} in access exclusive mode`)
  const answer = ask()
  await untilWaiting(db)
  await run(
    database.superuser,
    `select ${end}(pid) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  )
  refused(await answer)
})

test.each([
  ['the pool for writes', moderate],
  ['a connection of its own', erase],
])('a deadlock on %s is a 503', async (_way, ask) => {
  await run(
    database.owner,
    `create function fail_as_deadlock() returns trigger language plpgsql as
       $$ begin raise exception using errcode = '40P01'; end $$;
     create trigger deadlocked before insert on audit_log execute function fail_as_deadlock()`,
  )
  try {
    refused(await ask())
  } finally {
    await run(database.owner, 'drop function fail_as_deadlock cascade')
  }
})

test('a job store that cannot be reached is a 503', async () => {
  const { user, pools, post } = await openWorld()
  const { email } = await user()
  Object.assign(pools.jobs.options, { host: '127.0.0.1', port: 1 })
  refused(await post('/auth/email', { email }))
})
