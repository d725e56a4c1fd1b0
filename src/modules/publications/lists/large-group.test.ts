// Round: rest, because it makes a large group of duplicates.
import { expect, test } from 'vitest'
import { cloneManyPublications, manyRows } from '../../../../test/support/many/publications.ts'
import { explain, gatherStatistics, watch } from '../../../../test/support/plans.ts'
import { openWorld, run } from '../../../../test/support/world.ts'
import { pagingOf } from '../../../platform/http/listing/paging.ts'
import { listManaged } from './queries.ts'

const { database } = await cloneManyPublications(manyRows)
const { pool } = await openWorld({ database })
const members = 9_870
await run(
  database.superuser,
  `set session_replication_role = replica;
   update publications set duplicate_key = 'u:' || md5('one address') where id in (
     select id from publications where deleted_at is null order by md5(id::text) limit ${members});
   truncate duplicate_groups;
   insert into duplicate_groups (duplicate_key, members)
   select duplicate_key, count(*) from publications where deleted_at is null group by 1 having count(*) > 1`,
)
await gatherStatistics(database, ['publications', 'duplicate_groups'])
const { db, statements } = watch(pool)

test('a page of duplicates reads the members of a large group a few times, not once for each', async () => {
  for (const sort of ['created_at_desc', 'date_debut_asc', 'titre_asc'] as const) {
    const seen = new Set<string>()
    for (const page of [1, 10, 30]) {
      statements.length = 0
      const { rows } = await listManaged(db, { duplicates: true, sort }, pagingOf({ page }, 25))
      expect(rows).toHaveLength(25)
      for (const { id } of rows) seen.add(id)
      for (const statement of statements) {
        const [all] = await explain(pool, statement)
        expect((all?.['Shared Hit Blocks'] ?? 0) + (all?.['Shared Read Blocks'] ?? 0)).toBeLessThan(
          20 * members,
        )
      }
    }
    expect(seen.size).toBe(75)
  }
})

test('the members of a large group follow its first one, in the order of the list', async () => {
  const page = (number: number) =>
    listManaged(db, { duplicates: true }, pagingOf({ page: number, per_page: 100 }, 25))
  const rows = (await Promise.all([1, 2, 3].map(page))).flatMap((each) => each.rows)
  const groups = rows.map(({ duplicate_key }) => duplicate_key).filter((key, at, all) => key !== all[at - 1])
  expect(new Set(groups).size).toBe(groups.length)
  const alike = rows.filter(({ duplicate_count = 0 }) => duplicate_count === members)
  expect(alike.length).toBeGreaterThan(200)
  expect(alike).toEqual(alike.toSorted((one, other) => +other.created_at - +one.created_at))
})
