import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { untilWaiting } from '../../../../test/support/locks.ts'
import { statementsAbout } from '../../../../test/support/statements.ts'
import { openWorld } from '../../../../test/support/world.ts'
import { uuidv7 } from '../../../platform/formats/uuid.ts'
import { recordedPublications } from '../office.ts'
import { insertPublication } from '../publications.test-kit.ts'

const world = await openWorld()
const { as, db, acteur, user } = world
const moderator = await as('moderator')
const list = async (query: string) => {
  const { status, body, text } = await moderator.get(`/admin/publications?${query}`)
  expect(status, text).toBe(200)
  return body as { data: Record<string, unknown>[]; meta: { total: number } }
}
const idsOf = ({ data }: { data: { id?: unknown }[] }) => data.map(({ id }) => id)
const report = (publication_id: string, values: object = {}) => {
  const id = uuidv7()
  const row = { id, publication_id, caller_key: `user ${id}`, day: '2026-11-20', ...values }
  return db.insertInto('publication_reports').values(row).execute()
}
const importFrom = async (nom: string, publication_id: string) => {
  const source_id = uuidv7()
  const source = { id: source_id, nom, type: 'rss', url: 'https://feed.example/' }
  await db.insertInto('import_sources').values(source).execute()
  const item = {
    source_id,
    publication_id,
    external_id: '1',
    said: '{}',
    run_id: uuidv7(),
    action: 'created',
  }
  await db.insertInto('import_items').values(item).execute()
  return { id: source_id, nom }
}
const day = (n: number) => new Date(Date.UTC(2026, 9, n))

test('GET /admin/publications returns 200 with author, source, reports and record of its acteur', async () => {
  const club = await acteur()
  const zoe = await user({ nom: 'Zoé' })
  const one = await insertPublication(world, { acteur_id: club.id, created_by: zoe.id })
  const rejected = { acteur_id: club.id, moderation_status: 'rejected', valide: false } as const
  await insertPublication(world, rejected)
  await insertPublication(world, { ...rejected, created_at: new Date('2020-01-01') })
  const imported = await insertPublication(world, { acteur_id: null })
  const source = await importFrom('Agenda', imported.id)
  await report(one.id, { category: 'wrong', created_at: day(1) })
  await report(one.id, { category: 'spam', created_at: day(3) })
  await report(one.id, { category: 'spam', created_at: day(2) })
  await report(one.id, { category: 'other', created_at: day(4), closed_at: day(5) })
  await report(imported.id)
  const expected = {
    [one.id]: {
      ...{ created_by: zoe.id, created_by_user: { id: zoe.id, nom: 'Zoé' }, source: null },
      reports_summary: { open: 3, categories: ['spam', 'wrong'], latest_at: '2026-10-03T00:00:00.000Z' },
      record: { published: 1, rejected: 1, reported: 1 },
    },
    [imported.id]: {
      ...{ created_by: null, created_by_user: null, source, record: null },
      reports_summary: { open: 1, categories: [], latest_at: expect.any(String) },
    },
  }
  const { data } = await list(`ids=${one.id},${imported.id}`)
  for (const row of data) expect(row).toMatchObject(expected[row.id as string] ?? {})
  for (const [id, fields] of Object.entries(expected))
    expect((await moderator.get(`/admin/publications/${id}`)).body.data).toMatchObject(fields)
})

test('the record counts the newest publications of the last year only', async () => {
  const busy = await acteur()
  for (let n = 0; n < recordedPublications + 3; n++) await insertPublication(world, { acteur_id: busy.id })
  const { data } = await list(`acteur_id=${busy.id}&per_page=1`)
  expect(data[0]?.record).toEqual({ published: recordedPublications, rejected: 0, reported: 0 })
})

