import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { untilWaiting } from '../../../test/support/locks.ts'
import { openWorld } from '../../../test/support/world.ts'
import { uuidv7 } from '../../platform/formats/uuid.ts'
import { todayInParis } from '../../platform/time/paris-time.ts'
import { complaintsKit, why } from '../complaints/complaints.test-kit.ts'
import { insertPublication } from '../publications/publications.test-kit.ts'
import { listFiguresByCommune, listYears, readDelay, readFigures } from './figures.ts'
import { recordFacts } from './recording.ts'

const world = await openWorld()
const { db, as, commune } = world
const { written, statementOf } = complaintsKit(world)
const here = await commune({ slug: 'ici', nom: 'Ici' })
const there = await commune({ slug: 'la', nom: 'Là' })
const year = 2026
const all = { year, communeIds: null }

type Numbers = Record<string, Record<string, number>>
async function numbers(scope: Parameters<typeof readFigures>[1] = all): Promise<Numbers> {
  const found: Numbers = {}
  for (const { figure, value, count } of await readFigures(db, scope))
    found[figure] = { ...found[figure], [value]: count }
  return found
}
const facts = () => db.selectFrom('moderation_facts').selectAll().orderBy('source_id').execute()
const clear = () => db.deleteFrom('moderation_facts').execute()

async function insertReport(publication_id: string, category: string | null, at: string) {
  const id = uuidv7()
  const values = {
    id,
    publication_id,
    category,
    caller_key: id,
    day: at.slice(0, 10),
    created_at: new Date(at),
  }
  await db.insertInto('publication_reports').values(values).execute()
  return id
}
async function insertCase(publication_id: string, hours: number, values: object = {}) {
  const ended_at = new Date(`${year}-06-15T10:00:00Z`)
  const opened_at = new Date(ended_at.getTime() - hours * 3_600_000)
  const ended = { opened_at, ended_at, outcome: 'kept', ended_by: 'team', ...values }
  await db
    .insertInto('report_cases')
    .values({ publication_id, ...ended })
    .execute()
}
/** Makes decisions, whose undo is over, a part of this year. */
const settle = () =>
  sql`update statements set decided_at = ${new Date(`${year}-03-01T00:00:00Z`)}`.execute(db)

test('reports count by category in the year and commune of Paris, once, also after they are deleted', async () => {
  await clear()
  const one = await insertPublication(world, { commune_id: here.id })
  const other = await insertPublication(world, { commune_id: there.id })
  const eve = await insertReport(one.id, 'wrong', '2025-12-31T22:59:59Z')
  for (const at of ['2025-12-31T23:00:00Z', '2026-12-31T22:59:59Z']) await insertReport(one.id, 'wrong', at)
  await insertReport(other.id, null, '2026-05-01T10:00:00Z')
  expect(await recordFacts(db)).toBe(4)
  await db.deleteFrom('publication_reports').execute()
  expect(await recordFacts(db)).toBe(0)
  expect(await numbers()).toEqual({ reports: { wrong: 2, none: 1 } })
  expect(await numbers({ ...all, communeId: here.id })).toEqual({ reports: { wrong: 2 } })
  expect(await numbers({ ...all, communeIds: [there.id] })).toEqual({ reports: { none: 1 } })
  expect(await numbers({ ...all, year: 2025 })).toEqual({ reports: { wrong: 1 } })
  expect(await listYears(db, { communeIds: null })).toEqual([2026, 2025])
  expect(await listYears(db, { communeId: there.id, communeIds: null })).toEqual([2026])
  expect((await facts()).map(({ source_id }) => source_id)).toContain(eve)
})

test('a run that meets a fact of another run waits for it, and records it once', async () => {
  await clear()
  const { id } = await insertPublication(world)
  for (let count = 0; count < 3; count++) await insertReport(id, 'spam', '2026-05-01T10:00:00Z')
  const tx = await db.startTransaction().execute()
  expect(await recordFacts(tx)).toBe(3)
  const other = recordFacts(db)
  await untilWaiting(db)
  await tx.commit().execute()
  expect(await other).toBe(0)
  expect(await numbers()).toEqual({ reports: { spam: 3 } })
  await db.deleteFrom('publication_reports').execute()
})

