import { afterAll, expect, test, vi } from 'vitest'

/**
 * Adds an invented field to the declaration before anything reads it. Each test is a place that shows fields: it fails if
 * the place lists them by hand.
 */
vi.resetModules()
const declared = await import('./fields.ts')
const target = { description: 'Whom to call', example: 'tel', words: ['tel'] }
const label = { fr: 'Téléphone de contact', en: 'Contact phone' }
const invented: import('./fields.ts').Field = {
  kind: 'line',
  label,
  in: ['versions', 'corrections', 'similarity', 'imports'],
  mapped: { contact_tel: target },
}
Object.assign(declared.publicationFields, { contact_tel: invented })
declared.contentNames.push('contact_tel' as never)
declared.mappedTargets.push({ label, ...target, name: 'contact_tel', field: 'contact_tel' } as never)
// The files after this one load the declaration as it is.
afterAll(() => void vi.resetModules())

const { openWorld, run } = await import('../../../test/support/world.ts')
const { modules } = await import('../../app.ts')
const { importsKit, allowPrivate } = await import('../imports/imports.test-kit.ts')
const { proposeMapping } = await import('../imports/readers/inspection/mapping.ts')
const { exportPerson } = await import('../privacy/export.ts')
const { openAssociation } = await import('./publications.test-kit.ts')

const world = await openWorld({ env: allowPrivate })
const { as, config, db, get } = world
for (const table of ['publications', 'publication_versions'])
  await run(world.database.owner, `alter table ${table} add column contact_tel text`)
const admin = await as('admin')
const imports = await importsKit(world)
const { asOwner, content, owner } = await openAssociation(world, { can_publish: true })
const [first, second] = ['04 65 71 73 12', '04 79 00 00 00']

const write = async (values: object = {}) =>
  (await asOwner.post('/publications', { ...content, contact_tel: first, ...values })).body.data
const correct = (id: string, body: object) => admin.patch(`/admin/publications/${id}`, body)

test('bodies and responses have the field', async () => {
  const { id } = await write()
  expect((await get(`/publications/${id}`)).body.data).toMatchObject({ contact_tel: first })
  await asOwner.patch(`/publications/${id}`, { contact_tel: ` ${second} ` })
  expect((await get(`/publications/${id}`)).body.data).toMatchObject({ contact_tel: second })
  expect(await asOwner.patch(`/publications/${id}`, { contact_tel: 'x'.repeat(201) })).toBeError(
    422,
    'validation_failed',
  )
})

test('a moderator corrects it; the history and the audit log show it', async () => {
  const { id } = await write()
  expect((await correct(id, { contact_tel: second })).body.data).toMatchObject({ contact_tel: second })
  const { body } = await admin.get(`/admin/publications/${id}/history`)
  expect(body.data.map((version: { contact_tel: string }) => version.contact_tel)).toEqual([second, first])
  const audited = await admin.get(`/admin/audit?entity_id=${id}&action=publication.correct`, {
    headers: { 'accept-language': 'fr' },
  })
  expect(audited.body.data[0].changes).toMatchObject([{ label: label.fr, before: first, after: second }])
})

test('similar publications share it', async () => {
  const [one] = [
    await write({ title: 'Loto du club' }),
    await write({ title: 'Loto du club', body: 'Salle.' }),
  ]
  const { body } = await admin.get(`/admin/publications/${one?.id}/similar`)
  expect(body.data[0].shares).toContain('contact_tel')
})

test('the CSV file has a column of it', async () => {
  const { text } = await admin.get('/admin/publications', { headers: { accept: 'text/csv' } })
  expect(text.split('\n')[0]).toContain('contact_tel')
  expect(text).toContain(first)
})

test('the export of a person has it, with the versions they wrote', async () => {
  const { id } = await write()
  await asOwner.patch(`/publications/${id}`, { contact_tel: second })
  let text = ''
  const tools = { db, modules, config, clock: () => new Date() }
  for await (const piece of exportPerson(tools, { userIds: [owner.id], emails: [] })) text += piece
  const { publications, publication_versions } = JSON.parse(text)
  expect(publications).toContainEqual(expect.objectContaining({ id, contact_tel: second }))
  expect(publication_versions).toContainEqual(expect.objectContaining({ contact_tel: second }))
})

test('an import proposes it, fills it and updates it', async () => {
  const columns = ['id', 'titre', 'texte', 'tel'].map((name) => ({ name, example: 'x' }))
  const mapping = proposeMapping(columns)
  expect(mapping).toMatchObject({ contact_tel: 'tel' })
  const page = (tel: string) => `id,titre,texte,tel\n1,Loto,Buvette,${tel}\n`
  const source = await imports.source(page(first), { type: 'csv', mapping })
  await imports.run(source)
  imports.say(source, page(second))
  expect(await imports.run(source)).toMatchObject({ updated: 1 })
  expect(await imports.publications(source)).toMatchObject([{ contact_tel: second }])
})

test('the public page shows it', async () => {
  const { slug } = await write()
  expect(await (await fetch(`${world.url}/publications/${slug}`)).text()).toContain(`${label.fr} : ${first}`)
})

test('forms and screens of the browser application show it', async () => {
  const { renderToStaticMarkup } = await import('react-dom/server')
  const { createElement } = await import('react')
  const { IntlProvider } = await import('use-intl')
  const { useFacts } = await import('../../../web/src/screens/publications/detail/facts.ts')
  const { contentOf, emptyContent, namesThatDiffer } = await import(
    '../../../web/src/screens/publications/writing/content.ts'
  )
  const { publicationOf } = await import('../../../web/src/screens/publications/writing/changes.ts')
  const written = { ...emptyContent, contact_tel: first }
  expect(namesThatDiffer(written, emptyContent)).toEqual(['contact_tel'])
  expect(publicationOf(written)).toMatchObject({ contact_tel: first })
  expect(contentOf({ contact_tel: first, images: [], documents: [] } as never)).toMatchObject({
    contact_tel: first,
  })
  const Facts = () =>
    useFacts()(publicationOf(written))
      .map(({ label, text }) => `${label} : ${text}`)
      .join()
  const intl = { locale: 'fr', timeZone: 'Europe/Paris', messages: { queue: { dates: 'Dates' } } }
  const shown = renderToStaticMarkup(createElement(IntlProvider, { ...intl, children: createElement(Facts) }))
  expect(shown).toBe(`${label.fr} : ${first}`)
})
