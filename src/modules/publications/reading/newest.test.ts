// Round: rest, because it makes a list of thousands of rows to count what a search reads.
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { cloneManyPublications, manyRows } from '../../../../test/support/many/publications.ts'
import { explain, gatherStatistics, visitedBy } from '../../../../test/support/plans.ts'
import { statementsAbout } from '../../../../test/support/statements.ts'
import { openWorld } from '../../../../test/support/world.ts'
import { insertPublication } from '../publications.test-kit.ts'

const { database } = await cloneManyPublications(manyRows)
const world = await openWorld({ database })

// Common words that the new publications lack or have, and one that no other publication has.
const words = ['marche', 'fete', 'village', 'tournesol']

/** Rows of publications that a search for each word reads. */
async function readByEach(): Promise<number[]> {
  const read: number[] = []
  for (const word of words) {
    const sent = await statementsAbout(/is_known/, async () => {
      expect((await world.get(`/publications?q=${word}`)).status).toBe(200)
    })
    const steps = (await Promise.all(sent.map((statement) => explain(world.pool, statement)))).flat()
    const ofPublications = steps.filter((step) => step['Relation Name'] === 'publications')
    read.push(ofPublications.reduce((sum, step) => sum + visitedBy(step), 0))
  }
  return read
}

test('a hundred similar new publications do not change how many rows a search reads', async () => {
  const before = await readByEach()
  for (let n = 1; n <= 100; n++)
    await insertPublication(world, {
      title: `Fête du village ${n}`,
      body: 'Bal et tournesols.',
      publie_le: sql<Date>`now()`,
    })
  const after = await readByEach()
  await gatherStatistics(database, ['publications', 'publication_listings'])
  // The new ones themselves may be read, each counted at most twice.
  for (const read of [after, await readByEach()])
    words.forEach((word, i) => {
      expect(read[i], word).toBeLessThanOrEqual((before[i] ?? 0) + 200)
    })
})
