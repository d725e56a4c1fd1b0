import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openMairie } from '../../../test/support/mairies.ts'
import { openWorld } from '../../../test/support/world.ts'
import { sweepHandler } from '../deletions/module.ts'
import { restartStopped } from '../subscribers/broadcasts/announce.ts'
import { subscribersKit } from '../subscribers/subscribers.test-kit.ts'
import { alertes } from './module.ts'

const world = await openWorld()
const { as, db, get } = world
const kit = subscribersKit(world)
const admin = await as('admin')
const water = { titre: 'Eau coupée', message: 'Rue du Puits.', niveau: 'attention' }

/** An alerte of a mairie of its own that its secretary deleted. */
async function deleted(of: 'commune' | 'acteur' = 'commune') {
  const mairie = await openMairie(world)
  const place = of === 'commune' ? `communes/${mairie.commune.id}` : `acteurs/${mairie.hall.id}`
  const path = `/mairie/${place}/alertes`
  const alerte = (await mairie.secretary.post(path, water)).body.data
  expect((await mairie.secretary.delete(`${path}/${alerte.id}`)).status).toBe(200)
  const restore = (by = mairie.secretary) => by.patch(`${path}/${alerte.id}/restore`)
  const bin = async (by = mairie.secretary) => (await by.get(`${path}/deleted`)).body.data
  const shown = async () => (await get(`/communes/${mairie.commune.id}/alertes`)).body.data
  return { ...mairie, id: alerte.id as string, alerte, path, restore, bin, shown }
}
const age = (id: string) =>
  sql`update deleted_records set deleted_at = deleted_at - interval '30 days' where id = ${id}`.execute(db)
const { signal } = new AbortController()
const sweep = () => sweepHandler(world as never).perform({}, { id: 'job', attempt: 1, signal } as never)

for (const of of ['commune', 'acteur'] as const)
  test(`a deleted alerte of a ${of} is listed for 30 days, and restored as it was`, async () => {
    const { id, alerte, bin, restore, shown } = await deleted(of)
    expect(await bin()).toMatchObject([
      { id, kind: 'alerte', label: water.titre, detail: water.message, can: ['restore'] },
    ])
    expect(await shown()).toEqual([])
    const { status, body } = await restore()
    expect(status).toBe(200)
    const { updated_at, created_at } = alerte
    expect(body.data).toMatchObject({ ...water, id, created_at, updated_at, version: alerte.version + 1 })
    expect(await shown()).toMatchObject([{ id }])
    expect(await bin()).toEqual([])
    expect(await restore()).toBeError(404, 'not_found')
  })

for (const of of ['commune', 'acteur'] as const)
  test(`refuses a page that is no number and a body where none is expected, for a ${of}`, async () => {
    const { id, path, secretary } = await deleted(of)
    expect(await secretary.get(`${path}/deleted?page=x`)).toBeError(422, 'validation_failed')
    const restore = `${path}/${id}/restore`
    expect(await secretary.patch(restore, { titre: 'Autre' })).toBeError(422, 'validation_failed')
  })

test('whoever could delete an alerte restores it: other members read the list, strangers do not', async () => {
  const { editor, publisher, clubOwner, bin, restore, path } = await deleted()
  expect(await bin(editor)).toMatchObject([{ can: [] }])
  expect(await restore(editor)).toBeError(403, 'forbidden')
  expect(await clubOwner.get(`${path}/deleted`)).toBeError(403, 'scope_violation')
  expect((await restore(publisher)).status).toBe(200)
})

test('an inactive mairie restores nothing until it is active again', async () => {
  const { hall, restore } = await deleted('acteur')
  await db.updateTable('acteurs').set({ active: false }).where('id', '=', hall.id).execute()
  expect(await restore()).toBeError(403, 'scope_violation')
  await db.updateTable('acteurs').set({ active: true }).where('id', '=', hall.id).execute()
  expect((await restore()).status).toBe(200)
})

test('administrators restore alertes of all mairies; a restore under another owner returns 404', async () => {
  const { id } = await deleted()
  const other = await openMairie(world)
  const elsewhere = `/mairie/communes/${other.commune.id}/alertes/${id}/restore`
  expect(await other.secretary.patch(elsewhere)).toBeError(404, 'not_found')
  expect((await admin.get('/admin/alertes/deleted')).body.data[0]).toMatchObject({ id, can: ['restore'] })
  expect((await admin.patch(`/admin/alertes/${id}/restore`)).body.data).toMatchObject({ id })
})

test('what was deleted 30 days ago cannot be restored, and the sweep erases it', async () => {
  const [old, recent] = [await deleted(), await deleted()]
  await age(old.id)
  expect(await old.bin()).toEqual([])
  expect(await old.restore()).toBeError(404, 'not_found')
  await sweep()
  const rows = sql<{
    id: string
  }>`select id from deleted_records where id = any(${[old.id, recent.id]}::uuid[])`
  expect((await rows.execute(db)).rows).toEqual([{ id: recent.id }])
})

test('of two who restore an alerte at once, one gets it and the other 404', async () => {
  const { restore, secretary, owner } = await deleted()
  const answers = await Promise.all([restore(secretary), restore(owner)])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 404])
})

test('a restored alerte keeps who was told of it, and what had not left is sent', async () => {
  const { id, path, secretary, restore, commune } = await deleted()
  await restore()
  await secretary.delete(`${path}/${id}`)
  await restore()
  const name = commune.id.slice(-6)
  await kit.subscribe(1, [commune.id], 'all', `back-${name}`)
  expect(await kit.broadcastOf(id, 'alerte')).toMatchObject({ status: 'stopped' })
  await restartStopped(db)
  const driven = kit.mailer()
  const broadcast = (await kit.broadcastOf(id, 'alerte'))?.id ?? ''
  await kit.expand(driven, broadcast)
  await kit.send(driven, broadcast)
  expect(driven.accepted.map(({ to }) => to)).toEqual([`back-${name}-0@example.org`])
})

test('an export of their author has deleted alertes too', async () => {
  const { id } = await deleted()
  const { rows } = await sql<{ author: string }>`
    select content #>> '{row,created_by}' as author from deleted_records where id = ${id}`.execute(db)
  const person = { userIds: rows.map(({ author }) => author), emails: [] }
  const exported = []
  for (const { read } of alertes.personal) for await (const row of read(db, person)) exported.push(row)
  expect(exported).toMatchObject([{ id, alerte: { titre: water.titre } }])
})
