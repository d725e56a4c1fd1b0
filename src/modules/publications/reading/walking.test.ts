import { expect, test } from 'vitest'
import { cloneManyPublications, manyRows } from '../../../../test/support/many/publications.ts'
import { explain, visitedBy } from '../../../../test/support/plans.ts'
import { statementsAbout } from '../../../../test/support/statements.ts'
import { openWorld, run } from '../../../../test/support/world.ts'
import { restrictedSource } from '../publications.test-kit.ts'
import { rowsToWalk } from '../search.ts'

const { database, bigCommune, smallCommune, bigActeur } = await cloneManyPublications(manyRows)
const world = await openWorld({ database })
// A third of all publications contain it, one of them featured.
const word = 'samedi'
const type = '01998000-0000-7000-8000-000000000002'

// Half of all communes, with two thirds of all publications, and two small ones.
const { rows: communes }: { rows: { id: string }[] } = await run(
  world.database.owner,
  "select id from communes where slug like 'many-%' order by id",
)
const half = communes.slice(0, 150).map(({ id }) => id)
const twoSmall = communes.slice(250, 252).map(({ id }) => id)

/** All public rows with this word, computed without an index: featured first, then newest. */
const { rows: matching }: { rows: { id: string; type_id: string; featured: boolean }[] } = await run(
  world.database.owner,
  `select p.id, p.type_id, p.en_avant and coalesce(p.featured_until > now(), true) as featured
   from publications p left join acteurs a on a.id = p.acteur_id
   where p.body like '%${word}%' and p.valide and p.deleted_at is null and p.publie_le <= now()
     and p.moderation_status in ('approved', 'published') and (a.id is null or a.active and a.deleted_at is null)
   order by featured desc, p.publie_le desc, p.id desc`,
)
const ids = matching.map(({ id }) => id)

async function search(query: string) {
  const { status, body } = await world.get(`/publications?q=${word}${query}`)
  expect(status).toBe(200)
  return { ids: body.data.map(({ id }: { id: string }) => id), meta: body.meta }
}

const admin = await world.as('admin')
const atLeast = { total: 1_000, total_is_at_least: true }

test('for common words a thousand matches are counted, and pages end there', async () => {
  expect(ids.length).toBeGreaterThan(0.1 * manyRows)
  expect(matching[0]?.featured).toBe(true)
  const meta = { current_page: 1, last_page: 67, per_page: 15, ...atLeast }
  for (const page of [1, 2, 3, 66]) {
    const found = await search(`&page=${page}`)
    const expected = ids.slice(15 * (page - 1), 15 * page)
    expect(found).toEqual({ ids: expected, meta: { ...meta, current_page: page } })
  }
  const last = await search('&page=10&per_page=100')
  expect(last.ids).toEqual(ids.slice(900, 1_000))
  expect(last.meta).toEqual({ current_page: 10, last_page: 10, per_page: 100, ...atLeast })
})

const lastPage = (matches: string[], perPage: number) => Math.ceil(Math.min(1_000, matches.length) / perPage)

test('smaller lists are walked too', async () => {
  const ofType = matching.filter(({ type_id }) => type_id === type).map(({ id }) => id)
  for (const page of [1, 60, lastPage(ofType, 15)]) {
    const found = await search(`&type_id=${type}&page=${page}`)
    expect(found.ids).toEqual(ofType.slice(15 * (page - 1), 15 * page))
    expect(found.meta).toMatchObject(atLeast)
  }
})

const agenda = (condition: string) =>
  run(
    world.database.owner,
    `select p.id from publications p left join acteurs a on a.id = p.acteur_id
     where p.body like '%${word}%' and p.valide and p.deleted_at is null and p.publie_le <= now()
       and p.moderation_status in ('approved', 'published') and (a.id is null or a.active and a.deleted_at is null)
       and ${condition}
     order by p.date_debut, p.id`,
  ).then(({ rows }: { rows: { id: string }[] }) => rows.map(({ id }) => id))

