import { expect, test } from 'vitest'
import { openWorld } from '../../../../test/support/world.ts'
import { adminPerPage, pagingOf } from '../../../platform/http/listing/paging.ts'
import { insertPublication } from '../publications.test-kit.ts'
import { listManaged } from './queries.ts'
import type { AdminQuery } from './schema.ts'

const world = await openWorld()
const { db } = world
const draft = { title: 'pareil', moderation_status: 'pending', valide: false, publie_le: null } as const

const rejected = { moderation_status: 'rejected' } as const
const cases: [AdminQuery, typeof rejected | { deleted_at: Date }][] = [
  [{ moderation_status: ['pending'] }, rejected],
  [{ moderation_status: ['pending'], sort: 'oldest_report_asc' }, rejected],
  [{ q: 'pareil' }, { deleted_at: new Date() }],
]

test.each(cases)('a list omits a publication that changes while it is read: %j', async (query, change) => {
  await db.deleteFrom('publications').execute()
  const [changed, unchanged] = [await insertPublication(world, draft), await insertPublication(world, draft)]
  // Changes it after the list has picked its ids.
  const meanwhile = db.withPlugin({
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      await db.updateTable('publications').set(change).where('id', '=', changed.id).execute()
      return result
    },
  })
  const { rows } = await listManaged(meanwhile, query, pagingOf({}, adminPerPage))
  expect(rows.map(({ id }) => id)).toEqual([unchanged.id])
})
