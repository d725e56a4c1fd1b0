import { expect, test } from 'vitest'
import { cloneManyPublications, manyRows } from '../../../../test/support/many/publications.ts'
import { explain, readWhole, type Step } from '../../../../test/support/plans.ts'
import { statementsAbout } from '../../../../test/support/statements.ts'
import { openWorld } from '../../../../test/support/world.ts'
import { pagingOf } from '../../../platform/http/listing/paging.ts'
import { insertPublication, insertPublications, restrictedSource } from '../publications.test-kit.ts'
import { storedJours } from '../recurrence.ts'
import { isFeatured } from '../stored-lists.ts'
import { listShown } from './queries.ts'

const many = await cloneManyPublications(manyRows)
const { database, bigCommune, smallCommune, bigActeur, smallActeur } = many
const world = await openWorld({ database })
const restricted = await restrictedSource(world, [bigCommune, smallCommune])
const type = 'type_id=01998000-0000-7000-8000-000000000002'

const lists = [
  '/publications?',
  '/publications?page=3000&',
  `/publications?commune_id=${bigCommune}`,
  `/publications?commune_id=${smallCommune}`,
  `/publications?acteur_id=${bigActeur}`,
  `/publications?acteur_id=${smallActeur}`,
  `/publications?${type}`,
  `/publications?${type}&commune_id=${bigCommune}&acteur_id=${bigActeur}`,
  '/publications?q=!!',
  '/publications?q=chataignes',
  '/publications?q=fete%20pom',
  '/publications?q=concert',
  `/publications?q=concert&commune_id=${bigCommune}`,
  `/publications?q=nullepart`,
  '/publications?date_debut_min=2026-05-01&date_debut_max=2026-05-03',
  '/publications?date_debut_min=2026-05-01',
  `/publications?date_debut_min=2026-05-01&${type}&q=fete`,
  '/publications?sort=date_debut_asc',
  '/publications?sort=date_debut_asc&page=3000',
  '/publications?sort=date_debut_asc&date_fin_min=2026-05-01',
  '/publications?sort=date_debut_asc&date_fin_min=2027-11-20',
  '/publications?sort=date_debut_asc&date_fin_min=2027-11-29',
  `/publications?sort=date_debut_asc&date_fin_min=2026-05-01&${type}`,
  `/publications?sort=date_debut_asc&date_fin_min=2026-05-01&acteur_id=${bigActeur}`,
  `/publications?sort=date_debut_asc&date_fin_min=2026-05-01&q=concert`,
  `/communes/${bigCommune}/publications?sort=date_debut_asc&date_fin_min=2026-05-01`,
  `/communes/${smallCommune}/publications?sort=date_debut_asc&date_fin_min=2026-05-01`,
  '/publications?sort=date_debut_asc&date_debut_min=2026-05-01',
  `/communes/${bigCommune}/publications?sort=date_debut_asc&date_debut_min=2026-05-01`,
  `/acteurs/${bigActeur}/publications?`,
  `/acteurs/${smallActeur}/publications?`,
  `/communes/${bigCommune}/publications?`,
  `/communes/${smallCommune}/publications?`,
]
const variants = lists.flatMap((path) => [
  { path, source: 'public' },
  { path, source: restricted },
])

const large = ['publications', 'publication_communes', 'publication_listings']

test.each(variants)(
  '$path for $source uses indexes and never scans all publications',
  async ({ path, source }) => {
    const whole = readWhole(await planOf(path, source))
    expect(whole.filter((table) => large.includes(table))).toEqual([])
  },
)

test('a stored list is counted and paged within its index', async () => {
  for (const path of [
    '/publications',
    '/publications?page=3000',
    '/publications?sort=date_debut_asc&page=3000',
    `/publications?${type}`,
    `/acteurs/${bigActeur}/publications`,
    `/communes/${bigCommune}/publications?page=100`,
  ]) {
    const met = (await planOf(path))
      .filter(
        (step) => large.includes(step['Relation Name'] ?? '') && step['Node Type'] !== 'Index Only Scan',
      )
      .map((step) => step['Actual Rows'] * step['Actual Loops'])
    // The page's own rows and the few featured, pinned or scheduled ones.
    expect(Math.max(...met), path).toBeLessThan(150)
  }
})

test('what was refused of a prolific acteur is found by its index alone', async () => {
  const admin = await world.as('admin')
  const { id } = await insertPublication(world, { acteur_id: bigActeur })
  const made = await statementsAbout(/with rejected as/, async () => {
    expect((await admin.get(`/admin/publications/${id}`)).status).toBe(200)
  })
  expect(made).toHaveLength(1)
  const steps = (await Promise.all(made.map((one) => explain(world.pool, one)))).flat()
  const walked = steps.filter((step) => step['Index Name'] === 'publications_of_acteur')
  expect(walked.map((step) => step['Node Type'])).toEqual(['Index Only Scan'])
})

