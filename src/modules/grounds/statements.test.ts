import { expect, test } from 'vitest'
import { openMairie } from '../../../test/support/mairies.ts'
import { openWorld } from '../../../test/support/world.ts'
import { auditedValues, insertPublication } from '../publications/publications.test-kit.ts'
import { groundsKit } from './grounds.test-kit.ts'

const world = await openWorld()
const { db } = world
const { written, statementsOf, mailsOf } = groundsKit(world)
const moderator = await world.as('moderator')
const here = await openMairie(world)

const reject = (at: string, why: object = {}) =>
  moderator.patch(`${at}/moderate`, { moderation_status: 'rejected', ...why })
const undo = (decision: string) => moderator.post(`/admin/decisions/${decision}/undo`)
const report = (id: string) => world.post(`/publications/${id}/report`, { category: 'spam' })
/** What is still in force: restriction and code of its ground. */
const inForce = async (id: string) =>
  (await statementsOf(id)).flatMap(({ ended_at, restriction, ground }) =>
    ended_at === null ? [`${restriction} ${(ground as { code: string }).code}`] : [],
  )

test('a ground that is not active returns 422 from every decision, also without effect', async () => {
  const [one, other] = [await written(), await written()]
  const ids = [one.id]
  const bulk = '/admin/publications/bulk'
  const published = { moderation_status: 'published' }
  for (const answer of [
    await moderator.patch(`${one.at}/moderate`, { ...published, ground: 'nope' }),
    await moderator.patch(`${one.at}/valide`, { valide: true, ground: 'nope' }),
    await moderator.patch(`${one.at}/feature`, { en_avant: false, ground: 'nope' }),
    await moderator.delete(`${one.at}?ground=nope`),
    await moderator.patch(`${bulk}/moderate`, { ids, ...published, ground: 'nope' }),
    await moderator.patch(`${bulk}/feature`, { ids, en_avant: false, ground: 'nope' }),
    await moderator.patch(`${bulk}/delete`, { ids, ground: 'nope' }),
    await moderator.post(`${one.at}/keep`, { reject: [other.id], ground: 'nope' }),
    await moderator.patch(`/publications/${one.id}/moderate`, { ...published, ground: 'nope' }),
  ])
    expect(answer).toBeError(422, 'validation_failed')
  expect(await auditedValues(world, one.id)).toEqual([])
})

test('the audit log names the ground of what a decision took, and none where it took nothing', async () => {
  const one = await written()
  await moderator.patch(`${one.at}/feature`, { en_avant: true, ground: 'spam' })
  await reject(one.at)
  await moderator.patch('/admin/publications/bulk/moderate', {
    ids: [one.id],
    moderation_status: 'published',
    ground: 'spam',
  })
  await moderator.patch('/admin/publications/bulk/feature', { ids: [one.id], en_avant: false })
  const grounds = (await auditedValues(world, one.id)).map(
    ({ after }) => (after as { ground?: string }).ground,
  )
  expect(grounds).toEqual([undefined, 'autre', undefined, 'autre'])
})

test('the reason of hiding or featuring is in the statement, not in `moderation_reason`', async () => {
  const one = await written({ en_avant: true, moderation_reason: 'Relu.' })
  await moderator.patch(`${one.at}/feature`, { en_avant: false, reason: 'Assez vue.' })
  const { body } = await moderator.patch(`${one.at}/valide`, { valide: false, reason: 'Photo floue.' })
  expect(body.data.moderation_reason).toBe('Relu.')
  expect((await statementsOf(one.id)).map(({ reason }) => reason)).toEqual(['Assez vue.', 'Photo floue.'])
})

test('a statement ends when its restriction is lifted, and an undo opens it again', async () => {
  const one = await written({ en_avant: true })
  const steps = [
    [() => moderator.patch(`${one.at}/feature`, { en_avant: false, ground: 'spam' }), ['unfeatured spam']],
    [() => moderator.patch(`${one.at}/feature`, { en_avant: true }), []],
    [() => moderator.patch(`${one.at}/valide`, { valide: false, ground: 'date' }), ['hidden date']],
    [() => moderator.patch(`${one.at}/valide`, { valide: true }), []],
    [() => reject(one.at, { ground: 'spam' }), ['rejected spam']],
    [() => moderator.patch(`${one.at}/moderate`, { moderation_status: 'published' }), []],
    [() => moderator.delete(`${one.at}?ground=date`), ['deleted date']],
    [() => moderator.patch(`${one.at}/restore`), []],
  ] as const
  for (const [decide, left] of steps) {
    const before = await inForce(one.id)
    const { decision_id } = (await decide()).body.data
    expect(await inForce(one.id)).toEqual(left)
    expect((await undo(decision_id)).body.meta.undone).toBe(1)
    expect(await inForce(one.id)).toEqual(before)
    await decide()
    expect(await inForce(one.id)).toEqual(left)
  }
})

test('a statement of a rejection outlives a deletion, and ends when the author edits', async () => {
  const one = await written()
  await moderator.patch(`${one.at}/valide`, { valide: false, ground: 'date' })
  await reject(one.at, { ground: 'spam' })
  await moderator.delete(one.at)
  expect(await inForce(one.id)).toEqual(['hidden date', 'rejected spam', 'deleted autre'])
  await moderator.patch(`${one.at}/restore`)
  expect(await inForce(one.id)).toEqual(['hidden date', 'rejected spam'])
  await one.asOwner.patch(`/publications/${one.id}`, { title: 'Fête mardi' })
  expect(await inForce(one.id)).toEqual([])
  await moderator.patch(`${one.at}/moderate`, { moderation_status: 'pending' })
  expect(await inForce(one.id)).toEqual([])
})

