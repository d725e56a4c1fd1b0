import { expect, test } from 'vitest'
import { openWorld, run } from '../../../../test/support/world.ts'
import { uuidv7 } from '../../../platform/formats/uuid.ts'
import { insertPublication } from '../../publications/publications.test-kit.ts'
import { mergeKit } from './merge.test-kit.ts'

const world = await openWorld()
const { as, acteur, user, client, db, get, commune } = world
const { runMerge, fill } = mergeKit(world)
const admin = await as('admin')

const merge = (id: string, into: string) => admin.post(`/admin/acteurs/${id}/merge`, { into })

test('POST /admin/acteurs/{id}/merge returns 202, audits both and is idempotent', async () => {
  const [old, target] = [await acteur(), await acteur()]
  await user({ memberships: [{ acteur: old }] })
  const data = { id: old.id, into: target.id, state: 'merging' }
  for (let time = 0; time < 2; time++) {
    const { status, body } = await merge(old.id, target.id.toUpperCase())
    expect({ status, body }).toEqual({ status: 202, body: { data } })
  }
  const read = async () => (await admin.get(`/admin/acteurs/${target.id}`)).body.data.merged
  const shown = { id: old.id, slug: old.slug, nom: old.nom, merged_at: expect.any(String) }
  expect(await read()).toEqual([{ ...shown, state: 'merging' }])
  await runMerge(old)
  expect(await read()).toEqual([{ ...shown, state: 'merged' }])
  expect((await merge(old.id, target.id)).body).toEqual({ data: { ...data, state: 'merged' } })
  const entries = await db
    .selectFrom('audit_log')
    .select(['action', 'entity_id', 'after'])
    .where('entity_id', 'in', [old.id, target.id])
    .orderBy('seq')
    .execute()
  expect(entries).toMatchObject([
    { action: 'acteur.merge', entity_id: target.id, after: { merged: old.id } },
    {
      action: 'acteur.merge',
      entity_id: old.id,
      after: { merged_into: target.id, members_moved: [expect.any(String)] },
    },
    { action: 'acteur.merge_end', entity_id: old.id, after: { state: 'merged' } },
  ])
})

test('during and after a merge, every route resolves the old id and slug to the target', async () => {
  const { id: commune_id } = await commune()
  const values = { type: 'mairie', valide: true, commune_id } as const
  const [old, target] = [await acteur(values), await acteur(values)]
  await fill(old)
  await fill(target)
  const [{ id: publication }] = [await insertPublication(world, { acteur_id: old.id })]
  const mayor = await user({ memberships: [{ acteur: old, role: 'owner' }] })
  expect((await merge(old.id, target.id)).status).toBe(202)
  const expectSame = async () => {
    const same = async (of: (id: string) => Promise<{ status: number; body: unknown }>) => {
      const [one, other] = await Promise.all([of(old.id.toUpperCase()), of(target.id)])
      expect(one).toMatchObject({ status: 200, body: other.body })
    }
    await same((id) => get(`/acteurs/${id}`))
    expect((await get(`/acteurs/${old.slug}`)).body.data.id).toBe(target.id)
    await same((id) => get(`/acteurs/${id}/publications`))
    await same((id) => get(`/publications?acteur_id=${id}`))
    for (const list of ['publications', 'claims', 'users', 'import-sources', 'subscriptions'])
      await same((id) => admin.get(`/admin/${list}?acteur_id=${id}`))
    await same((id) => admin.get(`/admin/acteurs?ids=${id}`))
    await same((id) => admin.get(`/admin/acteurs/${id}`))
    await same((id) => admin.get(`/admin/acteurs/${id}/record`))
    await same((id) => admin.get(`/admin/notes?kind=acteur&id=${id}`))
    await same((id) => client({ source: 'mairie', token: mayor.token }).get(`/mairie/acteurs/${id}/alertes`))
    const { body } = await admin.get(`/admin/search?q=${old.slug}`)
    expect(body.data).toMatchObject([{ kind: 'acteur', id: target.id }])
    expect((await admin.get(`/admin/search?q=${old.id}`)).body.data).toMatchObject([{ id: target.id }])
    expect((await get(`/communes/${commune_id}/acteurs`)).body.meta.total).toBe(1)
    const { body: all } = await admin.get(`/admin/acteurs?commune_id=${commune_id}&deleted=true`)
    expect(all.data.map(({ id }: { id: string }) => id)).toEqual([target.id])
  }
  await expectSame()
  expect((await get(`/publications/${publication}`)).status).toBe(200)
  await runMerge(old, 2)
  await expectSame()
  expect((await get(`/publications/${publication}`)).body.data.acteur.id).toBe(target.id)
  const renamed = await admin.patch(`/admin/acteurs/${old.id}`, { nom: 'Mairie réunie' })
  expect(renamed.body.data).toMatchObject({ id: target.id, nom: 'Mairie réunie' })
  const bulk = await admin.patch('/admin/acteurs/bulk', { ids: [old.id], badge: 'Or' })
  expect(bulk.body.data).toMatchObject([{ id: target.id, result: 'updated' }])
})

