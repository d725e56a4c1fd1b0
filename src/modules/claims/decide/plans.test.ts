import { expect, test } from 'vitest'
import { explain, gatherStatistics, readWhole } from '../../../../test/support/plans.ts'
import { statementsAbout } from '../../../../test/support/statements.ts'
import { openWorld, run } from '../../../../test/support/world.ts'

const world = await openWorld()
const { as, acteur, database } = world
const admin = await as('admin')
const { id: claimed } = await acteur({ nom: 'Boule des Accoules' })
await insertMany(100_000)
await gatherStatistics(database, ['claims', 'acteurs', 'users'])

/** One in forty is pending, each on its own acteur. */
async function insertMany(count: number) {
  const idOf = (kind: string, number: string) => `md5('${kind} ' || ${number})::uuid`
  await run(
    database.owner,
    `insert into acteurs (id, slug, nom, type)
     select ${idOf('acteur', 'n')}, 'many-' || n, 'Acteur ' || n, 'commerce' from generate_series(0, ${count / 40}) n;
     insert into claims (id, acteur_id, nom, email, message, status, ended_at, created_at)
     select ${idOf('claim', 'n')}, case when n % 1000 = 1 then '${claimed}'::uuid else ${idOf('acteur', 'n / 40')} end,
       'Odile ' || n, 'p' || n || '@example.org', 'Je tiens désormais la page.', status,
       case when status <> 'pending' then now() - n * interval '1 minute' end, now() - n * interval '2 minutes'
     from generate_series(1, ${count}) n,
       lateral (select case when n % 40 = 0 then 'pending' when n % 3 = 0 then 'rejected' else 'expired' end as status) one`,
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
  'q=K7QM2-X9RTB',
  'status=pending,expired',
  'status=approved,rejected',
  'ids=0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e',
  ...['created_at', 'decided_at', 'status'].flatMap((key) => [`sort=${key}_asc`, `sort=${key}_desc`]),
  'sort=status_desc&page=400',
  'sort=decided_at_asc&status=pending',
]

const statementsOf = (query: string) =>
  statementsAbout(/claims/, async () => {
    expect((await admin.get(`/admin/claims?${query}`)).status).toBe(200)
  })

test.each(lists)('the list of claims uses indexes and never scans the table: %s', async (query) => {
  const statements = await statementsOf(query)
  expect(statements).toHaveLength(2)
  for (const statement of statements)
    expect(readWhole(await explain(world.pool, statement))).not.toContain('claims')
})

test('a page of a hundred claims needs as many statements as a page of one', async () => {
  for (const query of ['per_page=1', 'per_page=100']) expect(await statementsOf(query), query).toHaveLength(2)
})