test('rejecting again records another ground or reason, and nothing where both stay', async () => {
  const one = await written()
  await reject(one.at, { ground: 'spam', reason: 'Publicité' })
  const before = await statementsOf(one.id)
  for (const same of [{}, { ground: 'spam' }, { reason: 'Publicité' }]) {
    expect((await reject(one.at, same)).body.data.decision_id).toBeNull()
    expect(await statementsOf(one.id)).toEqual(before)
  }
  const other = (await reject(one.at, { ground: 'date' })).body.data
  expect(await statementsOf(one.id)).toMatchObject([
    { ended_at: expect.any(Date), ended_by: other.decision_id },
    { ground: { code: 'date' }, reason: 'Publicité', ended_at: null },
  ])
  const bulk = { ids: [one.id], moderation_status: 'rejected', ground: 'date', reason: 'Mardi ?' }
  const { data, meta } = (await moderator.patch('/admin/publications/bulk/moderate', bulk)).body
  expect(data).toMatchObject([{ result: 'updated' }])
  expect((await statementsOf(one.id)).at(-1)).toMatchObject({ reason: 'Mardi ?', ended_at: null })
  await undo(meta.decision_id)
  await undo(other.decision_id)
  expect(await inForce(one.id)).toEqual(['rejected spam'])
})

test('`by_report` outlives the report that a decision in force has closed, and no other', async () => {
  const [one, cleared] = [await written(), await written()]
  await report(one.id)
  await moderator.patch(`${one.at}/valide`, { valide: false })
  await moderator.delete(one.at)
  expect((await statementsOf(one.id)).map(({ by_report }) => by_report)).toEqual([true, true])
  await report(cleared.id)
  await moderator.post(`${cleared.at}/reports/close`)
  await reject(cleared.at)
  expect((await statementsOf(cleared.id)).map(({ by_report }) => by_report)).toEqual([false])
})

test('`by_machine` is of those that the machine had put into one group with what is kept', async () => {
  const duplicate_key = `s:${'f'.repeat(32)}`
  const [kept, same, chosen] = [
    await written({ duplicate_key }),
    await written({ duplicate_key }),
    await written(),
  ]
  await moderator.post(`${kept.at}/keep`, { reject: [same.id, chosen.id] })
  expect(await statementsOf(kept.id)).toEqual([])
  for (const [{ id }, by_machine] of [
    [same, true],
    [chosen, false],
  ] as const)
    expect(await statementsOf(id)).toMatchObject([{ by_machine, ground: { code: 'doublon' } }])
})

test('a featuring that had expired is not taken', async () => {
  const featured_until = new Date(Date.now() - 60_000)
  const one = await written({ en_avant: true, featured_until })
  await moderator.patch(`${one.at}/feature`, { en_avant: false })
  expect(await statementsOf(one.id)).toEqual([])
})

test('a mairie that rejects gives a statement; an author or an editor who deletes gives none', async () => {
  const { commune, club, path, publisher } = here
  const { id } = await insertPublication(world, {
    acteur_id: club.id,
    commune_id: commune.id,
    commune_ids: [commune.id],
  })
  const body = { moderation_status: 'rejected', ground: 'date', reason: 'Mardi ?' }
  expect(await publisher.patch(`${path}/${id}/moderate`, { ...body, ground: 'nope' })).toBeError(
    422,
    'validation_failed',
  )
  expect((await publisher.patch(`${path}/${id}/moderate`, body)).status).toBe(200)
  expect(await inForce(id)).toEqual(['rejected date'])
  for (const by of ['asOwner', 'asEditor'] as const) {
    const one = await written()
    expect((await one[by].delete(`/publications/${one.id}`)).status).toBe(200)
    expect(await statementsOf(one.id)).toEqual([])
    const { withdrawn_at, deleted_at } = await db
      .selectFrom('publications')
      .selectAll()
      .where('id', '=', one.id)
      .executeTakeFirstOrThrow()
    expect(withdrawn_at).toEqual(deleted_at)
  }
})

test('an administrator who deletes by the route of members decides, with a statement', async () => {
  const one = await written()
  const at = `/publications/${one.id}`
  const administrator = await world.as('admin')
  for (const by of [administrator, one.asOwner])
    expect(await by.delete(`${at}?ground=nope`)).toBeError(422, 'validation_failed')
  expect((await administrator.delete(`${at}?ground=date&reason=Mardi`)).status).toBe(200)
  expect(await statementsOf(one.id)).toMatchObject([
    { restriction: 'deleted', ground: { code: 'date' }, reason: 'Mardi', ended_at: null },
  ])
  expect((await mailsOf(one.id)).map(({ kind }) => kind)).toEqual(['deleted', 'deleted'])
  expect(await one.asOwner.patch(`${at}/restore`)).toBeError(404, 'not_found')
  expect((await administrator.patch(`${at}/restore`)).status).toBe(200)
  expect(await inForce(one.id)).toEqual([])
})

test('an administrator who deletes what their own acteur wrote withdraws it', async () => {
  const one = await written()
  await db.insertInto('user_roles').values({ user_id: one.owner.id, role: 'admin' }).execute()
  expect((await one.asOwner.delete(`/publications/${one.id}`)).status).toBe(200)
  expect(await statementsOf(one.id)).toEqual([])
})