test('cases give outcomes, and hours where a person of the team decided', async () => {
  await clear()
  const { id } = await insertPublication(world, { commune_id: here.id })
  for (const hours of [1, 2, 3, 4, 40]) await insertCase(id, hours)
  await insertCase(id, 900, { outcome: 'expired', ended_by: 'rule' })
  await insertCase(id, 800, { outcome: 'corrected', ended_by: 'author' })
  await insertCase(id, 700, { followed_by: 'reopened', followed_at: new Date() })
  await insertCase(id, 600, { ended_at: new Date(), opened_at: new Date() })
  await recordFacts(db)
  expect(await numbers()).toEqual({ outcomes: { kept: 5, expired: 1, corrected: 1 } })
  expect(await readDelay(db, all)).toEqual({ count: 5, median: 3, p95: 32.8 })
  expect(await readDelay(db, { ...all, communeId: there.id })).toEqual({ count: 0, median: 0, p95: 0 })
  await db.deleteFrom('report_cases').execute()
})

test('decisions count by ground, restriction and cause, unless they were undone in time', async () => {
  await clear()
  const moderator = await as('moderator')
  const kept = await written({ commune_id: here.id })
  const undone = await written({ commune_id: here.id })
  const reversed = await written({ commune_id: here.id })
  const reject = { moderation_status: 'rejected', ground: 'spam', reason: 'Non' }
  for (const { at } of [kept, undone, reversed])
    expect((await moderator.patch(`${at}/moderate`, reject)).status).toBe(200)
  expect(await recordFacts(db)).toBe(0)
  await settle()
  const end = (recordId: string, minutes: number) => sql`
    update statements set ended_at = decided_at + make_interval(mins => ${minutes}) where record_id = ${recordId}`
  await end(undone.id, 15).execute(db)
  await end(reversed.id, 16).execute(db)
  await recordFacts(db)
  const found = await numbers()
  expect(found).toEqual({
    grounds: { spam: 2 },
    restrictions: { rejected: 2 },
    by_report: { false: 2 },
    by_machine: { false: 2 },
  })
  const labels = (await readFigures(db, all)).filter(({ figure }) => figure === 'grounds')
  expect(labels).toEqual([{ figure: 'grounds', value: 'spam', label: 'Spam', count: 2 }])
  await db.deleteFrom('statements').execute()
})

test('complaints count by how they ended, once somebody has decided', async () => {
  await clear()
  const moderator = await as('moderator')
  const colleague = await as('moderator')
  for (const decision of ['upheld', 'reversed', null] as const) {
    const { id, at, asOwner } = await written({ commune_id: there.id })
    await moderator.patch(`${at}/moderate`, { moderation_status: 'rejected', reason: 'Non' })
    const statement_id = await statementOf(id)
    const { body } = await asOwner.post('/me/complaints', { statement_id, text: why })
    if (decision === null) continue
    const answer = { decision, answer: 'Nous avons relu votre annonce.' }
    expect((await colleague.patch(`/admin/complaints/${body.data.id}`, answer)).status).toBe(200)
  }
  await recordFacts(db)
  const thisYear = Number(todayInParis(new Date()).slice(0, 4))
  expect(await numbers({ ...all, year: thisYear, communeId: there.id })).toEqual({
    complaints: { upheld: 1, reversed: 1 },
  })
  await db.deleteFrom('complaints').execute()
})

test('lists the figures commune by commune, in parts', async () => {
  await clear()
  const places = [here, there].sort((a, b) => (a.id < b.id ? -1 : 1))
  for (const { id: commune_id } of places) {
    const { id } = await insertPublication(world, { commune_id })
    for (const category of ['spam', 'spam', 'other']) await insertReport(id, category, '2026-05-01T10:00:00Z')
  }
  await recordFacts(db)
  const none = '00000000-0000-0000-0000-000000000000'
  const first = await listFiguresByCommune(db, all, none, 1)
  expect(first.map(({ id, value, count }) => ({ id, value, count }))).toEqual([
    { id: places[0]?.id, value: 'spam', count: 2 },
    { id: places[0]?.id, value: 'other', count: 1 },
  ])
  const second = await listFiguresByCommune(db, all, places[0]?.id ?? '', 1)
  expect(second.map(({ id, nom }) => ({ id, nom }))).toEqual([
    { id: places[1]?.id, nom: places[1]?.nom },
    { id: places[1]?.id, nom: places[1]?.nom },
  ])
  expect(await listFiguresByCommune(db, all, places[1]?.id ?? '', 1)).toEqual([])
  expect(await listFiguresByCommune(db, { ...all, communeIds: [] }, none, 9)).toEqual([])
})