test.each([
  ['', 'true'],
  [`&type_id=${type}`, `p.type_id = '${type}'`],
  [
    `&commune_id=${bigCommune}`,
    `exists (
    select from publication_communes c where c.publication_id = p.id and c.commune_id = '${bigCommune}')`,
  ],
  ['&date_debut_min=2026-05-01', "p.date_debut >= '2026-05-01'"],
  [
    '&date_fin_min=2026-05-01',
    "p.date_debut is not null and coalesce(p.date_fin, p.date_debut) >= '2026-05-01'",
  ],
])('an agenda of common words is in the order of the first day: %s', async (query, condition) => {
  const expected = await agenda(condition)
  expect(expected.length).toBeGreaterThan(100)
  for (const page of [1, 3, lastPage(expected, 15)]) {
    const found = await search(`&sort=date_debut_asc${query}&page=${page}`)
    expect(found.ids).toEqual(expected.slice(15 * (page - 1), 15 * page))
    expect(found.meta.total).toBe(Math.min(1_000, expected.length))
  }
})

test('filters by day and by the communes of an application apply to common words', async () => {
  const days = "p.date_debut >= '2026-05-01' and p.date_debut <= '2026-12-31'"
  const dated = new Set(await agenda(days))
  const onDays = await search('&date_debut_min=2026-05-01&date_debut_max=2026-12-31&per_page=100')
  expect(onDays.ids).toEqual(ids.filter((id) => dated.has(id)).slice(0, 100))
  for (const communeIds of [[bigCommune, smallCommune], half, twoSmall]) {
    const client = world.client({ source: await restrictedSource(world, communeIds) })
    const isAttached = `exists (select from publication_communes c
      where c.publication_id = p.id and c.commune_id = any('{${communeIds}}'))`
    const byDay = await agenda(isAttached)
    const attached = new Set(byDay)
    const newest = ids.filter((id) => attached.has(id))
    for (const page of [1, 3, lastPage(newest, 100)]) {
      for (const [sort, expected] of [
        ['', newest],
        ['&sort=date_debut_asc', byDay],
      ] as const) {
        const { body } = await client.get(`/publications?q=${word}&per_page=100&page=${page}${sort}`)
        expect(body.data.map(({ id }: { id: string }) => id)).toEqual(
          expected.slice(100 * (page - 1), 100 * page),
        )
        expect(body.meta.total).toBe(Math.min(1_000, expected.length))
      }
    }
  }
})

test.each([
  '',
  '&sort=date_debut_asc',
  '&sort=date_debut_asc&date_fin_min=2026-05-01',
  `&sort=date_debut_asc&type_id=${type}`,
])('a search for common words does not read all matches: %s', async (query) => {
  await search(`${query}&page=2`)
  const sent = await statementsAbout(/is_known/, () => search(`${query}&page=3`))
  expect(sent).toHaveLength(1)
  for (const statement of sent) {
    const steps = await explain(world.pool, statement)
    const visited = steps.filter((step) => step['Relation Name'] === 'publications').map(visitedBy)
    expect(Math.max(...visited)).toBeLessThan(0.5 * ids.length)
  }
})

/** Rows that the statements of a search read. */
async function readBy(
  path: string,
  { source = 'public', of = 'publications', about = /is_known/ } = {},
): Promise<number> {
  const client = world.client({ source })
  await client.get(path)
  const sent = await statementsAbout(about, () => client.get(path))
  expect(sent.length).toBeGreaterThan(0)
  const steps = (await Promise.all(sent.map((statement) => explain(world.pool, statement)))).flat()
  const ofTable = steps.filter((step) => step['Relation Name'] === of)
  return ofTable.reduce((sum, step) => sum + visitedBy(step), 0)
}

test.each(['', '&sort=date_debut_asc', '&date_debut_min=2026-05-01'])(
  'a search for common words by an application of several communes does not read all matches: %s',
  async (query) => {
    const source = await restrictedSource(world, half)
    expect(await readBy(`/publications?q=${word}${query}`, { source })).toBeLessThan(0.5 * ids.length)
    const ofFew = await restrictedSource(world, twoSmall)
    expect(await readBy(`/publications?q=${word}${query}`, { source: ofFew })).toBeLessThan(2_000)
  },
)

test.each(['', '&date_debut_min=2026-05-01', '&sort=date_debut_asc&date_fin_min=2026-05-01'])(
  'a search for common words among the publications of an acteur reads no others: %s',
  async (query) => {
    const { rows } = await run(
      world.database.owner,
      `select count(*)::int as of_acteur from publications where acteur_id = '${bigActeur}'`,
    )
    const path = `/publications?q=${word}&acteur_id=${bigActeur}${query}`
    // A step that keeps half of its rows may count each twice: PostgreSQL rounds its averages.
    expect(await readBy(path)).toBeLessThan(2 * rows[0].of_acteur)
  },
)

