import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openMairie } from '../../../../test/support/mairies.ts'
import { openWorld } from '../../../../test/support/world.ts'
import { maxRows } from './schema.ts'

const world = await openWorld()
const { as, db } = world
const admin = await as('admin')
const elu = (nom: string) => ({ nom, prenom: 'Odile', fonction: 'Maire' })
const info = (libelle: string) => ({ cle: 'garde', libelle, valeur: 'Chez Zoé' })
const bin = (libelle: string, values: object = {}) => ({
  ...{ type_dechet: 'emballages', libelle, mode: 'porte_a_porte', jours: ['mardi'] },
  exceptions: [{ date: '2026-12-25', reportee_au: '2026-12-26' }],
  ...values,
})

type Part = 'elus' | 'collectes' | 'commune_infos'

/** A mairie that has two rows in each list, and removes the first of one. */
async function removed(part: Part) {
  const mairie = await openMairie(world)
  const path = `/mairie/communes/${mairie.commune.id}`
  const lists = {
    elus: [elu('Aval'), elu('Bois')],
    collectes: [bin('Jaune', { secteur: 'Centre' }), bin('Gris', { secteur: 'Centre' })],
    infos: [info('Clé'), info('Salle')],
  }
  const before = (await mairie.secretary.patch(path, lists)).body.data
  const body = Object.fromEntries([[bodyName(part), before[part].slice(1).map(bodyOf)]])
  expect((await mairie.secretary.patch(path, body)).body.data[part]).toHaveLength(1)
  const { data: deleted } = (await mairie.secretary.get(`${path}/deleted`)).body
  const restore = (id: string, by = mairie.secretary) => by.patch(`${path}/deleted/${id}/restore`)
  return { ...mairie, path, before, deleted, restore }
}
const bodyName = (part: Part) => (part === 'commune_infos' ? 'infos' : part)
const bodyOf = ({ prochaines, passages, ...row }: Record<string, unknown>) => row

for (const [part, kind, label] of [
  ['elus', 'elu', 'Odile Aval'],
  ['collectes', 'collecte', 'Jaune'],
  ['commune_infos', 'info', 'Clé'],
] as const)
  test(`a removed row of ${part} is listed, and restored at its place`, async () => {
    const { before, deleted, restore, path, secretary } = await removed(part)
    expect(deleted).toMatchObject([{ id: before[part][0].id, kind, label, can: ['restore'] }])
    const { status, body } = await restore(deleted[0].id)
    expect(status).toBe(200)
    expect(body.data[part]).toEqual(before[part])
    expect((await secretary.get(`${path}/deleted`)).body.data).toEqual([])
    expect(await restore(deleted[0].id)).toBeError(404, 'not_found')
  })

test('a list that is written again without ids deletes nothing that can be restored', async () => {
  const { secretary, path } = await removed('elus')
  const before = (await secretary.get(`${path}/deleted`)).body.meta.total
  await secretary.patch(path, { elus: [elu('Bois')], infos: [info('Clé'), info('Salle')] })
  expect((await secretary.get(`${path}/deleted`)).body.meta.total).toBe(before)
})

test('members without manage_commune read what was deleted and restore nothing; administrators restore it', async () => {
  const { editor, deleted, restore, commune, path, clubOwner } = await removed('elus')
  const [{ id }] = deleted
  expect((await editor.get(`${path}/deleted`)).body.data).toMatchObject([{ id, can: [] }])
  expect(await restore(id, editor)).toBeError(403, 'forbidden')
  expect(await clubOwner.get(`${path}/deleted`)).toBeError(403, 'scope_violation')
  const office = `/admin/communes/${commune.id}/deleted`
  expect((await admin.get(office)).body.data).toMatchObject([{ id, can: ['restore'] }])
  expect((await admin.patch(`${office}/${id}/restore`)).body.data.elus).toHaveLength(2)
})

test('a full list takes nothing back: 409, and the row can still be restored', async () => {
  const { commune, deleted, restore, path, secretary } = await removed('commune_infos')
  await sql`
    insert into commune_infos (id, commune_id, cle, libelle, valeur, position)
    select gen_random_uuid(), ${commune.id}, 'x', 'X', 'x', n from generate_series(3, ${maxRows.infos + 1}) n`.execute(
    db,
  )
  const office = `/admin/communes/${commune.id}/deleted/${deleted[0].id}/restore`
  expect(await restore(deleted[0].id)).toBeError(409, 'conflict')
  expect(await admin.patch(office)).toBeError(409, 'conflict')
  expect((await secretary.get(`${path}/deleted`)).body.data).toHaveLength(1)
})

test('a restored collection joins its secteur under the name it has now', async () => {
  const { deleted, restore, path, secretary } = await removed('collectes')
  const { collectes } = (await secretary.get(path)).body.data
  const renamed = collectes.map((one: object) => ({ ...bodyOf(one as never), secteur: 'Centre-ville' }))
  await secretary.patch(path, { collectes: renamed })
  const { body } = await restore(deleted[0].id)
  expect(body.data.collectes.map(({ secteur }: { secteur: string }) => secteur)).toEqual([
    'Centre-ville',
    'Centre-ville',
  ])
})

test('a restore and a change of the same list at once lose neither', async () => {
  const { deleted, restore, path, owner } = await removed('elus')
  const renamed = (version: string) =>
    owner.patch(path, { infos: [info('Autre')] }, { headers: { 'if-match': version } })
  const version = (await owner.get(path)).headers.get('etag') ?? ''
  const [back, other] = await Promise.all([restore(deleted[0].id), renamed(version)])
  expect(back.status).toBe(200)
  expect([200, 412]).toContain(other.status)
  expect((await owner.get(path)).body.data.elus).toHaveLength(2)
})

test('refuses a page that is no number, and a body where none is expected', async () => {
  const { deleted, path, secretary } = await removed('elus')
  expect(await secretary.get(`${path}/deleted?page=x`)).toBeError(422, 'validation_failed')
  const restore = `${path}/deleted/${deleted[0].id}/restore`
  expect(await secretary.patch(restore, { nom: 'Zoé' })).toBeError(422, 'validation_failed')
})
