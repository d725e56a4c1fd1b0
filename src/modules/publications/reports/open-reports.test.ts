import { expect, test } from 'vitest'
import { openWorld } from '../../../../test/support/world.ts'
import { insertPublication } from '../publications.test-kit.ts'

const world = await openWorld()
const { as, post, acteur } = world
const moderator = await as('moderator')

test('GET /admin/reports returns 200 with the open reports, oldest first, by category', async () => {
  const club = await acteur({ nom: 'Le club' })
  const [one, other, gone] = [
    await insertPublication(world, { acteur_id: club.id }),
    await insertPublication(world),
    await insertPublication(world),
  ]
  const reported = []
  for (const [{ id }, category] of [
    [one, 'wrong'],
    [other, 'spam'],
    [gone, 'spam'],
    [other, undefined],
  ] as const) {
    const by = category === undefined ? await as() : { post }
    const answer = await by.post(
      `/publications/${id}/report`,
      category === undefined ? {} : { category, reason: 'Non' },
    )
    reported.push(answer.body.data.id)
  }
  await (await as('admin')).delete(`/admin/publications/${gone.id}`)
  const { body } = await moderator.get('/admin/reports')
  expect(body.data.map(({ id }: { id: string }) => id)).toEqual([reported[0], reported[1], reported[3]])
  expect(body.data[0]).toMatchObject({
    ...{ category: 'wrong', reason: 'Non', closed_at: null },
    publication: {
      id: one.id,
      title: one.title,
      moderation_status: 'published',
      acteur: { id: club.id, nom: 'Le club' },
    },
  })
  expect(body.meta).toMatchObject({
    total: 3,
    categories: [
      { category: 'spam', open: 1 },
      { category: 'wrong', open: 1 },
      { category: null, open: 1 },
    ],
  })
  const spam = await moderator.get('/admin/reports?category=spam,duplicate')
  expect([spam.body.data.length, spam.body.meta.total]).toEqual([1, 1])
  expect((await moderator.get('/admin/reports?page=2&per_page=2')).body.data).toMatchObject([
    { id: reported[3] },
  ])

  await moderator.post(`/admin/publications/${one.id}/reports/close`)
  expect((await moderator.get('/admin/reports')).body.meta.total).toBe(2)
})

test('GET /admin/reports returns 403 without permission and 422 for an unknown category', async () => {
  expect(await (await as('support')).get('/admin/reports')).toBeError(403, 'admin_required')
  expect(await moderator.get('/admin/reports?category=boring')).toBeError(422, 'validation_failed')
})
