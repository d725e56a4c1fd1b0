import { afterAll, expect, test } from 'vitest'
import { cloneDatabase, openWorld, run } from '../../../../test/support/world.ts'
import { insertPublication } from '../publications.test-kit.ts'

const database = await cloneDatabase()
afterAll(() => database.drop())
const setNow = await takeOverClock()
const world = await openWorld({ database })
const { get } = world
const admin = await world.as('admin')
const pending = { moderation_status: 'pending', valide: false, publie_le: null }

/** Replaces PostgreSQL's clock with the test's, on a server in Paris time. It stands still. */
async function takeOverClock(): Promise<(now: string) => Promise<unknown>> {
  const readClock = `returns timestamptz language sql stable as 'select at from test_clock.clock'`
  await run(
    database.owner,
    `create schema test_clock;
     create table test_clock.clock (at timestamptz);
     create function test_clock.now() ${readClock};
     create function test_clock.statement_timestamp() ${readClock};
     create function test_clock.clock_timestamp() ${readClock};
     grant usage on schema test_clock to public;
     grant select on test_clock.clock to public;
     alter database ${database.name} set search_path = test_clock, public, pg_catalog;
     alter database ${database.name} set timezone = 'Europe/Paris'`,
  )
  return (now) =>
    run(database.owner, `truncate test_clock.clock; insert into test_clock.clock values ('${now}')`)
}

async function schedule(publie_le: string, commune_id: string): Promise<string> {
  const { id } = await insertPublication(world, { ...pending, commune_id })
  const decision = { moderation_status: 'approved', publie_le }
  const answer = await admin.patch(`/admin/publications/${id}/moderate`, decision)
  expect(answer.status).toBe(200)
  return id
}

/** Checks visibility by each public path. */
async function expectShown(ids: string[], commune_id: string, shown: boolean[]) {
  for (const [index, id] of ids.entries())
    expect((await get(`/publications/${id}`)).status).toBe(shown[index] ? 200 : 404)
  const expected = ids.filter((_, index) => shown[index]).toSorted()
  for (const path of [`/publications?commune_id=${commune_id}`, `/communes/${commune_id}/publications`]) {
    const { body } = await get(path)
    expect(body.data.map(({ id }: { id: string }) => id).toSorted()).toEqual(expected)
    expect(body.meta.total).toBe(expected.length)
  }
}

test('a scheduled publication becomes visible when due, without a write', async () => {
  const { id: commune_id } = await world.commune()
  await setNow('2099-01-01T10:00:00Z')
  const id = await schedule('2099-01-01T12:00:00Z', commune_id)
  await setNow('2099-01-01T11:59:59.999Z')
  await expectShown([id], commune_id, [false])
  await setNow('2099-01-01T12:00:00Z')
  await expectShown([id], commune_id, [true])
  const { body } = await admin.get(`/admin/publications/${id}`)
  expect(body.data).toMatchObject({ version: 2, moderation_status: 'approved' })
  // Its time passes now.
  const moved = { moderation_status: 'approved', publie_le: '2099-02-01T00:00:00Z' }
  expect(await admin.patch(`/admin/publications/${id}/moderate`, moved)).toBeError(422, 'validation_failed')
})

test('a publication due while the service was down is visible in the first response', async () => {
  const { id: commune_id } = await world.commune()
  const publie_le = new Date('2099-01-01T11:59:00Z')
  const values = { moderation_status: 'approved', valide: true, publie_le, commune_id }
  const { id } = await insertPublication(world, values)
  await setNow('2099-01-01T12:00:00Z')
  await expectShown([id], commune_id, [true])
})

test('schedules keep their time when clocks change', async () => {
  const { id: commune_id } = await world.commune()
  await setNow('2099-01-01T12:00:00Z')
  const ids = []
  for (const time of [
    // Half past two occurs twice that night.
    '2099-10-25T02:30:00+02:00',
    '2099-10-25T02:30:00+01:00',
    // Half past two does not exist this night.
    '2099-03-29T01:59:59+01:00',
    '2099-03-29T03:00:00+02:00',
  ])
    ids.push(await schedule(time, commune_id))
  for (const [now, ...shown] of [
    ['2099-03-29T00:59:58Z', false, false, false, false],
    ['2099-03-29T00:59:59Z', false, false, true, false],
    ['2099-03-29T01:00:00Z', false, false, true, true],
    ['2099-10-25T00:29:59Z', false, false, true, true],
    ['2099-10-25T00:30:00Z', true, false, true, true],
    ['2099-10-25T01:29:59Z', true, false, true, true],
    ['2099-10-25T01:30:00Z', true, true, true, true],
  ] as [string, ...boolean[]][]) {
    await setNow(now)
    await expectShown(ids, commune_id, shown)
  }
})