test('an agenda from a day on reads index entries only, and the rows of its page', async () => {
  for (const path of [
    '/publications?sort=date_debut_asc&date_fin_min=2026-05-01',
    '/publications?sort=date_debut_asc&date_fin_min=2026-05-01&page=1000',
    `/communes/${bigCommune}/publications?sort=date_debut_asc&date_fin_min=2026-05-01`,
    `/communes/${bigCommune}/publications?sort=date_debut_asc&date_debut_min=2026-05-01`,
  ]) {
    const met = (await planOf(path))
      .filter(
        (step) => large.includes(step['Relation Name'] ?? '') && step['Node Type'] !== 'Index Only Scan',
      )
      .map((step) => step['Actual Rows'] * step['Actual Loops'])
    expect(Math.max(...met), path).toBeLessThan(150)
  }
})

test('the dates of series in a month are found by index, and only series are looked up', async () => {
  const first = '2026-05-02'
  const recurrence = { regle: 'FREQ=WEEKLY;COUNT=100', exceptions: [], ajouts: [], occurrences: [] }
  const row = { commune_id: bigCommune, date_debut: first, recurrence }
  const jours = storedJours(row)
  const ofOneDay = Array(300).fill({ commune_id: bigCommune, date_debut: first })
  await insertPublications(world, [...Array(40).fill({ ...row, jours }), ...ofOneDay])
  for (const each of ['date', 'next date'] as const) {
    const filters = { sort: 'date_debut_asc', commune_id: bigCommune, date_debut_min: first } as const
    const list = {
      ...{ communeIds: null, comesFirst: isFeatured, each },
      filters: { ...filters, date_debut_max: '2026-06-01' },
    }
    const made = await statementsAbout(/lateral unnest\(s\.jours\)/, async () => {
      const { rows } = await listShown(world.db, list, pagingOf({}, 50))
      expect(rows.filter(({ recurrence }) => recurrence !== null).length).toBeGreaterThan(0)
    })
    expect(made).toHaveLength(1)
    const steps = (await Promise.all(made.map((one) => explain(world.pool, one)))).flat()
    expect(readWhole(steps).filter((table) => large.includes(table))).toEqual([])
    const met = steps
      .filter(({ 'Relation Name': table }) => table === 'publications')
      .map((step) => Math.max(1, step['Actual Rows']) * step['Actual Loops'])
    expect(Math.max(...met)).toBeLessThan(150)
  }
})

test('the first page of any list except a search reads few blocks', async () => {
  for (const path of lists.filter(
    (one) => !one.includes('q=') && !one.includes('page=') && !one.includes('date'),
  )) {
    const [whole] = await planOf(path)
    const blocks = (whole?.['Shared Hit Blocks'] ?? 0) + (whole?.['Shared Read Blocks'] ?? 0)
    expect(blocks, path).toBeLessThan(5_000)
  }
})

test('a search for rare words is one statement that looks up its matches, whatever the size of the country', async () => {
  for (const word of ['chataignes', 'nullepart']) {
    await world.get(`/publications?q=${word}`)
    const path = `/publications?q=${word}&page=2`
    const sent = await statementsAbout(/is_known/, () => world.get(path))
    expect(sent.map(({ isPrepared }) => isPrepared)).toEqual([true])
    const [whole] = await planOf(path)
    expect((whole?.['Shared Hit Blocks'] ?? 0) + (whole?.['Shared Read Blocks'] ?? 0)).toBeLessThan(2_500)
  }
})

test('while lists of an acteur are refreshed, every list shows the same and never scans all publications', async () => {
  const bodyOf = async (path: string) => (await world.get(path)).body
  const before = await Promise.all(lists.map(bodyOf))
  await world.pool.query('insert into listing_refreshes (acteur_id, total) values ($1, 1)', [bigActeur])
  for (const [index, path] of lists.entries()) {
    const made = await statementsAbout(/current_listings/, async () =>
      expect(await bodyOf(path), path).toEqual(before[index]),
    )
    const steps = (await Promise.all(made.map((one) => explain(world.pool, one)))).flat()
    const whole = readWhole(steps).filter((table) => large.includes(table))
    expect(whole, path).toEqual([])
  }
})

/** A list is one statement, and so is a search. */
async function planOf(path: string, source = 'public'): Promise<Step[]> {
  const made = await statementsAbout(/is_known/, async () => {
    expect((await world.get(path, { source })).status).toBe(200)
  })
  expect(made).toHaveLength(1)
  return (await Promise.all(made.map((one) => explain(world.pool, one)))).flat()
}
