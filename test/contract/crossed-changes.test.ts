import { expect, test } from 'vitest'
import { openWorld } from '../support/world.ts'

const { acteur, commune, user, client, as, post, db } = await openWorld()
const admin = await as('admin')
const rounds = process.env.PARVIS_TEST_LONG ? 40 : 8

/** Expects two concurrent changes that touch each other's record to both succeed without deadlock. */
async function expectBoth(...answers: Promise<{ status: number }>[]) {
  expect((await Promise.all(answers)).map(({ status }) => status)).toEqual(answers.map(() => 200))
}

test("moderators who decide each other's claims concurrently both succeed", async () => {
  for (let round = 0; round < rounds; round++) {
    const moderators = await Promise.all([user({ roles: ['moderator'] }), user({ roles: ['moderator'] })])
    const claims: string[] = []
    for (const { token } of moderators) {
      const body = { acteur_id: (await acteur()).id, message: 'La page de mon club.' }
      claims.push((await post('/claims', body, { token })).body.data.id)
    }
    const decisions = moderators.map(({ token }, index) =>
      client({ source: 'backoffice', token }).patch(`/admin/claims/${claims[1 - index]}`, {
        status: 'approved',
      }),
    )
    await expectBoth(...decisions)
  }
})

test('naming a mairie for a commune while moving it there succeeds', async () => {
  for (let round = 0; round < rounds; round++) {
    const { id: mairie } = await acteur({ type: 'mairie' })
    const { id: place } = await commune()
    await expectBoth(
      admin.patch(`/admin/communes/${place}`, { mairie_actor_id: mairie }),
      admin.patch(`/admin/acteurs/${mairie}`, { commune_id: place }),
    )
  }
})

test('the audit log of one record is in the order of its changes', async () => {
  const { id } = await acteur()
  const badges = Array.from({ length: 24 }, (_, number) => `badge ${number}`)
  await expectBoth(...badges.map((badge) => admin.patch(`/admin/acteurs/${id}/badge`, { badge })))
  const { body } = await admin.get(`/admin/audit?entity_id=${id}&action=acteur.badge`)
  const told: { before: { badge: string } | null; after: { badge: string } }[] = body.data.toReversed()
  const befores = told.map(({ before }) => before?.badge ?? null)
  expect(befores).toEqual([null, ...told.slice(0, -1).map(({ after }) => after.badge)])
  const { badge } = await db
    .selectFrom('acteurs')
    .select('badge')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  expect(told.at(-1)?.after.badge).toBe(badge)
})