test('GET /admin/publications filters by time, author, source and category of open reports', async () => {
  const author = await user()
  const made = []
  for (const n of [1, 2, 3, 4])
    made.push(await insertPublication(world, { created_by: author.id, created_at: day(n) }))
  const [first, second, third, fourth] = made.map(({ id }) => id)
  const by = `created_by=${author.id}`
  expect(idsOf(await list(by))).toEqual([fourth, third, second, first])
  const [since, until] = [day(2).toISOString(), day(4).toISOString()]
  const between = await list(`${by}&since=${since}&until=${until}`)
  expect([idsOf(between), between.meta.total]).toEqual([[third, second], 2])
  expect(idsOf(await list(`${by}&until=${since}&sort=titre_asc`))).toEqual([first])

  const source = await importFrom('Flux', third ?? '')
  const from = await list(`source_id=${source.id}`)
  expect([idsOf(from), from.meta.total]).toEqual([[third], 1])
  expect(idsOf(await list(`source_id=${source.id}&until=${since}`))).toEqual([])

  await report(first ?? '', { category: 'inappropriate' })
  await report(second ?? '', { category: 'duplicate' })
  await report(third ?? '', { category: 'duplicate', closed_at: day(9) })
  expect(idsOf(await list(`${by}&category=duplicate`))).toEqual([second])
  const either = await list(`${by}&category=duplicate,inappropriate&q=publication`)
  expect([idsOf(either), either.meta.total]).toEqual([[second, first], 2])
})

test('GET /admin/publications?sort=oldest_report_asc lists the longest reported first, then the others', async () => {
  const author = await user()
  const made: string[] = []
  for (const n of [1, 2, 3, 4, 5])
    made.push((await insertPublication(world, { created_by: author.id, created_at: day(n) })).id)
  const [first = '', second = '', third = '', fourth = '', fifth = ''] = made
  await report(fourth, { created_at: day(10) })
  await report(fourth, { created_at: day(30) })
  await report(second, { created_at: day(20) })
  await report(first, { created_at: day(5), closed_at: day(6) })
  const query = `created_by=${author.id}&sort=oldest_report_asc`
  const all = [fourth, second, first, third, fifth]
  const whole = await list(query)
  expect([idsOf(whole), whole.meta.total]).toEqual([all, 5])
  for (const per_page of [1, 2, 3]) {
    const pages = []
    for (let page = 1; page <= Math.ceil(5 / per_page); page++)
      pages.push(...idsOf(await list(`${query}&per_page=${per_page}&page=${page}`)))
    expect(pages).toEqual(all)
  }
  expect(idsOf(await list(`${query}&reported=true&visible=true`))).toEqual([fourth, second])
})

test('GET /admin/publications returns 422 for invalid filters and for a sort that duplicates=true excludes', async () => {
  for (const query of [
    ...['since=2026-11-20T08:30:00-18:00', 'since=2026-11-20T08:30:00.1234567890Z'],
    ...['since=hier', 'until=2026-13-01T00:00:00Z', 'source_id=x', 'created_by=x', 'category=boring'],
    ...['sort=oldest_report_desc', 'sort=oldest_report_asc&duplicates=true'],
  ])
    expect(await moderator.get(`/admin/publications?${query}`), query).toBeError(422, 'validation_failed')
})

test('colleagues who request the same page at once share its reads, and see what was written before', async () => {
  const colleague = await as('moderator')
  const path = '/admin/publications?moderation_status=pending&sort=created_at_desc'
  const { signedIn } = world.app.limits.lists.load
  const sent = await statementsAbout(/with found as/, async () => {
    const { written, later } = await db.transaction().execute(async (tx) => {
      await sql`lock table publications in access exclusive mode`.execute(tx)
      void moderator.get(path)
      await untilWaiting(db)
      const written = await insertPublication({ db: tx }, { moderation_status: 'pending', valide: false })
      const later = [moderator, colleague, moderator, colleague].map((one) => one.get(path))
      await expect.poll(() => signedIn.running).toBe(5)
      await sleep(300)
      return { written, later }
    })
    for (const { status, body } of await Promise.all(later)) {
      expect(status).toBe(200)
      expect(idsOf(body)[0]).toBe(written.id)
    }
  })
  expect(sent.length).toBeLessThan(5)
})
