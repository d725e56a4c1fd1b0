import { expect, test } from 'vitest'
import { openWorld } from '../../../../test/support/world.ts'
import { insertPublication, openAssociation, restrictedSource } from '../publications.test-kit.ts'

const world = await openWorld()
const { acteur, commune, asOwner } = await openAssociation(world)
const admin = await world.as('admin')

test('GET /me/reports returns 200 with the reports of the caller alone, and what became of each', async () => {
  const { token } = await world.user()
  const mine = world.client({ token })
  const values = { acteur_id: acteur.id, commune_id: commune.id }
  const made = [
    await insertPublication(world, { ...values, title: 'Ouverte' }),
    await insertPublication(world, { ...values, title: 'Retirée' }),
    await insertPublication(world, { ...values, title: 'Montrée' }),
  ] as const
  for (const { id } of made) {
    await mine.post(`/publications/${id}/report`, { category: 'wrong', message: 'La date' })
    await asOwner.post(`/publications/${id}/report`, { category: 'spam', email: 'owner@example.org' })
  }
  const decide = (id: string, body: object) => admin.patch(`/admin/publications/${id}/moderate`, body)
  for (const { id } of made.slice(1)) await decide(id, { moderation_status: 'rejected', ground: 'date' })
  // A title that was written after the publication was withdrawn is not shown to its reporter.
  await admin.patch(`/admin/publications/${made[1].id}`, { title: 'Brouillon secret' })
  await decide(made[2].id, { moderation_status: 'published' })
  const answer = await mine.get('/me/reports')
  expect(answer.status).toBe(200)
  const ended = {
    outcome: 'rejected',
    ended_by: 'team',
    ended_at: expect.any(String),
    ground: { code: 'date' },
  }
  expect(answer.body.data).toMatchObject([
    { titre: 'Montrée', slug: made[2].slug, ...ended, restored: true },
    { titre: 'Retirée', slug: null, category: 'wrong', message: 'La date', ...ended, restored: false },
    { titre: 'Ouverte', slug: made[0].slug, outcome: null, ended_at: null, ended_by: null, ground: null },
  ])
  expect(answer.text).not.toMatch(/secret|owner|spam/)
  const elsewhere = await restrictedSource(world, [(await world.commune()).id])
  expect((await world.client({ token, source: elsewhere }).get('/me/reports')).body.data).toEqual([])
  expect(await world.get('/me/reports')).toBeError(401, 'unauthenticated')
})
