import { expect, test } from 'vitest'
import { openWorld } from '../../../test/support/world.ts'
import { uuidv7 } from '../../platform/formats/uuid.ts'
import { insertPublication } from '../publications/publications.test-kit.ts'

const world = await openWorld({ keeps: true })
const { as, acteur, db, get } = world
const admin = await as('admin')
const bulk = (body: object) => admin.patch('/admin/acteurs/bulk', body)
const stored = (id: string) =>
  db.selectFrom('acteurs').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const auditEntries = (id: string) =>
  db.selectFrom('audit_log').selectAll().where('entity_id', '=', id).orderBy('seq').execute()

test('PATCH /admin/acteurs/bulk returns 200 with one result per acteur and its former state, audited', async () => {
  const [one, same, gone] = [
    await acteur({ badge: 'Or' }),
    await acteur({ valide: true, can_publish: true }),
    await acteur({ deleted_at: new Date() }),
  ]
  const unknown = uuidv7()
  const ids = [one.id.toUpperCase(), same.id, gone.id, unknown, one.id]
  const { status, body } = await bulk({ ids, validate: true, can_publish: true, badge: null })
  expect(status).toBe(200)
  const before = { valide: false, active: true, can_publish: false, badge: 'Or' }
  expect(body).toEqual({
    data: [
      { id: one.id, result: 'updated', previous: before },
      {
        id: same.id,
        result: 'unchanged',
        previous: { ...before, valide: true, can_publish: true, badge: null },
      },
      { id: gone.id, result: 'deleted', previous: null },
      { id: unknown, result: 'not_found', previous: null },
    ],
    meta: { updated: 1, unchanged: 1, not_found: 1, deleted: 1, changed: 0 },
  })
  expect(await stored(one.id)).toMatchObject({ valide: true, can_publish: true, badge: null, version: 2 })
  expect(await stored(gone.id)).toMatchObject({ valide: false, version: gone.version })
  expect(await auditEntries(one.id)).toMatchObject([
    { action: 'acteur.validate', before: { valide: false }, after: { valide: true } },
    { action: 'acteur.can_publish', before: { can_publish: false }, after: { can_publish: true } },
    { action: 'acteur.badge', before: { badge: 'Or' }, after: { badge: null } },
  ])
  expect(await auditEntries(same.id)).toEqual([])
})

test('PATCH /admin/acteurs/bulk returns changed for an outdated version and skips that acteur', async () => {
  const [one, other] = [await acteur(), await acteur()]
  await admin.patch(`/admin/acteurs/${other.id}/badge`, { badge: 'Argent' })
  const versions = { [one.id.toUpperCase()]: one.version, [other.id]: other.version }
  const { body } = await bulk({ ids: [one.id, other.id], badge: 'Or', versions })
  expect(body.data).toMatchObject([
    { id: one.id, result: 'updated' },
    { id: other.id, result: 'changed', previous: null },
  ])
  expect((await stored(other.id)).badge).toBe('Argent')
})

test('publications of inactive acteurs leave public lists immediately, even cached ones', async () => {
  const [one, other] = [await acteur({ valide: true }), await acteur({ valide: true })]
  const ids = [one.id, other.id]
  for (const acteur_id of ids) await insertPublication(world, { acteur_id })
  const listed = async () => {
    const lists = await Promise.all(ids.map((id) => get(`/publications?acteur_id=${id}`)))
    return lists.map(({ body }) => body.meta.total)
  }
  for (let time = 0; time < 3; time++) expect(await listed()).toEqual([1, 1])
  await bulk({ ids, active: false })
  expect(await listed()).toEqual([0, 0])
  await bulk({ ids, active: true })
  expect(await listed()).toEqual([1, 1])
})

test('two bulk decisions in opposite orders both succeed', async () => {
  const ids = (await Promise.all(Array.from({ length: 20 }, () => acteur()))).map(({ id }) => id)
  const answers = await Promise.all([
    bulk({ ids, validate: true }),
    bulk({ ids: ids.toReversed(), can_publish: true }),
  ])
  expect(answers.map(({ body }) => body.meta.updated)).toEqual([20, 20])
  for (const id of ids) expect(await stored(id)).toMatchObject({ valide: true, can_publish: true })
})

test('PATCH /admin/acteurs/bulk returns 422 for an invalid body', async () => {
  const ids = [uuidv7()]
  const bodies = [
    { ids },
    { ids: [], validate: true },
    { ids: ['x'], validate: true },
    { ids: Array.from({ length: 101 }, uuidv7), validate: true },
    { ids, badge: ' ' },
    { ids, valide: true },
    { ids, active: true, versions: { [uuidv7()]: 0 } },
  ]
  for (const body of bodies)
    expect(await bulk(body), JSON.stringify(body)).toBeError(422, 'validation_failed')
})