test('a beginning of many rare words is common, although PostgreSQL does not know it', async () => {
  // One text in eight has a word of its own that begins so.
  expect(await rowsToWalk(world.db, 'lot', 501)).toBeGreaterThan(0)
  expect(await rowsToWalk(world.db, 'lot16', 501)).toBe(0)
  const { rows }: { rows: { id: string }[] } = await run(
    world.database.owner,
    `select p.id from publications p left join acteurs a on a.id = p.acteur_id
     where p.body ~ ' lot[0-9]' and p.valide and p.deleted_at is null and p.publie_le <= now()
       and p.moderation_status in ('approved', 'published') and (a.id is null or a.active and a.deleted_at is null)
     order by p.en_avant and coalesce(p.featured_until > now(), true) desc, p.publie_le desc, p.id desc limit 100`,
  )
  const { data, meta } = (await world.get('/publications?q=lot&per_page=100')).body
  expect(data.map(({ id }: { id: string }) => id)).toEqual(rows.map(({ id }) => id))
  expect(meta).toMatchObject(atLeast)
})

test('a beginning of many rare words is judged by a sample, not by all that begins so', async () => {
  expect(await readBy('/publications?q=lot', { about: /tablesample/ })).toBeLessThan(0.05 * manyRows)
})

test('what all searches estimate alike is estimated once, not by each of them', async () => {
  const estimates = () => statementsAbout(/^\s*explain/, () => world.get('/publications?q=lot'))
  await estimates()
  // An estimate is kept for ten seconds, in which a machine under load may not ask twice.
  await expect.poll(estimates).toHaveLength(1)
})

test('a search for a rare word looks up the acteurs of its matches, and reads no others', async () => {
  const { meta } = (await world.get('/publications?q=lot1600')).body
  expect(meta.total).toBeGreaterThan(0)
  expect(await readBy('/publications?q=lot1600', { of: 'acteurs' })).toBeLessThan(10 * meta.total)
})

test('up to a thousand matches are counted exactly', async () => {
  for (const query of [
    'chataignes',
    'samedi chataignes',
    'nullepart',
    `${word}&commune_id=${smallCommune}`,
  ]) {
    const { data, meta } = (await world.get(`/publications?per_page=100&q=${query}`)).body
    expect(meta.total_is_at_least, query).toBeUndefined()
    expect(data, query).toHaveLength(Math.min(100, meta.total))
  }
})

test('the beginning of a common word is common too, and so are common words together', async () => {
  for (const q of ['same', 'rendez-vous samedi', 'samedi rend'])
    expect((await world.get(`/publications?q=${q}`)).body.meta, q).toMatchObject(atLeast)
})

test('an agenda from a day on is counted up to fifty thousand, and pages end there', async () => {
  const agenda = (query: string) => world.get(`/publications?sort=date_debut_asc&date_fin_min=${query}`)
  const { body } = await agenda('2026-01-01')
  expect(body.meta).toEqual({
    ...{ current_page: 1, last_page: 3_334, per_page: 15 },
    ...{ total: 50_000, total_is_at_least: true },
  })
  expect(await agenda('2026-01-01&page=3335')).toBeError(422, 'validation_failed')
  const { meta } = (await agenda('2027-11-20')).body
  expect(meta.total).toBeLessThan(50_000)
  expect(meta.total_is_at_least).toBeUndefined()
})

test('a page behind a thousand matches is refused, behind fewer it is empty', async () => {
  expect(await world.get('/publications?q=samedi&page=67')).toMatchObject({ status: 200 })
  expect(await world.get('/publications?q=samedi&page=68')).toBeError(422, 'validation_failed')
  expect((await world.get('/publications?q=chataignes&page=68')).body.data).toEqual([])
  expect(await admin.get('/admin/publications?q=samedi&page=41')).toBeError(422, 'validation_failed')
  const oldest = '/admin/publications?sort=oldest_report_asc&q=samedi'
  expect(await admin.get(`${oldest}&page=41`)).toBeError(422, 'validation_failed')
  expect((await admin.get(oldest)).body.data).toHaveLength(25)
})
