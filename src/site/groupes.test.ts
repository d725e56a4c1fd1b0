import { expect, test } from 'vitest'
import { openWorld } from '../../test/support/world.ts'
import { insertPublication } from '../modules/publications/publications.test-kit.ts'

const world = await openWorld({ keeps: true })
const { url, db, commune } = world
const admin = await world.as('admin')
const aval = await commune({ slug: 'aval', nom: 'Aval' })
const amont = await commune({ slug: 'amont', nom: 'Amont' })

const open = async (path: string) => {
  const response = await fetch(`${url}${path}`, { headers: { accept: 'text/html' }, redirect: 'manual' })
  return { status: response.status, text: await response.text() }
}
const made = async (body: object) => (await admin.post('/admin/groups', body)).body.data

const epci = await made({
  ...{ nom: 'CC des Deux Rives', kind: 'epci', siren: '200000001' },
  commune_ids: [aval.id, amont.id],
})
const eaux = await made({ nom: 'Syndicat <des eaux>', kind: 'syndicat', commune_ids: [aval.id] })

test('the page of a group names its kind and its members with links, and describes it to search engines', async () => {
  const { status, text } = await open('/groupes/cc-des-deux-rives')
  expect(status).toBe(200)
  expect(text).toContain('<h1>CC des Deux Rives</h1>\n<p class="tag">Intercommunalité</p>')
  expect(text).toContain('>2 communes membres</h2>')
  expect(text).toMatch(/<a href="\/communes\/amont">Amont<\/a>[\s\S]*<a href="\/communes\/aval">Aval<\/a>/)
  expect(text).toContain(
    '"@type":"GovernmentOrganization","name":"CC des Deux Rives","url":"http://localhost:3000/groupes/cc-des-deux-rives","identifier":"200000001"',
  )
  expect((await open(`/groupes/${eaux.slug}`)).text).toContain('<h1>Syndicat &lt;des eaux&gt;</h1>')
  expect((await open('/groupes/inconnu')).status).toBe(404)
})

test('the page of a commune names its groups, intercommunalities first', async () => {
  const { text } = await open('/communes/aval')
  expect(text).toContain(
    '<p>Fait partie de\u00a0: <a href="/groupes/cc-des-deux-rives">CC des Deux Rives</a>, <a href="/groupes/syndicat-des-eaux">Syndicat &lt;des eaux&gt;</a></p>',
  )
  const alone = await commune({ slug: 'seule' })
  expect((await open(`/communes/${alone.slug}`)).text).not.toContain('Fait partie de')
})

test('the page of a group shows what its acteur publishes, as those of its members do, by its name', async () => {
  const nom = 'Ordures des Deux Rives'
  const acteur = await world.acteur({ nom, slug: 'ordures', type: 'intercommunalite', valide: true })
  const path = `/groupes/${epci.slug}`
  expect((await open(path)).text).not.toContain('Actualités')
  await admin.patch(`/admin/groups/${epci.id}`, { acteur_id: acteur.id })
  expect((await open(path)).text).toContain('Aucune publication pour le moment.')
  const values = { acteur_id: acteur.id, title: 'Collecte reportée', slug: 'reportee' }
  // The agenda shows twelve months.
  const soon = new Date(Date.now() + 40 * 86_400_000).toISOString().slice(0, 10)
  await insertPublication(world, { ...values, date_debut: soon })
  // The insertion does not wait until the cache has heard of it.
  await expect.poll(async () => (await open(path)).text).toContain('href="/publications/reportee"')
  const { text } = await open(path)
  expect(text.match(/href="\/publications\/reportee"/g)).toHaveLength(2)
  for (const file of ['publications.rss', 'publications.atom', 'agenda.ics'])
    expect(text).toContain(`href="/acteurs/ordures/${file}"`)
  for (const town of ['amont', 'aval'])
    for (const sub of ['', '/publications', '/agenda']) {
      const { text } = await open(`/communes/${town}${sub}`)
      expect(text, `${town}${sub}`).toContain('href="/publications/reportee"')
      expect(text, `${town}${sub}`).toContain(nom)
    }
  for (const file of ['publications.rss', 'agenda.ics'])
    expect((await open(`/communes/aval/${file}`)).text).toContain('Collecte reportée')
  await admin.patch(`/admin/groups/${epci.id}`, { commune_ids: [amont.id] })
  expect((await open('/communes/aval/publications')).text).not.toContain('reportee')
  await admin.patch(`/admin/groups/${epci.id}`, { acteur_id: null, commune_ids: [aval.id, amont.id] })
})

test('a change of a group shows on its page, on those of its members and in the API at once', async () => {
  const path = `/groupes/${eaux.slug}`
  const readMembers = async () =>
    (await world.get(`/groups/${eaux.id}`)).body.data.communes.map(({ nom }: { nom: string }) => nom)
  await Promise.all([open(path), open('/communes/amont'), open('/communes/aval'), readMembers()])
  await admin.patch(`/admin/groups/${eaux.id}`, { nom: 'Eaux', commune_ids: [amont.id] })
  expect((await open(path)).text).toContain('<h1>Eaux</h1>')
  expect((await open('/communes/amont')).text).toContain('>Eaux</a>')
  expect((await open('/communes/aval')).text).not.toContain(path)
  expect(await readMembers()).toEqual(['Amont'])
  await admin.delete(`/admin/groups/${eaux.id}`)
  expect((await open(path)).status).toBe(404)
  expect((await open('/communes/amont')).text).not.toContain(path)
})

test('restricted to communes, the site shows their groups, with these members alone', async () => {
  const set = (commune_ids: string[] | null) => admin.patch('/admin/app-sources/site', { commune_ids })
  const others = await made({ nom: 'CC d’Ailleurs', kind: 'epci', commune_ids: [(await commune()).id] })
  expect((await set([aval.id])).status).toBe(200)
  try {
    const { text } = await open(`/groupes/${epci.slug}`)
    expect(text).toContain('>Une commune membre</h2>')
    expect(text).not.toContain('/communes/amont')
    expect((await open(`/groupes/${others.slug}`)).status).toBe(404)
    expect((await open('/sitemap/groupes.xml')).text).toContain(epci.slug)
    expect((await open('/sitemap/groupes.xml')).text).not.toContain(others.slug)
  } finally {
    await set(null)
  }
  expect(await db.selectFrom('groups').select('id').execute()).toHaveLength(2)
})
