import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { cloneWithCommunes } from '../../../../test/support/many/communes.ts'
import { explain, gatherStatistics, readWhole, visitedBy, watch } from '../../../../test/support/plans.ts'
import { openWorld, run } from '../../../../test/support/world.ts'
import { readList } from '../../../platform/http/listing/list.ts'
import { adminPerPage, pagingOf } from '../../../platform/http/listing/paging.ts'
import { countActivity } from './counting.ts'
import { communeActivity } from './listing.ts'

const database = await cloneWithCommunes()
const { db: own, pool } = await openWorld({ database })
const { db, statements } = watch(pool)

/** All communes of the register: hardly any has messages, few have collectes and subscribers. */
beforeAll(async () => {
  await countActivity(own, new AbortController().signal)
  await run(
    database.owner,
    `update commune_activity set
       last_message_at = case when hashtext(code_insee) % 200 = 0
         then timestamptz '2026-05-04' - make_interval(hours => abs(hashtext(code_insee) % 9000)) end,
       collectes = case when hashtext(code_insee) % 50 = 0 then 4 else 0 end,
       subscribers = case when hashtext(code_insee) % 30 = 0 then abs(hashtext(nom) % 900) else 0 end`,
  )
  await gatherStatistics(database, ['commune_activity'])
}, 120_000)

test('counts every commune', async () => {
  const { rows } = await sql`select (select count(*) from communes)::int as communes, count(*)::int as counted
    from commune_activity`.execute(own)
  const { communes, counted } = rows[0] as { communes: number; counted: number }
  expect(communes).toBeGreaterThan(34_000)
  expect(counted).toBe(communes)
})

const filters = [
  {},
  { departement: '62' },
  { messages: [true] },
  { messages: [false] },
  { departement: '62', messages: [true] },
]
const sorts = ['nom', 'last_message_at', 'collectes', 'subscribers'].flatMap((key) => [
  `${key}_asc` as const,
  `${key}_desc` as const,
])

test.each(filters.flatMap((filter) => sorts.map((sort) => [filter, sort] as const)))(
  'a page of communes with %j by %s reads an index, and hardly more than it shows',
  async (filter, sort) => {
    const query = { ...filter, sort } as Parameters<typeof readList>[2]
    statements.length = 0
    const first = await readList(db, communeActivity, query, pagingOf({}, adminPerPage))
    expect(first.rows.length).toBe(Math.min(first.total, adminPerPage))
    if (first.next !== null)
      await readList(db, communeActivity, query, pagingOf({ after: first.next }, adminPerPage))
    // Each page and its total, and perhaps the rows without a value.
    expect(statements.length).toBeLessThanOrEqual(5)
    for (const statement of statements) {
      const steps = await explain(pool, statement)
      const what = JSON.stringify([
        query,
        statement.sql,
        steps.map((step) => [step['Node Type'], visitedBy(step)]),
      ])
      if (statement.sql.includes('sort_values')) {
        expect(readWhole(steps), what).toEqual([])
        expect(Math.max(...steps.map(visitedBy)), what).toBeLessThan(1_000)
      } else expect(Math.max(...steps.map(visitedBy)), what).toBeLessThan(36_000)
    }
  },
)
