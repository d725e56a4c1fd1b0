import { expect, test } from 'vitest'
import { cloneManyPublications } from '../../../../test/support/many/publications.ts'
import { explain, readWhole, visitedBy, watch } from '../../../../test/support/plans.ts'
import { openWorld } from '../../../../test/support/world.ts'
import { pagingOf } from '../../../platform/http/listing/paging.ts'
import { listForMairie, listManaged, listOfActeurs, type MairieList, type MyList } from './queries.ts'
import { sorts } from './sorts.ts'

const many = await cloneManyPublications(process.env.PARVIS_TEST_LONG ? 200_000 : 20_000)
const { pool, db, acteur } = await openWorld({ database: many.database })
const watched = watch(pool)

async function mairieOf(communeId: string): Promise<string> {
  const { id } = await acteur({ type: 'mairie' })
  await db.updateTable('communes').set({ mairie_actor_id: id }).where('id', '=', communeId).execute()
  return id
}
const big = await mairieOf(many.bigCommune)
const small = await mairieOf(many.smallCommune)

test.each<[string, string, MairieList['filters']]>([
  ['own, of a prolific one', many.bigActeur, {}],
  ['own, by title', many.bigActeur, { sort: 'titre_asc' }],
  ['own, pending', many.bigActeur, { moderation_status: ['pending'] }],
  ['a small commune', small, { supervision: 'true' }],
  ['a big commune', big, { supervision: 'true' }],
  ['a big commune, pending', big, { supervision: 'only', moderation_status: ['pending'] }],
  ['a big commune, by time of publication', big, { supervision: 'true', sort: 'publie_le_asc' }],
  ['a big commune, duplicates', big, { supervision: 'true', duplicates: true }],
  [
    'a small commune, duplicates by title',
    small,
    { supervision: 'true', duplicates: true, sort: 'titre_asc' },
  ],
  ['a big commune, what is hidden', big, { supervision: 'true', visible: [false] }],
  ['a big commune, in some states', big, { supervision: 'true', moderation_status: ['pending', 'approved'] }],
  ['a big commune, by words', big, { supervision: 'true', q: 'chataignes' }],
])(
  'the list of a mairie reads publications by their indexes, among many: %s',
  async (_name, mairieId, filters) => {
    for (const communeIds of [null, [many.bigCommune]]) {
      watched.statements.length = 0
      const { rows, total } = await listForMairie(
        watched.db,
        { mairieId, mayDecide: true, filters, communeIds },
        pagingOf({}, 25),
      )
      expect(rows.length).toBe(Math.min(25, total))
      for (const statement of [...watched.statements])
        expect(readWhole(await explain(pool, statement))).not.toContain('publications')
    }
  },
)

test("the list of acteurs' publications uses their index in each sort", async () => {
  const acteurIds = [many.bigActeur, many.smallActeur]
  for (const sort of sorts) {
    watched.statements.length = 0
    const list = { acteurIds, filters: { sort }, communeIds: null }
    expect((await listOfActeurs(watched.db, list, pagingOf({}, 25))).rows).toHaveLength(25)
    for (const statement of [...watched.statements])
      expect(readWhole(await explain(pool, statement))).not.toContain('publications')
  }
})

test.each<MyList['filters']>([
  {},
  { sort: 'titre_asc' },
  { sort: 'publie_le_desc' },
  { commune_id: many.bigCommune, sort: 'titre_asc' },
  { q: 'fete' },
])('a page of what a member of all acteurs has is found without sorting the rest: %j', async (filters) => {
  const { rows: acteurs } = await pool.query('select id from acteurs where deleted_at is null')
  const acteurIds: string[] = acteurs.map(({ id }) => id)
  const list = { acteurIds, filters, communeIds: null }
  watched.statements.length = 0
  const { rows, total } = await listOfActeurs(watched.db, list, pagingOf({}, 25))
  const pages = watched.statements.filter(({ sql }) => sql.includes('sort_values'))
  expect(pages).toHaveLength(1)
  for (const page of pages) {
    const steps = await explain(pool, page)
    const sorted = steps.filter(
      (step) => step['Node Type'] === 'Sort' || step['Node Type'] === 'Incremental Sort',
    )
    expect(Math.max(0, ...sorted.map(visitedBy))).toBeLessThan(5_000)
  }
  const everybodys = await listManaged(db, filters, pagingOf({ per_page: 100 }, 25))
  const ofActeurs = everybodys.rows.filter(({ acteur_id }) => acteurIds.includes(acteur_id ?? ''))
  expect(rows.map(({ id }) => id)).toEqual(ofActeurs.slice(0, 25).map(({ id }) => id))
  expect(total).toBeLessThanOrEqual(everybodys.total)
})

test('the list of a mairie sends two statements for any number of rows', async () => {
  for (const per_page of [1, 20, 100]) {
    watched.statements.length = 0
    const filters = { supervision: 'true' as const }
    const list = { mairieId: big, mayDecide: true, filters, communeIds: null }
    expect((await listForMairie(watched.db, list, pagingOf({ per_page }, 25))).rows.length).toBe(per_page)
    expect(watched.statements).toHaveLength(2)
  }
})

test('what members of a prolific acteur can restore is found without reading the others', async () => {
  watched.statements.length = 0
  const list = { acteurIds: [many.bigActeur], filters: { deleted: 'only' as const }, communeIds: null }
  expect((await listOfActeurs(watched.db, list, pagingOf({}, 25))).rows).toEqual([])
  for (const statement of [...watched.statements])
    expect(Math.max(...(await explain(pool, statement)).map(visitedBy))).toBeLessThan(100)
})
