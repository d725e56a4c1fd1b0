import { afterAll, expect, test, vi } from 'vitest'

/**
 * Adds an invented field to the declaration before anything reads it. Each test is a place that shows fields: it fails if
 * the place lists them by hand.
 */
vi.resetModules()
const declared = await import('./fields.ts')
const label = { fr: 'Réseau social', en: 'Social network' }
const invented: import('./fields.ts').Field = {
  ...{ kind: 'line', label, max: 100, example: '@petanque', personal: true },
}
Object.assign(declared.acteurFields, { reseau: invented })
declared.fieldNames.push('reseau' as never)
declared.contactNames.push('reseau' as never)
// The files after this one load the declaration as it is.
afterAll(() => void vi.resetModules())

const { openWorld, run } = await import('../../../test/support/world.ts')
const { modules } = await import('../../app.ts')
const { exportPerson } = await import('../privacy/export.ts')

const world = await openWorld()
const { as, config, db, get } = world
await run(world.database.owner, 'alter table acteurs add column reseau text')
const admin = await as('admin')
const value = '@petanque-de-chambery'
const commune = await world.commune()
const made = { nom: 'Pétanque', type: 'association', commune_id: commune.id, reseau: value }

async function create() {
  const { data } = (await admin.post('/admin/acteurs', made)).body
  await admin.patch(`/admin/acteurs/${data.id}/validate`)
  return data
}

test('administrators write it, and everybody reads it', async () => {
  const { id, slug } = await create()
  expect((await admin.get(`/admin/acteurs/${id}`)).body.data).toMatchObject({ reseau: value })
  expect((await get(`/acteurs/${slug}`)).body.data).toMatchObject({ reseau: value })
  expect(await admin.patch(`/admin/acteurs/${id}`, { reseau: 'x'.repeat(101) })).toBeError(
    422,
    'validation_failed',
  )
})

test('members write and read it on their page', async () => {
  const { id } = await create()
  const { token } = await world.user({ memberships: [{ acteur: { id }, role: 'owner' }] })
  const owner = world.client({ token })
  expect((await owner.patch(`/me/acteurs/${id}`, { reseau: '@autre' })).status).toBe(200)
  expect((await owner.get(`/me/acteurs/${id}`)).body.data).toMatchObject({ reseau: '@autre' })
})

test('the audit log has its label and not its value', async () => {
  const { id } = await create()
  await admin.patch(`/admin/acteurs/${id}`, { reseau: '@autre' })
  const audited = await admin.get(`/admin/audit?entity_id=${id}&action=acteur.update`, {
    headers: { 'accept-language': 'fr' },
  })
  expect(audited.body.data[0].changes).toMatchObject([
    { label: label.fr, before: null, after: null, personal: true },
  ])
})

test('whoever decides a claim to the acteur reads it', async () => {
  const { id: acteur_id } = await create()
  const { id: user_id } = await world.user()
  const claim = { id: crypto.randomUUID(), acteur_id, user_id, message: 'Je préside ce club.' }
  await db.insertInto('claims').values(claim).execute()
  const { body } = await admin.get(`/admin/claims/${claim.id}`)
  expect(body.data.acteur).toMatchObject({ reseau: value })
})

test('the CSV file has a column of it', async () => {
  await create()
  const { text } = await admin.get('/admin/acteurs', { headers: { accept: 'text/csv' } })
  expect(text.split('\n')[0]).toContain('reseau')
})

test('the export of a person has it', async () => {
  const { id } = await create()
  await admin.patch(`/admin/acteurs/${id}`, { email: 'odile@example.org' })
  let text = ''
  const tools = { db, modules, config, clock: () => new Date() }
  for await (const piece of exportPerson(tools, { userIds: [], emails: ['odile@example.org'] })) text += piece
  expect(JSON.parse(text).acteurs).toMatchObject([{ reseau: value }])
})

test('the public page shows it', async () => {
  const { slug } = await create()
  const page = await (await fetch(`${world.url}/acteurs/${slug}`)).text()
  expect(page).toContain(label.fr)
  expect(page).toContain(value)
})
