import pg from 'pg'
import { expect, test, vi } from 'vitest'
import { insertManyPublications } from '../../../test/harness/many-publications.ts'
import { openWorld } from '../../../test/harness/world.ts'
import { restrictedSource } from './publications.test-kit.ts'

const statements = vi.spyOn(pg.Client.prototype, 'query')
const world = await openWorld()
const { bigCommune, smallCommune, bigActeur, smallActeur } = await insertManyPublications(world, 200_000)
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
  '/publications?q=chataignes',
  '/publications?q=fete%20pom',
  '/publications?q=concert',
  `/publications?q=concert&commune_id=${bigCommune}`,
  `/publications?q=nullepart`,
  '/publications?date_debut_min=2026-05-01&date_debut_max=2026-05-03',
  '/publications?date_debut_min=2026-05-01',
  `/publications?date_debut_min=2026-05-01&${type}&q=fete`,
  `/acteurs/${bigActeur}/publications?`,
  `/acteurs/${smallActeur}/publications?`,
  `/communes/${bigCommune}/publications?`,
  `/communes/${smallCommune}/publications?`,
]
const variants = lists.flatMap((path) => [
  { path, source: 'public' },
  { path, source: restricted },
])

test.each(variants)('$path for $source reads indexes, never all publications', async ({ path, source }) => {
  statements.mockClear()
  const answer = await world.get(path, { source })
  expect(answer.status).toBe(200)
  for (const plan of await explain(seen())) {
    const tables = ['publications', 'publication_communes', 'publication_reports']
    const scans = nodesOf(plan).filter((node) => node['Node Type'] === 'Seq Scan')
    expect(scans.filter((node) => tables.includes(node['Relation Name'] ?? ''))).toEqual([])
  }
})

test('counting all and skipping far reads nothing but indexes', async () => {
  for (const path of [
    '/publications',
    '/publications?page=3000',
    `/publications?${type}`,
    `/acteurs/${bigActeur}/publications`,
  ]) {
    statements.mockClear()
    await world.get(path)
    const [count, page] = (await explain(seen())).map(nodesOf)
    const heapReads = (nodes: Plan[] = []) =>
      nodes.filter(
        (node) => node['Relation Name'] === 'publications' && node['Node Type'] !== 'Index Only Scan',
      )
    // The few featured ones are looked up in their own small index.
    expect(
      heapReads(count).filter((node) => node['Actual Rows'] > 100),
      path,
    ).toEqual([])
    // The rows of the page itself.
    expect(
      heapReads(page).filter((node) => node['Actual Rows'] > 100 || node['Actual Loops'] > 15),
      path,
    ).toEqual([])
  }
})

test('the first page of any list but a search touches few blocks', async () => {
  for (const path of lists.filter(
    (one) => !one.includes('q=') && !one.includes('page=') && !one.includes('date'),
  )) {
    statements.mockClear()
    await world.get(path)
    const page = (await explain(seen())).at(-1)
    const blocks = (page?.['Shared Hit Blocks'] ?? 0) + (page?.['Shared Read Blocks'] ?? 0)
    expect(blocks, path).toBeLessThan(5_000)
  }
})

type Plan = {
  'Node Type': string
  'Relation Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Shared Hit Blocks': number
  'Shared Read Blocks': number
  Plans?: Plan[]
}
type Statement = { text: string; values: unknown[] }

/** The statements on publications that the last request made. */
function seen(): Statement[] {
  return statements.mock.calls.flatMap((call) => {
    const [query, values] = call as unknown as [string | Statement, unknown[]]
    const statement = typeof query === 'string' ? { text: query, values } : query
    return /from publications p/.test(statement.text)
      ? [{ text: statement.text, values: statement.values ?? values ?? [] }]
      : []
  })
}

async function explain(made: Statement[]): Promise<Plan[]> {
  expect(made).toHaveLength(2)
  const plans = []
  for (const { text, values } of made) {
    const { rows } = await world.pool.query(`explain (analyze, buffers, format json) ${text}`, values)
    plans.push(rows[0]['QUERY PLAN'][0].Plan)
  }
  return plans
}

const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)]
