import { beforeAll, expect, test } from 'vitest'
import { explain, gatherStatistics, readWhole, visitedBy, watch } from '../../../test/support/plans.ts'
import { openWorld, run } from '../../../test/support/world.ts'
import { countAddressesIn } from './counting.ts'
import { locatePlace } from './locating.ts'
import { suggestAddresses } from './suggesting.ts'

const { pool, database } = await openWorld()
const { db, statements } = watch(pool)
const communeId = '0199c9a3-cccc-7000-8000-000000000005'

/** A thousand communes with a hundred streets each, and ten times as many in one; of each street, some numbers. */
const numbers = process.env.PARVIS_TEST_LONG ? 10 : 1
beforeAll(async () => {
  await run(
    database.owner,
    `insert into communes (id, slug, nom, code_insee, departement, region, codes_postaux)
     select ('0199c9a3-cccc-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, 'c-' || n, 'Commune ' || n,
       lpad(n::text, 5, '0'), '99', '99', array[lpad(n::text, 5, '0')] from generate_series(0, 999) n;
     insert into streets (commune_id, key, voie, latitude, longitude)
     select id, 'rue ' || md5(n::text) || ' ' || n, 'Rue ' || md5(n::text) || ' ' || n, 45, 5
     from communes, generate_series(1, 1000) n where n <= 100 or id = '${communeId}';
     insert into addresses (commune_id, cle_interop, street, numero, latitude, longitude)
     select commune_id, key || '_' || n, key, n, 45, 5 from streets, generate_series(1, ${numbers}) n`,
  )
  await gatherStatistics(database, ['communes', 'streets', 'addresses'])
}, 240_000)

/** Bounds the rows that each statement visits. */
async function visits(most: number, expected = 1): Promise<void> {
  expect(statements).toHaveLength(expected)
  for (const statement of statements.splice(0)) {
    const steps = await explain(pool, statement)
    expect(readWhole(steps).filter((table) => table !== 'communes')).toEqual([])
    expect(steps.filter((step) => visitedBy(step) > most)).toEqual([])
  }
}

test.each([
  ['1 rue c4ca4238', 1],
  ['rue', 10],
  ['1 rue', 10],
  ['1 rue c4ca4239a0b923820dcc509a6f75849b', 1],
  ['nowhere', 0],
])('"%s" is suggested from the streets of its commune, in one statement', async (typed, found) => {
  expect((await suggestAddresses(db, communeId, typed, 10)).length).toBeGreaterThanOrEqual(found)
  await visits(1_000)
})

test.each([
  ['1 rue c4ca4238, Commune 5', 'found', 2],
  ['1 rue c4ca4238 00005', 'found', 2],
  ['rue nowhere, Commune 5', undefined, 2],
  ['1 rue c4ca4238', undefined, 1],
])('"%s" is located in few statements that read no table', async (typed, found, sent) => {
  const place = await locatePlace(db, typed, null)
  expect(place && 'found').toBe(found ?? null)
  await visits(1_000, sent)
})

test('addresses in an area are counted in one statement that reads those of the commune', async () => {
  const corners = [[4, 44], [6, 44], [6, 46], [4, 46], [4, 44]] // biome-ignore format: a ring
  const counted = await countAddressesIn(db, communeId, { type: 'Polygon', coordinates: [corners] })
  expect(counted).toEqual({ known: 1_000 * numbers, inside: 1_000 * numbers })
  await visits(1_000 * numbers)
})
