import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { cloneWithCommunes } from '../../../test/support/many/communes.ts'
import { explain, gatherStatistics, readWhole, visitedBy, watch } from '../../../test/support/plans.ts'
import { openWorld, run } from '../../../test/support/world.ts'
import { adminPerPage, pagingOf } from '../../platform/http/listing/paging.ts'
import { type CommunesAdminQuery, listManagedCommunes } from './admin-list.ts'
import { gapNames } from './gaps.ts'

const database = await cloneWithCommunes()
const { db: own, pool } = await openWorld({ database })
const { db, statements } = watch(pool)

/** All communes of the register: most have élus, half a mairie, few collectes, and nobody a complete contact. */
beforeAll(async () => {
  await run(
    database.owner,
    `insert into acteurs (id, slug, nom, type)
     values ('0199c9a3-aaaa-7000-8000-000000000001', 'mairie', 'Mairie', 'mairie');
     update communes set mairie_actor_id = '0199c9a3-aaaa-7000-8000-000000000001'
     where hashtext(code_insee) % 2 = 0;
     insert into elus (id, commune_id, nom, prenom, fonction, ordre)
     select id, id, 'Vauquelin', 'Odile', 'Maire', 1 from communes where hashtext(code_insee) % 300 <> 0;
     insert into collectes (id, commune_id, position, type_dechet, libelle, mode)
     select id, id, 1, 'verre', 'Verre', 'apport_volontaire' from communes where hashtext(code_insee) % 100 = 0`,
  )
  await gatherStatistics(database, ['communes', 'commune_gaps', 'commune_aliases', 'commune_former_names'])
}, 120_000)

test('the triggers found the gaps of the whole register', async () => {
  const { rows } = await sql`select count(*) as communes, count(*) filter (where gaps = found.gaps) as equal
    from communes join commune_gaps on commune_id = id
    join find_commune_gaps(array(select id from communes)) found using (commune_id, gaps)`.execute(own)
  const { communes, equal } = rows[0] as { communes: number; equal: number }
  expect(communes).toBeGreaterThan(34_000)
  expect(equal).toBe(communes)
})

const asked = Array.from({ length: 15 }, (_, n) => gapNames.filter((_, bit) => (n + 1) & (1 << bit)))
const filters: CommunesAdminQuery[] = [
  {},
  { departement: '73' },
  { region: '84' },
  { mairie: [true] },
  { mairie: [false] },
  { q: 'saint' },
]
const sorts = [
  undefined,
  'nom_desc',
  'population_asc',
  'population_desc',
  'code_insee_asc',
  'code_insee_desc',
] as const

/** Together they have each filter with each sort; the long run has all of them for each. */
const sortsFor = (number: number) => (process.env.PARVIS_TEST_LONG ? sorts : [sorts[number % sorts.length]])

test.each(asked.map((incomplete, index) => [incomplete.join(','), incomplete, index] as const))(
  'a page of communes that lack %s uses an index with every filter',
  async (_, incomplete, index) => {
    for (const [at, filter] of filters.entries())
      for (const sort of sortsFor(index + at)) {
        const query = { ...filter, incomplete, ...(sort && { sort }) }
        statements.length = 0
        const { rows, total } = await listManagedCommunes(db, query, pagingOf({}, adminPerPage))
        expect(rows.length).toBe(Math.min(total, adminPerPage))
        expect(statements.length).toBeLessThanOrEqual(2)
        for (const statement of statements) {
          // The totals of large selections read all of the narrow table of gaps.
          if (statement.sql.includes('group by gaps')) continue
          // For thousands of communes, hashing the narrow table of gaps is cheaper than looking each up.
          const steps = (await explain(pool, statement)).filter(
            (step) => step['Relation Name'] !== 'commune_gaps',
          )
          const what = JSON.stringify([query, steps.map((step) => [step['Node Type'], visitedBy(step)])])
          expect(readWhole(steps), what).not.toContain('communes')
          // The planner cannot know that hardly a commune names a mairie and lacks one: one pass by index.
          const isRare = filter.mairie !== undefined && incomplete.includes('mairie')
          expect(Math.max(...steps.map(visitedBy)), what).toBeLessThan(isRare ? 36_000 : 20_000)
        }
      }
  },
  60_000,
)

test('counts all gaps in the index alone', async () => {
  statements.length = 0
  await listManagedCommunes(db, { incomplete: ['elus'] }, pagingOf({}, adminPerPage))
  const counting = statements.find((statement) => statement.sql.includes('group by gaps'))
  expect(counting?.sql).not.toContain('communes join')
})
