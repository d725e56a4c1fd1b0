import { expect, test } from 'vitest'
import { openWorld } from '../../../test/support/world.ts'
import { uuidv7 } from '../../platform/formats/uuid.ts'
import { insertPublication } from './publications.test-kit.ts'

const world = await openWorld()
const { as, acteur } = world
const moderator = await as('moderator')
const similar = async (id: string) => (await moderator.get(`/admin/publications/${id}/similar`)).body.data
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000)

test('GET /admin/publications/{id}/similar returns 200 with duplicates first, then similar titles', async () => {
  const club = await acteur()
  const key = { duplicate_key: `u:${'7'.repeat(32)}` }
  const source_url = 'https://croqueurs.example/fete'
  const mine = { acteur_id: club.id, title: 'Grande fête de la pomme 2026', date_debut: '2026-12-01' }
  const one = await insertPublication(world, { ...mine, ...key, source_url })
  const twin = await insertPublication(world, { ...key, source_url, title: 'Tout autre', body: one.body })
  const near = await insertPublication(world, {
    ...mine,
    title: 'Grande fête de la pomme',
    created_at: daysAgo(89),
  })
  await insertPublication(world, { ...mine, created_at: daysAgo(91) })
  await insertPublication(world, { ...mine, title: 'Assemblée générale' })
  await insertPublication(world, { ...mine, acteur_id: (await acteur()).id })
  await insertPublication(world, { ...mine, deleted_at: new Date() })
  await insertPublication(world, { ...key, deleted_at: new Date() })
  const found = await similar(one.id)
  expect(found.map(({ id }: { id: string }) => id)).toEqual([twin.id, near.id])
  expect(found[0]).toMatchObject({
    because: 'duplicate',
    shares: ['body', 'source_url'],
    title: 'Tout autre',
  })
  expect(found[1]).toMatchObject({ because: 'title', shares: ['date_debut', 'acteur_id'] })
  expect(found[1].similarity).toBeGreaterThanOrEqual(0.6)
  expect(found[1].similarity).toBeLessThan(1)
  expect((await similar(near.id)).map(({ id }: { id: string }) => id)).toContain(one.id)
})

test('GET /admin/publications/{id}/similar returns at most 20, and none for a unique publication', async () => {
  const alone = await insertPublication(world, { title: 'Unique' })
  expect(await similar(alone.id)).toEqual([])
  const club = await acteur()
  const all = []
  for (let n = 0; n < 23; n++)
    all.push(await insertPublication(world, { acteur_id: club.id, title: 'Marché hebdomadaire' }))
  expect(await similar(all[0]?.id ?? '')).toHaveLength(20)
})

test('GET /admin/publications/{id}/similar returns 404 for an unknown one and 403 without permission', async () => {
  const path = `/admin/publications/${uuidv7()}/similar`
  expect(await moderator.get(path)).toBeError(404, 'not_found')
  expect(await (await as('support')).get(path)).toBeError(403, 'admin_required')
  expect(await moderator.get(`${path}?page=2`)).toBeError(422, 'validation_failed')
})
