import { expect, test } from 'vitest'
import { openWorld } from '../../../test/support/world.ts'
import { insertPublication } from '../publications/publications.test-kit.ts'

const world = await openWorld()
const { as, post, acteur, db } = world
const counts = async (client: Awaited<ReturnType<typeof as>>) => (await client.get('/admin/counts')).body.data
const keys = ['publications', 'complaints', 'reports', 'claims', 'threads', 'runs', 'payment_events', 'mails']

test('GET /admin/counts returns 200 with the number and age of pending items', async () => {
  const admin = await as('admin')
  const nothing = await counts(admin)
  expect(Object.keys(nothing).sort()).toEqual(keys.toSorted())
  for (const key of keys) expect(nothing[key], key).toEqual({ count: 0, oldest_at: null })

  const pending = { moderation_status: 'pending', valide: false, publie_le: null } as const
  const [first] = [await insertPublication(world, pending), await insertPublication(world, pending)]
  const shown = await insertPublication(world)
  await post(`/publications/${shown.id}/report`, {})
  await admin.post(`/publications/${shown.id}/report`, {})
  await post('/claims', { acteur_id: (await acteur()).id, message: 'Bonjour', telephone: '01 99 00 12 34' })
  await post('/support/messages', { email: 'zoe@example.org', subject: 'Bac', body: 'Bonjour' })

  const waiting = await counts(admin)
  for (const [key, count] of [
    ['publications', 2],
    ['reports', 1],
    ['claims', 1],
    ['threads', 1],
  ] as const)
    expect(waiting[key].count, key).toBe(count)
  const stored = await db
    .selectFrom('publications')
    .select('created_at')
    .where('id', '=', first.id)
    .executeTakeFirstOrThrow()
  expect(waiting.publications.oldest_at).toBe(stored.created_at.toISOString())
})

test('GET /admin/counts omits areas without permission for the caller’s roles', async () => {
  expect(Object.keys(await counts(await as('moderator'))).sort()).toEqual([
    'claims',
    'complaints',
    'publications',
    'reports',
  ])
  expect(Object.keys(await counts(await as('support')))).toEqual(['threads'])
  expect(await (await as()).get('/admin/counts')).toBeError(403, 'admin_required')
})
