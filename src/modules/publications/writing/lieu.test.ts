import { expect, test } from 'vitest'
import { openMairie } from '../../../../test/support/mairies.ts'
import { openWorld } from '../../../../test/support/world.ts'
import { auditedValues, insertPublication, openAssociation } from '../publications.test-kit.ts'

const world = await openWorld()
const { commune, acteur, content, asOwner } = await openAssociation(world, { can_publish: true })
const admin = await world.as('admin')
const hall = {
  nom: 'Salle des Bleuets',
  adresse: '12 place de la Mairie, 01000 Bourg-en-Bresse',
  latitude: 46.205,
  longitude: 5.225,
}
const empty = { nom: null, adresse: null, latitude: null, longitude: null }

async function create(lieu: object | null) {
  const answer = await asOwner.post('/publications', { ...content, lieu })
  expect(answer.status, answer.text).toBe(201)
  return answer.body.data as { id: string; lieu: unknown }
}

test('every route that shows a publication shows its place', async () => {
  const { id, lieu } = await create(hall)
  expect(lieu).toEqual(hall)
  expect((await world.get(`/publications/${id}`)).body.data.lieu).toEqual(hall)
  expect((await asOwner.get(`/me/publications/${id}`)).body.data.lieu).toEqual(hall)
  expect((await admin.get(`/admin/publications/${id}`)).body.data.lieu).toEqual(hall)
  for (const list of [
    world.get('/publications'),
    world.get(`/communes/${commune.id}/publications`),
    world.get(`/acteurs/${acteur.id}/publications`),
    asOwner.get('/me/publications'),
    admin.get('/admin/publications'),
  ]) {
    const { data } = (await list).body as { data: { id: string; lieu: unknown }[] }
    expect(data.find((row) => row.id === id)?.lieu).toEqual(hall)
  }
  const { text } = await admin.get(`/admin/publications?ids=${id}`, { headers: { accept: 'text/csv' } })
  const [names = '', values = ''] = text.split('\r\n')
  expect(names).toContain(',lieu.nom,lieu.adresse,lieu.latitude,lieu.longitude,')
  expect(values).toContain('Salle des Bleuets,"12 place de la Mairie, 01000 Bourg-en-Bresse",46.205,5.225')
})

test('a change of the place is audited, is a version of its own, and finds the publication by its words', async () => {
  const { id } = await create(null)
  const find = async (q: string) => {
    const [open, office] = await Promise.all([
      world.get(`/publications?q=${q}`),
      admin.get(`/admin/publications?q=${q}`),
    ])
    return [open, office].map(({ body }) => body.data.some((row: { id: string }) => row.id === id))
  }
  expect(await find('Coquelicots')).toEqual([false, false])
  const poppies = { nom: 'Salle des Coquelicots', adresse: 'Impasse Vauquelin' }
  const { body } = await asOwner.patch(`/publications/${id}`, { lieu: poppies })
  expect(body.data).toMatchObject({ version: 2, lieu: { ...empty, ...poppies } })
  expect(await find('coquelicot')).toEqual([true, true])
  expect(await find('vauquelin')).toEqual([true, true])
  const again = await asOwner.patch(`/publications/${id}`, { lieu: { ...empty, ...poppies } })
  expect(again.body.data.version).toBe(2)
  expect((await asOwner.patch(`/publications/${id}`, { epingle: true })).body.data.lieu.nom).toBe(poppies.nom)
  expect((await admin.patch(`/admin/publications/${id}`, { lieu: hall })).body.data.lieu).toEqual(hall)
  expect(await find('coquelicot')).toEqual([false, false])
  expect((await asOwner.patch(`/publications/${id}`, { lieu: null })).body.data.lieu).toBeNull()
  const [updated] = (await auditedValues(world, id)).filter(({ action }) => action === 'publication.update')
  expect(updated).toMatchObject({ before: { lieu: null }, after: { lieu: { nom: poppies.nom } } })
  const history = await admin.get(`/admin/publications/${id}/history`)
  expect(history.body.data.map(({ lieu }: { lieu: unknown }) => lieu)).toEqual([
    null,
    hall,
    { ...empty, ...poppies },
    null,
  ])
})

test('returns a place to review when its acteur may not publish', async () => {
  const untrusted = await openAssociation(world)
  const { id } = await insertPublication(world, { acteur_id: untrusted.acteur.id })
  const { body } = await untrusted.asOwner.patch(`/publications/${id}`, { lieu: hall })
  expect(body.data).toMatchObject({ lieu: hall, moderation_status: 'pending' })
})

test('a mairie gives a place', async () => {
  const here = await openMairie(world)
  const { acteur_id, ...body } = content
  const answer = await here.owner.post(here.path, { ...body, lieu: hall })
  expect(answer.body.data.lieu).toEqual(hall)
})

test.each([
  ['nothing', null, null],
  ['an empty object', {}, null],
  ['blank texts', { nom: ' \u200b', adresse: '\n', latitude: null }, null],
  ['a name alone', { nom: '  Le\n Bar\u202e ' }, { ...empty, nom: 'Le Bar' }],
  [
    'markup',
    { nom: '<script>alert(1)</script>', adresse: '"><img src=x>' },
    { ...empty, nom: '<script>alert(1)</script>', adresse: '"><img src=x>' },
  ],
  ['a pole', { latitude: 90, longitude: -180 }, { ...empty, latitude: 90, longitude: -180 }],
  ['the origin', { latitude: -0, longitude: 1e-300 }, { ...empty, latitude: 0, longitude: 0 }],
  [
    'too many decimals',
    { latitude: 46.20512345678, longitude: -5.00000049 },
    { ...empty, latitude: 46.205123, longitude: -5 },
  ],
  ['longest texts', { nom: '🏛'.repeat(200) }, { ...empty, nom: '🏛'.repeat(200) }],
])('stores %s as it can be shown', async (_, given, stored) => {
  expect((await create(given)).lieu).toEqual(stored)
})

test.each([
  ['lieu', 'Salle des fêtes'],
  ['lieu.ville', { ville: 'Bourg' }],
  ['lieu.nom', { nom: 'x'.repeat(201) }],
  ['lieu.nom', { nom: 'Salle\0' }],
  ['lieu.adresse', { adresse: 'x'.repeat(301) }],
  // Composing turns the letter into two.
  ['lieu.adresse', { adresse: '\ufb1d'.repeat(300) }],
  ['lieu.latitude', { latitude: 90.0000001, longitude: 0 }],
  ['lieu.latitude', { latitude: '46.2', longitude: 5.2 }],
  ['lieu.longitude', { latitude: 0, longitude: -180.5 }],
  ['lieu.longitude', { latitude: 46.2 }],
  ['lieu.latitude', { nom: 'Bar', longitude: 5.2 }],
])('returns 422 naming %s (case %#)', async (field, lieu) => {
  const { id } = await insertPublication(world, { acteur_id: acteur.id })
  for (const answer of [
    await asOwner.post('/publications', { ...content, lieu }),
    await asOwner.patch(`/publications/${id}`, { lieu }),
    await admin.patch(`/admin/publications/${id}`, { lieu }),
  ]) {
    expect(answer).toBeError(422, 'validation_failed')
    expect(answer.body.details.map((detail: { field: string }) => detail.field)).toContain(field)
  }
})