test('while a mairie is merged into an acteur without a commune, its members and alerts stay those of its commune', async () => {
  const [old, target] = [await acteur({ type: 'mairie' }), await acteur({ type: 'mairie' })]
  const { id } = await commune({ mairie_actor_id: old.id })
  const { token } = await user({ memberships: [{ acteur: old, role: 'owner' }] })
  const mayor = client({ source: 'mairie', token })
  const alert = { titre: 'Neige', message: 'Verglas', niveau: 'urgence' }
  expect((await mayor.post(`/mairie/acteurs/${old.id}/alertes`, alert)).status).toBe(201)
  expect((await merge(old.id, target.id)).status).toBe(202)
  expect((await mayor.post(`/mairie/communes/${id}/alertes`, alert)).status).toBe(201)
  expect((await mayor.post(`/mairie/acteurs/${old.id}/alertes`, alert)).status).toBe(201)
  expect((await get(`/communes/${id}/alertes`)).body.meta.total).toBe(3)
  await runMerge(old)
  expect((await get(`/communes/${id}/alertes`)).body.meta.total).toBe(3)
})

test('POST /admin/acteurs/{id}/merge returns 404, 409 or 422 for acteurs that cannot be merged', async () => {
  const [one, other, gone] = [await acteur(), await acteur(), await acteur({ deleted_at: new Date() })]
  const shop = await acteur({ type: 'commerce' })
  expect(await merge(uuidv7(), one.id)).toBeError(404, 'not_found')
  for (const into of [uuidv7(), one.id, shop.id, 'x'])
    expect(await merge(one.id, into), into).toBeError(422, 'validation_failed')
  expect(await merge(one.id, gone.id)).toBeError(409, 'conflict')
  expect(await merge(gone.id, one.id)).toBeError(409, 'conflict')
  expect((await merge(one.id, other.id)).status).toBe(202)
  expect(await merge(one.id, (await acteur()).id)).toBeError(409, 'conflict')
  expect(await merge(other.id, one.id)).toBeError(409, 'conflict')
  const stale = { headers: { 'if-match': '"7"' } }
  const path = `/admin/acteurs/${other.id}/merge`
  expect(await admin.post(path, { into: (await acteur()).id }, stale)).toBeError(412, 'precondition_failed')
})

test('a merge into a merged acteur uses its target, and earlier merges follow', async () => {
  const [first, second, third, late] = [await acteur(), await acteur(), await acteur(), await acteur()]
  await insertPublication(world, { acteur_id: first.id })
  expect((await merge(first.id, second.id)).status).toBe(202)
  expect((await merge(second.id, third.id)).status).toBe(202)
  expect((await merge(late.id, first.id)).body.data).toMatchObject({ into: third.id })
  for (const one of [first, second, late]) await runMerge(one, 1)
  for (const { id } of [first, second, late])
    expect((await admin.get(`/admin/acteurs/${id}`)).body.data.id).toBe(third.id)
  expect((await admin.get(`/admin/publications?acteur_id=${first.id}`)).body.meta.total).toBe(1)
  // Merged acteurs follow the type of their target.
  expect((await admin.patch(`/admin/acteurs/${third.id}`, { type: 'service' })).status).toBe(200)
  const service = await acteur({ type: 'service' })
  expect((await merge(service.id, first.id)).body.data.into).toBe(third.id)
  await runMerge(service)
})

test('the database refuses invalid merges', async () => {
  const [old, target, gone, shop] = [
    await acteur(),
    await acteur(),
    await acteur({ deleted_at: new Date() }),
    await acteur({ type: 'commerce' }),
  ]
  await merge(old.id, target.id)
  const into = (id: string, other: string | null) =>
    run(
      world.database.owner,
      `update acteurs set merged_into = ${other === null ? 'null' : `'${other}'`}, merged_at = ${other === null ? 'null' : 'now()'} where id = '${id}'`,
    )
  const plain = await acteur()
  await expect(into(plain.id, old.id), 'a merged one').rejects.toThrow('not merged or deleted')
  await expect(into(plain.id, gone.id), 'a deleted one').rejects.toThrow('not merged or deleted')
  await expect(into(target.id, plain.id), 'one with acteurs merged into it').rejects.toThrow(
    'not merged or deleted',
  )
  await expect(into(plain.id, shop.id), 'another type').rejects.toThrow('acteurs_merged_into')
  await expect(into(plain.id, plain.id), 'itself').rejects.toThrow()
  await expect(into(old.id, null), 'back').rejects.toThrow('not undone')
  await runMerge(old)
})

test('two instances resolve the old id to the target, even with cached responses and merges', async () => {
  const one = await openWorld({ keeps: true })
  const other = await openWorld({ keeps: true, database: one.database })
  const officer = await one.as('admin')
  const kit = mergeKit(one)
  const values = { valide: true, commune_id: (await one.commune()).id }
  const [old, target] = [await one.acteur(values), await one.acteur(values)]
  for (const { id: acteur_id } of [old, target]) await insertPublication(one, { acteur_id })
  const heard = () => Promise.all([one.changes?.arrived(), other.changes?.arrived()])
  const counts = async () => {
    const paths = [`/acteurs/${old.id}/publications`, `/publications?acteur_id=${old.id}`]
    const lists = await Promise.all([one, other].flatMap(({ get }) => paths.map((path) => get(path))))
    return lists.map(({ body }) => body.meta.total)
  }
  await heard()
  for (let time = 0; time < 3; time++) expect(await counts()).toEqual([1, 1, 1, 1])
  expect((await officer.post(`/admin/acteurs/${old.id}/merge`, { into: target.id })).status).toBe(202)
  await kit.runMerge(old)
  await heard()
  for (let time = 0; time < 3; time++) expect(await counts()).toEqual([2, 2, 2, 2])
  for (const { get } of [one, other]) expect((await get(`/acteurs/${old.slug}`)).body.data.id).toBe(target.id)
})
