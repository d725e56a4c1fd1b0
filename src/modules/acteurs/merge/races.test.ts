import { expect, test } from 'vitest'
import type { Answer } from '../../../../test/support/client.ts'
import { untilWaiting } from '../../../../test/support/locks.ts'
import { openWorld } from '../../../../test/support/world.ts'
import { claimsKit } from '../../claims/claims.test-kit.ts'
import { applyNow, event, subscriptionObject } from '../../payments/payments.test-kit.ts'
import { insertPublication } from '../../publications/publications.test-kit.ts'
import { mergeKit } from './merge.test-kit.ts'
import { lockBoth, moveMembers, updateMerged } from './queries.ts'

const world = await openWorld()
const { as, acteur, user, client, db, runJobs } = world
const { runMerge, references } = mergeKit(world)
const { claim, stored, membersOf } = claimsKit(world)
const admin = await as('admin')

const rounds = process.env.PARVIS_TEST_LONG ? 30 : 4
const merge = (one: { id: string }, into: { id: string }) =>
  admin.post(`/admin/acteurs/${one.id}/merge`, { into: into.id })
const nothing = async (one: { id: string }) =>
  expect(new Set(Object.values(await references(one)))).toEqual(new Set([0]))
const statuses = (answers: { status: number }[]) => answers.map(({ status }) => status).sort()

async function eachRound(race: () => Promise<void>) {
  for (let round = 0; round < rounds; round++) await race()
}

test('only one of two concurrent merges of the same acteur starts', () =>
  eachRound(async () => {
    const [old, one, other] = [await acteur(), await acteur(), await acteur()]
    expect(statuses(await Promise.all([merge(old, one), merge(old, other)]))).toEqual([202, 409])
    await runMerge(old)
  }))

test('only one of two concurrent merges into each other starts', () =>
  eachRound(async () => {
    const [one, other] = [await acteur(), await acteur()]
    expect(statuses(await Promise.all([merge(one, other), merge(other, one)]))).toEqual([202, 409])
    await Promise.all([runMerge(one), runMerge(other)])
  }))

test('three concurrent circular merges leave all ids on one acteur', () =>
  eachRound(async () => {
    const ring = [await acteur(), await acteur(), await acteur()] as const
    const answers = await Promise.all([
      merge(ring[0], ring[1]),
      merge(ring[1], ring[2]),
      merge(ring[2], ring[0]),
    ])
    expect(statuses(answers)).toEqual([202, 202, 409])
    await Promise.all(ring.map((one) => runMerge(one)))
    const answering = await Promise.all(ring.map(({ id }) => admin.get(`/admin/acteurs/${id}`)))
    expect(new Set(answering.map(({ body }) => body.data.id)).size).toBe(1)
  }))

test('a merge into a concurrently deleted acteur is refused or happens before the deletion', () =>
  eachRound(async () => {
    const [old, target] = [await acteur(), await acteur()]
    await user({ memberships: [{ acteur: old }] })
    const [merged, deleted] = await Promise.all([
      merge(old, target),
      admin.delete(`/admin/acteurs/${target.id}`),
    ])
    expect(deleted.status).toBe(200)
    expect([202, 409]).toContain(merged.status)
    await runMerge(old)
    expect(await membersOf(merged.status === 202 ? target.id : old.id)).toHaveLength(1)
  }))

test('a claim approved during the merge makes the claimant an owner of the target', () =>
  eachRound(async () => {
    const [old, target, claimant] = [await acteur(), await acteur(), await user()]
    const id = await claim({ acteur: old, token: claimant.token })
    const decide = () => admin.patch(`/admin/claims/${id}`, { status: 'approved' })
    const [merged, decided] = await Promise.all([merge(old, target), decide(), runMerge(old)])
    expect(merged.status).toBe(202)
    await runMerge(old)
    if (decided.status !== 200) {
      expect(decided).toBeError(409, 'conflict')
      expect((await decide()).status).toBe(200)
    }
    expect(await stored(id)).toMatchObject({ status: 'approved', acteur_id: target.id })
    expect(await membersOf(target.id)).toMatchObject([{ user_id: claimant.id, role: 'owner' }])
    await nothing(old)
  }))

test('a payment event that arrives during the merge gives the subscription to the target', () =>
  eachRound(async () => {
    const [old, target] = [await acteur(), await acteur()]
    const object = subscriptionObject({ metadata: { acteur_id: old.id } })
    const created = event('customer.subscription.created', object)
    const updated = event('customer.subscription.updated', object, { created: 1_795_100_001 })
    await applyNow(db, created)
    const [merged] = await Promise.all([merge(old, target), applyNow(db, updated)])
    expect(merged.status).toBe(202)
    await Promise.all([
      runMerge(old),
      applyNow(db, event('customer.subscription.updated', object, { created: 1_795_100_002 })),
    ])
    await nothing(old)
    const { body } = await admin.get(`/admin/subscriptions?acteur_id=${old.id}`)
    expect(body.data).toMatchObject([{ acteur_id: target.id }])
  }))

