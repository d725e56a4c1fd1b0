import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openMairie } from '../../../test/support/mairies.ts'
import { openWorld } from '../../../test/support/world.ts'
import { mergeKit } from '../acteurs/merge/merge.test-kit.ts'

const world = await openWorld()
const { acteur, user, as, client, commune, db } = world
const { runMerge } = mergeKit(world)
const admin = await as('admin')

const entriesOf = async (acteurId: string) => {
  const { status, body } = await admin.get(`/admin/audit?acteur_id=${acteurId}&sort=at_asc&per_page=100`)
  expect(status).toBe(200)
  return body.data as { action: string; acteur_id: string; acteur: object; user_id: string }[]
}
const actionsOf = async (acteurId: string) => (await entriesOf(acteurId)).map(({ action }) => action)

test('GET /admin/audit?acteur_id= finds what concerns a mairie: page, team, commune, publications and alerts', async () => {
  const { hall, owner, commune: town } = await openMairie(world)
  const alerte = { titre: 'Eau', message: 'Coupée.', niveau: 'info' }
  await owner.patch(`/me/acteurs/${hall.id}`, { telephone: '1' })
  const member = { email: 'colleague@example.org', role: 'editor' }
  const { user_id } = (await owner.post(`/me/acteurs/${hall.id}/members`, member)).body.data
  await owner.delete(`/me/acteurs/${hall.id}/members/${user_id}`)
  await owner.patch(`/mairie/communes/${town.id}`, { infos: [{ cle: 'x', libelle: 'X', valeur: 'x' }] })
  for (const path of [`/mairie/communes/${town.id}/alertes`, `/mairie/acteurs/${hall.id}/alertes`]) {
    const { id } = (await owner.post(path, alerte)).body.data
    await owner.patch(`${path}/${id}`, { titre: 'Eau potable' })
    await owner.delete(`${path}/${id}`)
  }
  const publication = { title: 'Fête', body: 'Sur la place.' }
  const { id } = (await owner.post(`/mairie/acteurs/${hall.id}/publications`, publication)).body.data
  await owner.patch(`/publications/${id}`, { title: 'Fêtes' })
  await admin.patch('/admin/publications/bulk/moderate', { ids: [id], moderation_status: 'rejected' })
  const alertes = ['alerte.create', 'alerte.update', 'alerte.delete']
  const entries = await entriesOf(hall.id)
  expect(entries.map(({ action }) => action)).toEqual([
    'acteur.update',
    'acteur.member_add',
    'acteur.member_remove',
    'commune.update',
    ...alertes,
    ...alertes,
    'publication.create',
    'publication.update',
    'publication.moderate',
  ])
  for (const { acteur_id, acteur } of entries)
    expect({ acteur_id, acteur }).toEqual({ acteur_id: hall.id, acteur: { id: hall.id, nom: hall.nom } })
})

test('a change of one membership by an administrator concerns its acteur, one of several each of them', async () => {
  const [one, other] = [await acteur(), await acteur()]
  const { id } = await user()
  const editor = ({ id }: { id: string }) => ({ acteur_id: id, role: 'editor' })
  await admin.patch(`/admin/users/${id}`, { acteurs: [editor(one)] })
  expect(await actionsOf(one.id)).toEqual(['user.update'])
  await admin.patch(`/admin/users/${id}`, { acteurs: [editor(other)] })
  expect(await actionsOf(one.id)).toEqual(['user.update', 'acteur.member_update'])
  expect(await actionsOf(other.id)).toEqual(['acteur.member_update'])
  await admin.patch(`/admin/users/${id}`, { nom: 'Zoé' })
  expect(await actionsOf(other.id)).toEqual(['acteur.member_update'])
})

test('a claim concerns its acteur', async () => {
  const { id } = await acteur({ valide: true })
  const claim = { acteur_id: id, message: 'Bonjour', email: 'claimant@example.org' }
  const made = await client({ source: 'public' }).post('/claims', claim)
  expect(made.status).toBe(201)
  expect(await actionsOf(id)).toEqual(['claim.create'])
})

test('after a merge, the entries of both are found by either id', async () => {
  const [old, target] = [await acteur(), await acteur()]
  for (const { id } of [old, target]) await admin.patch(`/admin/acteurs/${id}`, { telephone: '1' })
  await admin.post(`/admin/acteurs/${old.id}/merge`, { into: target.id })
  await runMerge(old)
  const actions = await actionsOf(target.id)
  expect(actions.filter((action) => action === 'acteur.update')).toHaveLength(2)
  expect(await actionsOf(old.id)).toEqual(actions)
})

test('entries about no acteur name none, and the log of one walks its index', async () => {
  await commune()
  const { id } = await user()
  await admin.patch(`/admin/users/${id}`, { nom: 'Zoé' })
  const { body } = await admin.get(`/admin/audit?entity_id=${id}`)
  expect(body.data[0]).toMatchObject({ acteur_id: null, acteur: null })
  const { rows } = await sql<{ indexdef: string }>`
    select indexdef from pg_indexes where indexname = 'audit_log_by_acteur'`.execute(db)
  expect(rows[0]?.indexdef).toContain('(acteur_id, at DESC, id DESC)')
  expect(await admin.get('/admin/audit?acteur_id=none')).toBeError(422, 'validation_failed')
})
