import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { explain, gatherStatistics, readWhole, visitedBy, watch } from '../../../test/support/plans.ts'
import { isWhole } from '../../../test/support/sample.ts'
import { openWorld, run } from '../../../test/support/world.ts'
import { modules } from '../../app.ts'
import { claimsKit } from '../claims/claims.test-kit.ts'
import { insertPublication } from '../publications/publications.test-kit.ts'
import { countDays, dailyCountsOf, keepCounts, keepPastDays, readSeries } from './series.ts'

const world = await openWorld()
const { as, acteur, post, db, pool, database } = world
const { claim } = claimsKit(world)
const moderator = await as('moderator')
const signal = new AbortController().signal
const counts = dailyCountsOf(modules)
const keys = ['created', 'published', 'rejected', 'reported', 'claims', 'threads']
const nothing = Object.fromEntries(keys.map((key) => [key, 0]))
const series = async (days: number) =>
  (await moderator.get(`/admin/dashboard/series?days=${days}`)).body.data as Record<string, unknown>[]
const reject = (id: string) =>
  moderator.patch(`/admin/publications/${id}/moderate`, {
    moderation_status: 'rejected',
    reason: 'Hors sujet',
  })

test('GET /admin/dashboard/series returns 200 with each day, today last', async () => {
  const before = (await series(1))[0] ?? {}
  expect(Object.keys(before)).toEqual(['day', ...keys])
  const pending = { moderation_status: 'pending', valide: false, publie_le: null } as const
  // The default is an hour ago, which is yesterday in the first hour of a day.
  const publie_le = new Date()
  const shown = await insertPublication(world, { publie_le })
  await insertPublication(world, { publie_le, deleted_at: new Date() })
  await insertPublication(world, {
    moderation_status: 'approved',
    publie_le: new Date(Date.now() + 3_600_000),
  })
  const [one, other] = [await insertPublication(world, pending), await insertPublication(world, pending)]
  await reject(one.id)
  const undone = (await reject(other.id)).body.data.decision_id
  expect((await moderator.post(`/admin/decisions/${undone}/undo`)).status).toBe(200)
  for (let times = 0; times < 2; times++) await post(`/publications/${shown.id}/report`, {})
  await claim({ acteur: await acteur() })
  await post('/support/messages', { email: 'zoe@example.org', subject: 'Bac', body: 'Bonjour' })
  const week = await series(7)
  expect(week).toHaveLength(7)
  expect(week.at(-1)).toEqual({
    ...{ day: before.day, created: 5, published: 2, rejected: 1, reported: 1, claims: 1, threads: 1 },
  })
  expect(week.slice(0, 6)).toEqual(week.slice(0, 6).map(({ day }) => ({ day, ...nothing })))
  expect(await series(365)).toHaveLength(365)
  const support = await as('support')
  expect((await support.get('/admin/dashboard/series')).body.data).toHaveLength(30)
})

test.each(['days=0', 'days=366', 'days=x', 'from=2026-01-01'])(
  'GET /admin/dashboard/series returns 422 for %s',
  async (query) => {
    expect(await moderator.get(`/admin/dashboard/series?${query}`)).toBeError(422, 'validation_failed')
  },
)

test('a day is from midnight to midnight in Paris, whether it has 23, 24 or 25 hours', async () => {
  for (const time of [
    '2025-03-29T22:59:59.999Z',
    '2025-03-29T23:00:00.000Z',
    '2025-03-30T21:59:59.999Z',
    '2025-03-30T22:00:00.000Z',
    '2025-10-25T21:59:59.999Z',
    '2025-10-25T22:00:00.000Z',
    '2025-10-26T22:59:59.999Z',
    '2025-10-26T23:00:00.000Z',
  ])
    await insertPublication(world, { created_at: new Date(time), publie_le: new Date(time) })
  const shown = async (now: string) =>
    (await readSeries(db, counts, 3, new Date(now))).map(({ day, created, published }) => [
      day,
      created,
      published,
    ])
  expect(await shown('2025-03-31T21:59:59.999Z')).toEqual([
    ['2025-03-29', 1, 1],
    ['2025-03-30', 2, 2],
    ['2025-03-31', 1, 1],
  ])
  expect(await shown('2025-10-26T23:00:00.000Z')).toEqual([
    ['2025-10-25', 1, 1],
    ['2025-10-26', 2, 2],
    ['2025-10-27', 1, 1],
  ])
})

test('past days are counted once, also with two instances, and do not change afterwards', async () => {
  const now = new Date('2024-06-20T10:00:00.000Z')
  const past = await insertPublication(world, { created_at: new Date('2024-06-18T10:00:00.000Z') })
  const late = await insertPublication(world, { created_at: new Date('2024-06-19T10:00:00.000Z') })
  const aborted = keepPastDays(db, counts, now, AbortSignal.abort())
  await expect(aborted).rejects.toThrow()
  const kept = await Promise.all([
    keepPastDays(db, counts, now, signal),
    keepPastDays(db, counts, now, signal),
  ])
  expect(Math.max(...kept)).toBe(363)
  expect(await keepPastDays(db, counts, now, signal)).toBe(0)
  const created = async () => (await readSeries(db, counts, 3, now)).map((day) => day.created)
  expect(await created()).toEqual([1, 1, 0])
  for (const { id } of [past, late]) await db.deleteFrom('publications').where('id', '=', id).execute()
  expect(await created()).toEqual([1, 0, 0])
})

test.runIf(isWhole)(
  'a year costs two statements and no full table scan, among many publications and entries',
  async () => {
    await run(
      database.owner,
      `insert into publications (id, slug, title, body, moderation_status, valide, publie_le, duplicate_key, created_at)
     select id, 'many-' || n, 'Fête', 'Samedi', 'published', true, at, 's:' || replace(id::text, '-', ''), at
     from generate_series(1, 6000) n, lateral (select gen_random_uuid() as id, now() - n * interval '85 minutes' as at) one;
     insert into audit_log (id, action, entity, entity_id, after)
     select gen_random_uuid(), 'publication.import', 'publication', gen_random_uuid()::text, '{}'
     from generate_series(1, 6000)`,
    )
    await gatherStatistics(database, ['publications', 'audit_log', 'claims', 'support_threads'])
    const now = new Date()
    await db.deleteFrom('daily_counts').execute()
    await keepPastDays(db, counts, now, signal)
    await gatherStatistics(database, ['daily_counts'])
    const { db: watched, statements } = watch(pool)
    expect(await readSeries(watched, counts, 365, now)).toHaveLength(365)
    expect(statements).toHaveLength(2)
    const [keptSteps = [], liveSteps = []] = await Promise.all(statements.map((each) => explain(pool, each)))
    expect(Math.max(...keptSteps.map(visitedBy))).toBeLessThan(6 * 400 + 6)
    expect(readWhole(liveSteps).filter((table) => ['publications', 'audit_log'].includes(table))).toEqual([])
    // Two days of publications, not the whole year.
    expect(Math.max(...liveSteps.map(visitedBy))).toBeLessThan(1_000)
    expect(await countDays(db, counts, [])).toEqual([])
    await keepCounts(db, [])
    expect((await sql`select from daily_counts where n < 0`.execute(db)).rows).toEqual([])
  },
)