test('publications created during the merge belong to the target', () =>
  eachRound(async () => {
    const [old, target] = [await acteur({ valide: true }), await acteur({ valide: true })]
    const owner = await user({ memberships: [{ acteur: old, role: 'owner' }] })
    const author = client({ source: 'public', token: owner.token })
    const create = () =>
      author.post('/publications', { title: 'Fête', body: 'Sur la place.', acteur_id: old.id })
    const [, ...created] = await Promise.all([merge(old, target), ...Array.from({ length: 6 }, create)])
    for (const { status, text } of created) expect(status, text).toBe(201)
    await Promise.all([runMerge(old), create()])
    await nothing(old)
    const { body } = await admin.get(`/admin/publications?acteur_id=${target.id}`)
    expect(body.meta.total).toBe(created.length + 1)
  }))

const content = { title: 'Fête', body: 'Sur la place.' }

test('a write that waits for a merge names the target when it continues', async () => {
  const [old, target] = [await acteur({ valide: true }), await acteur({ valide: true })]
  const owner = await user({ memberships: [{ acteur: old, role: 'owner' }] })
  const author = client({ source: 'public', token: owner.token })
  const [created, imported] = await duringMerge(old, target, () => [
    author.post('/publications', { ...content, acteur_id: old.id }),
    admin.post('/admin/import-sources', {
      ...{ nom: 'Flux', type: 'rss', url: 'https://club.example/rss', acteur_id: old.id },
    }),
  ])
  expect(created).toMatchObject({ status: 201, body: { data: { acteur_id: target.id } } })
  expect(imported).toMatchObject({ status: 201, body: { data: { acteur_id: target.id } } })
})

test.each([true, false])('a member edits a publication during the merge: moved %s', async (isMoved) => {
  const [old, target] = [await acteur({ valide: true }), await acteur({ valide: true })]
  const owner = await user({ memberships: [{ acteur: old, role: 'owner' }] })
  const author = client({ source: 'public', token: owner.token })
  const { id } = await insertPublication(world, { acteur_id: old.id })
  const edit = () => author.patch(`/publications/${id}`, { title: 'Autre' })
  if (isMoved) {
    const [edited] = await duringMerge(old, target, () => [edit()], id)
    expect(edited).toMatchObject({ status: 200, body: { data: { acteur_id: target.id } } })
  } else {
    await merge(old, target)
    expect(await edit()).toMatchObject({ status: 200, body: { data: { title: 'Autre' } } })
  }
  const stranger = client({ source: 'public', token: (await user({ memberships: [] })).token })
  expect((await stranger.patch(`/publications/${id}`, { title: 'Non' })).status).not.toBe(200)
})

/** Sends requests that wait for a merge, and for the publication that it has moved. */
async function duringMerge(
  old: { id: string },
  target: { id: string },
  send: () => Promise<Answer>[],
  publicationId?: string,
): Promise<Answer[]> {
  const sent = await db.transaction().execute(async (tx) => {
    const { row } = await lockBoth(tx, old.id, target.id)
    if (publicationId !== undefined)
      await tx
        .updateTable('publications')
        .set({ acteur_id: target.id })
        .where('id', '=', publicationId)
        .execute()
    const answers = send()
    await untilWaiting(db, answers.length)
    await moveMembers(tx, old.id, target.id)
    await updateMerged(tx, row, { merged_into: target.id, merged_at: new Date() })
    return answers
  })
  return Promise.all(sent)
}

test('two concurrent workers do the merge once, and the job completes it alone', async () => {
  const [old, target] = [await acteur(), await acteur()]
  await db
    .insertInto('import_sources')
    .values(
      Array.from({ length: 9 }, () => ({
        ...{
          id: crypto.randomUUID(),
          nom: 'Flux',
          type: 'rss',
          url: 'https://club.example/rss',
          acteur_id: old.id,
        },
      })),
    )
    .execute()
  expect((await merge(old, target)).status).toBe(202)
  await Promise.all([runMerge(old, 2), runMerge(old, 3)])
  expect((await references(target))['import_sources.acteur_id']).toBe(9)
  const next = await acteur()
  expect((await merge(target, next)).status).toBe(202)
  await runJobs()
  const state = async () => (await admin.get(`/admin/acteurs/${next.id}`)).body.data.merged[0].state
  await expect.poll(state, { timeout: 60_000 }).toBe('merged')
  expect((await references(next))['import_sources.acteur_id']).toBe(9)
})
