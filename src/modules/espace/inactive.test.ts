import { expect, test } from 'vitest'
import { openMairie } from '../../../test/support/mairies.ts'
import { openWorld } from '../../../test/support/world.ts'
import { groupsKit } from '../alertes/groups.test-kit.ts'
import { formOf } from '../collectes/collectes.test-kit.ts'

const world = await openWorld()
const { db, as, get } = world
const admin = await as('admin')
const { commune: town, hall, owner, secretary, publisher, writer, clubOwner } = await openMairie(world)
const setActive = (active: boolean) => admin.patch(`/admin/acteurs/${hall.id}/active`, { active })
const ofCommune = `/mairie/communes/${town.id}`
const alertesOf = [`${ofCommune}/alertes`, `/mairie/acteurs/${hall.id}/alertes`]
const water = { titre: 'Coupure d’eau', message: 'Jeudi matin.', niveau: 'attention' }
const deedsOf = async (member: typeof owner) => {
  const { acteurs } = (await member.get('/me')).body.data
  return acteurs[0].can as string[]
}

test('an inactive mairie writes no alertes, which would reach nobody, and reads them', async () => {
  for (const path of alertesOf) {
    const id = (await owner.post(path, water)).body.data.id as string
    await setActive(false)
    for (const member of [owner, secretary, publisher]) {
      expect(await member.post(path, water)).toBeError(403, 'scope_violation')
      expect(await member.patch(`${path}/${id}`, { titre: 'Autre' })).toBeError(403, 'scope_violation')
      expect(await member.delete(`${path}/${id}`)).toBeError(403, 'scope_violation')
      expect((await member.get(path)).body).toMatchObject({ data: [{ id, can: [] }], meta: { total: 1 } })
      expect((await member.get(`${path}/${id}`)).body.data).toMatchObject({ titre: 'Coupure d’eau', can: [] })
    }
    // As while it is active: who lacks the permission is told so, and others nothing about the mairie.
    expect(await writer.post(path, water)).toBeError(403, 'forbidden')
    const strange = await clubOwner.post(path, water)
    expect(strange).toBeError(403, 'scope_violation')
    expect(strange.text).not.toContain('inactive')
    await setActive(true)
    expect((await secretary.patch(`${path}/${id}`, { titre: 'Autre' })).status).toBe(200)
  }
})

test('an inactive mairie changes nothing of its commune, and reads it', async () => {
  await setActive(false)
  const infos = [{ cle: 'horaires', libelle: 'Horaires', valeur: 'Lundi' }]
  for (const member of [owner, secretary]) {
    expect(await member.patch(ofCommune, { infos })).toBeError(403, 'scope_violation')
    expect((await member.get(ofCommune)).body.data).toMatchObject({ id: town.id, can: [] })
  }
  await setActive(true)
  expect((await secretary.patch(ofCommune, { infos })).body.data.can).toEqual(['edit'])
})

test('the refusal of an inactive mairie says why, in both languages', async () => {
  await setActive(false)
  const inFrench = await owner.post(ofCommune.concat('/alertes'), water, {
    headers: { 'Accept-Language': 'fr' },
  })
  expect(inFrench.text).toContain('Cette mairie est désactivée')
  const inEnglish = await owner.post(ofCommune.concat('/alertes'), water, {
    headers: { 'Accept-Language': 'en' },
  })
  expect(inEnglish.text).toContain('This mairie is inactive')
  await setActive(true)
})

test('an inactive group writes nothing for its members, is told why, and reads what it wrote', async () => {
  const { openGroup } = await groupsKit(world)
  const group = await openGroup([town.id])
  const { id } = await group.alert()
  const base = `/mairie/acteurs/${group.acteur.id}`
  await admin.patch(`/admin/acteurs/${group.acteur.id}/active`, { active: false })
  for (const answer of [
    await group.owner.post(group.path, water),
    await group.owner.delete(`${group.path}/${id}`),
    await group.owner.post(`${base}/collecte-imports`, formOf('code_insee;type')),
    await group.owner.post(`${base}/collecte-imports/${id}/apply`),
  ]) {
    expect(answer).toBeError(403, 'scope_violation')
    expect(answer.text).toContain('of this group is inactive')
  }
  const french = { headers: { 'Accept-Language': 'fr' } }
  expect((await group.owner.post(group.path, water, french)).text).toContain('Ce groupement est désactivé')
  expect((await group.owner.get(group.path)).body.data).toMatchObject([{ id, can: [] }])
  for (const part of ['reach', 'collectes', 'collecte-imports', 'acts'])
    expect((await group.owner.get(`${base}/${part}`)).status, part).toBe(200)
  await admin.patch(`/admin/acteurs/${group.acteur.id}/active`, { active: true })
  expect((await group.owner.post(group.path, water)).status).toBe(201)
})

test('what a member may do for an inactive mairie leaves out what concerns its commune', async () => {
  const ofMairie = ['moderate', 'alertes', 'commune']
  expect(await deedsOf(owner)).toEqual(expect.arrayContaining(ofMairie))
  await setActive(false)
  expect(await deedsOf(owner)).toEqual(['edit', 'members', 'pin'])
  const page = (await owner.get(`/me/acteurs/${hall.id}`)).body.data
  expect(page.can).toEqual(['edit', 'members', 'pin'])
  await setActive(true)
  expect(await deedsOf(owner)).toEqual(expect.arrayContaining(ofMairie))
})

test('an administrator alerts a commune whose mairie is inactive, but not in the name of the mairie', async () => {
  await setActive(false)
  const [ofTown = '', ofHall = ''] = alertesOf
  const { status, body, text } = await admin.post(ofTown, water)
  expect(status, text).toBe(201)
  expect((await get(`/communes/${town.id}/alertes`)).text).toContain(body.data.id)
  expect(await admin.post(ofHall, water)).toBeError(403, 'scope_violation')
  expect((await admin.patch(ofCommune, { elus: [] })).body.data.can).toEqual(['edit'])
  await setActive(true)
  expect(await db.selectFrom('alertes').select('id').where('id', '=', body.data.id).execute()).toHaveLength(1)
})
