import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { explain, gatherStatistics, readWhole } from '../../../../test/harness/plans.ts'
import { statementsAbout } from '../../../../test/harness/statements.ts'
import { openWorld } from '../../../../test/harness/world.ts'

const world = await openWorld()
const { as, acteur, db, database } = world
const admin = await as('admin')
const { id: claimed } = await acteur({ nom: 'Boule des Accoules' })
await insertMany(20_000)
await gatherStatistics(database, ['claims', 'acteurs', 'users'])

async function insertMany(count: number) {
  await sql`
    with made as (
      insert into acteurs (id, slug, nom, type)
      select md5('acteur ' || n)::uuid, 'many-' || n, 'Acteur ' || n, 'commerce' from generate_series(1, ${count}::int) n
      returning id, slug)
    insert into claims (id, acteur_id, nom, email, message, status, ended_at, created_at)
    select md5('claim ' || n)::uuid, case when n % 1000 = 1 then ${claimed}::uuid else made.id end, 'Odile ' || n,
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

const statementsOf = (query: string) =>
  statementsAbout(/claims/, async () => {
    expect((await admin.get(`/admin/claims?${query}`)).status).toBe(200)
  })

test.each(lists)('the list of claims reads indexes, never all claims: %s', async (query) => {
  const statements = await statementsOf(query)
  expect(statements).toHaveLength(2)
  for (const statement of statements)
    expect(readWhole(await explain(world.pool, statement))).not.toContain('claims')
})

test('a page of a hundred claims costs the statements of a page of one', async () => {
  for (const query of ['per_page=1', 'per_page=100']) expect(await statementsOf(query), query).toHaveLength(2)
})
