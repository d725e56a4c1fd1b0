import { afterAll, expect, test, vi } from 'vitest'

/**
 * Adds an invented field to the declaration before anything reads it. Each test is a place that shows fields: it fails if
 * the place lists them by hand.
 */
vi.resetModules()
const declared = await import('./fields.ts')
const label = { fr: 'Gentilé', en: 'Name of the inhabitants' }
const invented: import('./fields.ts').Field = { kind: 'line', label, max: 100, example: 'Chambériens' }
Object.assign(declared.communeFields, { gentile: invented })
declared.fieldNames.push('gentile' as never)
// The files after this one load the declaration as it is.
afterAll(() => void vi.resetModules())

const { openWorld, run } = await import('../../../test/support/world.ts')

const world = await openWorld()
const { as, get } = world
await run(world.database.owner, 'alter table communes add column gentile text')
const admin = await as('admin')
const value = 'Chambériens'

const create = async () => {
  const { id } = await world.commune({ nom: 'Chambéry' })
  const path = `/admin/communes/${id}`
  expect((await admin.patch(path, { gentile: value })).status).toBe(200)
  return path
}

test('administrators write and read it', async () => {
  const path = await create()
  expect((await admin.get(`${path}/full`)).body.data).toMatchObject({ gentile: value })
  expect(await admin.patch(path, { gentile: 'x'.repeat(101) })).toBeError(422, 'validation_failed')
  expect((await admin.patch(path, { gentile: null })).body.data).toMatchObject({ gentile: null })
})

test('a new commune may have it', async () => {
  const made = { nom: 'Aime', code_insee: '73006', region: '84', gentile: value }
  expect((await admin.post('/admin/communes', made)).body.data).toMatchObject({ gentile: value })
})

test('everybody reads it', async () => {
  const id = (await create()).split('/').at(-1)
  expect((await get(`/communes/${id}`)).body.data).toMatchObject({ gentile: value })
})

test('the audit log has its label', async () => {
  const id = (await create()).split('/').at(-1)
  const { body } = await admin.get(`/admin/audit?entity_id=${id}&action=commune.update`, {
    headers: { 'accept-language': 'fr' },
  })
  expect(body.data[0].changes).toMatchObject([{ label: label.fr, before: null, after: value }])
})

test('the CSV file has a column of it', async () => {
  await create()
  const { text } = await admin.get('/admin/communes', { headers: { accept: 'text/csv' } })
  expect(text.split('\n')[0]).toContain('gentile')
})

test('the form of a commune types and sends it', async () => {
  const { sentFields, typedFields, typedNames } = await import('../../../web/src/screens/communes/fields.ts')
  expect(typedNames).toContain('gentile')
  const commune = Object.fromEntries(typedNames.map((name) => [name, null]))
  const typed = typedFields({ ...commune, gentile: value } as never)
  expect(typed).toMatchObject({ gentile: value })
  expect(sentFields({ ...typed, gentile: ` ${value} ` } as never)).toMatchObject({ gentile: value })
})
