import { expect, test } from 'vitest'
import { openWorld } from '../../test/support/world.ts'
import { insertPublication } from '../modules/publications/publications.test-kit.ts'
import { subscribersKit } from '../modules/subscribers/subscribers.test-kit.ts'
import { run } from './broadcasts.ts'
import { openCommandWorld } from './command.test-kit.ts'

const world = await openWorld()
const { db } = world
const { call } = await openCommandWorld(world, run)
const { subscribe } = subscribersKit(world)

test('broadcasts actualites queues the weekly messages that are missing, once', async () => {
  const { id } = await world.commune()
  await subscribe(1, [id])
  const longAgo = new Date(Date.now() - 14 * 86_400_000)
  await db.updateTable('resident_choices').set({ actualites: true, confirmed_at: longAgo }).execute()
  await insertPublication(world, { publie_le: longAgo, commune_ids: [id] })
  for (const count of [1, 0])
    expect(await call('actualites')).toMatchObject({
      code: 0,
      stdout: `Messages that were missing, now queued: ${count}.\n`,
    })
  const { length } = await db.selectFrom('broadcasts').select('id').where('kind', '=', 'actualites').execute()
  expect(length).toBe(1)
  expect(await call('collectes')).toMatchObject({ code: 0, stdout: expect.stringMatching(/queued: 0\.\n$/) })
})

test('broadcasts refuses what is neither collectes nor actualites', async () => {
  for (const args of ['', 'alertes', 'collectes actualites'])
    expect(await call(args)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Name what was missed'),
    })
})
