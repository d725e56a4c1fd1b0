import { sql } from 'kysely'
import pg from 'pg'
import { expect, test, vi } from 'vitest'
import { openWorld, run } from '../../../test/harness/world.ts'

const statements = vi.spyOn(pg.Client.prototype, 'query')
const world = await openWorld({ maxEventLoopDelayMs: 60_000 })
const { as, acteur, db, database } = world
const admin = await as('admin')
const { id: claimed } = await acteur({ nom: 'Boule des Accoules' })
await insertMany(20_000)
await run(database.owner, 'vacuum analyze claims')

async function insertMany(count: number) {
  await sql`
    with made as (
      insert into acteurs (id, slug, nom, type)
      select gen_random_uuid(), 'many-' || n, 'Acteur ' || n, 'commerce' from generate_series(1, ${count}::int) n
      returning id, slug)
    insert into claims (id, acteur_id, nom, email, message, status, ended_at, created_at)
    select gen_random_uuid(), case when n % 1000 = 1 then ${claimed}::uuid else made.id end, 'Odile ' || n,
      'p' || n || '@example.org', repeat('Je tiens désormais la page. ', 10), status,
      case when status <> 'pending' then now() end, now() - n * interval '10 minutes'
    from (select *, substr(slug, 6)::int as n from made) made,
      lateral (select case when n % 40 = 0 then 'pending' when n % 3 = 0 then 'rejected' else 'expired' end as status) one`.execute(
    db,
  )
}

const lists = [
  '',
  'page=400',
  'status=pending',
  'status=expired',
  'status=rejected',
  `acteur_id=${claimed}`,
  `acteur_id=${claimed}&status=expired`,
  'q=odile%20777',
  'q=p12345@',
  'q=accoules',
]

type Plan = { 'Node Type': string; 'Relation Name'?: string; Plans?: Plan[] }

/** The statements of a request that read claims, with their values. */
async function statementsOf(path: string): Promise<{ text: string; values: unknown[] }[]> {
  statements.mockClear()
  expect((await admin.get(path)).status).toBe(200)
  const calls = statements.mock.calls as unknown as [
    { text?: string; values?: unknown[] } | string,
    unknown[]?,
  ][]
  return calls
    .map(([query, values]) =>
      typeof query === 'string'
        ? { text: query, values: values ?? [] }
        : { text: query.text ?? '', values: query.values ?? [] },
    )
    .filter(({ text }) => text.includes('claims'))
}

const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)]

test.each(lists)('the list of claims reads indexes, never all claims: %s', async (query) => {
  const seen = await statementsOf(`/admin/claims?${query}`)
  expect(seen).toHaveLength(2)
  for (const { text, values } of seen) {
    const { rows } = await world.pool.query(`explain (format json) ${text}`, values)
    const scans = nodesOf(rows[0]['QUERY PLAN'][0].Plan).filter((node) => node['Node Type'] === 'Seq Scan')
    expect(scans.filter((node) => node['Relation Name'] === 'claims')).toEqual([])
  }
})

test('a page of a hundred claims costs the statements of a page of one', async () => {
  for (const query of ['per_page=1', 'per_page=100'])
    expect(await statementsOf(`/admin/claims?${query}`), query).toHaveLength(2)
})
