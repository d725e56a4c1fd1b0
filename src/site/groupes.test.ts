import { expect, test } from 'vitest'
import { openWorld } from '../../test/support/world.ts'
import { groupsKit } from '../modules/alertes/groups.test-kit.ts'
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
  expect((await open(path)).text).not.toContain('Actualités</h2>')
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
  for (const file of ['publications.rss', 'alertes.atom', 'agenda.ics'])
    expect(text).toContain(`href="${path}/${file}"`)
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

test('what a mairie hides leaves the cached pages, feeds and calendars of its commune alone, and comes back', async () => {
  const acteur = await world.acteur({ slug: 'bacs', type: 'intercommunalite', valide: true })
  await admin.patch(`/admin/groups/${epci.id}`, { acteur_id: acteur.id })
  const soon = new Date(Date.now() + 40 * 86_400_000).toISOString().slice(0, 10)
  const values = { acteur_id: acteur.id, title: 'Compost offert', slug: 'compost', date_debut: soon }
  const { id } = await insertPublication(world, values)
  const ofTown = [
    ...['', '/publications', '/publications?q=compost', '/agenda', '/recherche?q=compost'],
    ...['/publications.rss', '/publications.atom', '/publications.json', '/agenda.ics'],
  ]
  const [hiding, showing] = ['aval', 'amont'].map((town) => ofTown.map((sub) => `/communes/${town}${sub}`))
  const others = [...(showing ?? []), `/groupes/${epci.slug}`, '/acteurs/bacs', '/publications/compost']
  const without = async (paths: string[] = []) => {
    const texts = await Promise.all(paths.map(async (path) => [path, (await open(path)).text] as const))
    return texts.filter(([, text]) => !text.includes('Compost offert')).map(([path]) => path)
  }
  const all = [...(hiding ?? []), ...others]
  await expect.poll(() => without(all)).toEqual([])
  const path = `/mairie/communes/${aval.id}/group-publications/${id}/hidden`
  expect((await admin.put(path)).status).toBe(200)
  expect(await without(all)).toEqual(hiding)
  expect((await admin.delete(path)).status).toBe(200)
  expect(await without(all)).toEqual([])
  await admin.patch(`/admin/groups/${epci.id}`, { acteur_id: null })
})

test('the index of groups is searched by name or SIREN, and reached by département', async () => {
  const mont = await commune({ slug: 'mont', nom: 'Mont', departement: '73' })
  const bauges = await made({ nom: 'CC des Bauges', kind: 'epci', commune_ids: [mont.id] })
  const read = async (query: string) => {
    const { status, text } = await open(`/groupes${query}`)
    const names = [...text.matchAll(/<h2 class="row-title"><a href="([^"]+)">([^<]+)</g)]
    return { status, text, names: names.map(([, , nom]) => nom) }
  }
  const all = await read('')
  expect(all.names).toEqual(['CC des Bauges', 'CC des Deux Rives'])
  expect(all.text).toContain('Intercommunalité · 2 communes')
  expect(all.text).toContain('<a href="/groupes?departement=73">Savoie</a>')
  expect((await read('?q=rives')).names).toEqual(['CC des Deux Rives'])
  expect((await read('?q=200000001')).names).toEqual(['CC des Deux Rives'])
  expect((await read('?departement=73')).names).toEqual(['CC des Bauges'])
  expect((await read('?departement=73&q=rives')).names).toEqual([])
  const none = await read('?departement=29')
  expect([none.status, none.names]).toEqual([200, []])
  for (const query of ['?departement=96', '?departement=x', '?page=0'])
    expect((await read(query)).status, query).not.toBe(200)
  expect((await open('/communes')).text).toContain('<a href="/groupes">')
  await admin.delete(`/admin/groups/${bauges.id}`)
  expect((await read('?departement=73')).names).toEqual([])
})

test('the index shows fifty groups on a page', async () => {
  const ids: string[] = []
  for (let n = 0; n < 49; n++) ids.push((await made({ nom: `Zone ${n}`, kind: 'autre' })).id)
  const rowsOf = ({ text }: { text: string }) => text.match(/class="row-title"/g)?.length ?? 0
  expect(rowsOf(await open('/groupes'))).toBe(50)
  expect((await open('/groupes')).text).not.toContain('rel="next"')
  ids.push((await made({ nom: 'Zone 49', kind: 'autre' })).id)
  const first = await open('/groupes')
  expect(first.text).toContain('href="/groupes?page=2" rel="next"')
  expect([rowsOf(first), rowsOf(await open('/groupes?page=2'))]).toEqual([50, 1])
  const past = await open('/groupes?page=3')
  expect([past.status, rowsOf(past)]).toEqual([200, 0])
  expect(past.text).toContain('au-delà de la dernière')
  for (const id of ids) await admin.delete(`/admin/groups/${id}`)
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
    const index = (await open('/groupes')).text
    expect(index).toContain('href="/groupes/cc-des-deux-rives"')
    expect(index).not.toMatch(/Ailleurs|2 communes|departement=/)
    expect((await open('/groupes?departement=73')).status).toBe(404)
    expect((await open('/sitemap/groupes.xml')).text).toContain(epci.slug)
    expect((await open('/sitemap/groupes.xml')).text).not.toContain(others.slug)
  } finally {
    await set(null)
  }
  expect(await db.selectFrom('groups').select('id').execute()).toHaveLength(2)
})

test('the pages and feeds of a commune show an alert of its group, by the name of the group', async () => {
  const acteur = await world.acteur({ nom: 'Régie', type: 'intercommunalite', valide: true })
  const group = await made({
    nom: 'Eaux vives',
    kind: 'syndicat',
    acteur_id: acteur.id,
    commune_ids: [aval.id],
  })
  const { token } = await world.user({ memberships: [{ acteur, role: 'owner' }] })
  const owner = world.client({ source: 'mairie', token })
  const text = { titre: 'Eau non potable', message: 'Faites-la bouillir.', niveau: 'urgence' }
  const { status, body } = await owner.post(`/mairie/acteurs/${acteur.id}/alertes`, text)
  expect(status).toBe(201)
  await expect.poll(async () => (await open('/communes/aval')).text).toContain('Eau non potable')
  const link = '<a href="/groupes/eaux-vives">Eaux vives</a>'
  for (const sub of ['', '/alertes']) expect((await open(`/communes/aval${sub}`)).text, sub).toContain(link)
  expect((await open('/communes/aval/acteurs')).text).toContain('Eaux vives\u00a0: Faites-la bouillir.')
  for (const feed of ['rss', 'atom', 'json'])
    expect((await open(`/communes/aval/alertes.${feed}`)).text, feed).toContain('Eaux vives')
  expect((await open('/communes/amont')).text).not.toContain('Eau non potable')
  const pages = ['', '/alertes', '/acteurs', '/ecran', '/alertes.rss', '/alertes.atom', '/alertes.json']
  const showing = async () => {
    const texts = await Promise.all(pages.map(async (sub) => (await open(`/communes/aval${sub}`)).text))
    return pages.filter((_, at) => texts[at]?.includes('Eau non potable'))
  }
  expect(await showing()).toEqual(pages)
  const hidden = { alerte_id: body.data.id, commune_id: aval.id }
  await db.insertInto('alerte_hidings').values(hidden).execute()
  await expect.poll(showing).toEqual([])
  await db.deleteFrom('alerte_hidings').where('alerte_id', '=', hidden.alerte_id).execute()
  await expect.poll(showing).toEqual(pages)
  await admin.patch(`/admin/groups/${group.id}`, { commune_ids: [] })
  await expect.poll(async () => (await open('/communes/aval')).text).not.toContain('Eau non potable')
})

test('the page of a group shows its alerts in force, with the members that they are for', async () => {
  const { openGroup } = await groupsKit(world)
  const group = await openGroup([aval.id, amont.id])
  const path = `/groupes/${group.slug}`
  expect((await open(path)).text).not.toContain('id="alertes"')
  await group.alert({ titre: 'Eau coupée' })
  await expect.poll(async () => (await open(path)).text).toContain('<h3>Eau coupée</h3>')
  expect((await open(path)).text).not.toContain('Pour ')
  const some = await group.alert({ titre: 'Route barrée', commune_ids: [aval.id] })
  await expect.poll(async () => (await open(path)).text).toContain('. Pour Aval</p>')
  await group.alert({ titre: 'À venir', debut: '2099-01-01T08:00:00Z' })
  const restrict = (commune_ids: string[] | null) =>
    db.updateTable('app_sources').set({ commune_ids }).where('code', '=', 'site').execute()
  await restrict([amont.id])
  await expect.poll(async () => (await open(path)).text).not.toContain('Route barrée')
  expect((await open(path)).text).toContain('<h3>Eau coupée</h3>')
  await restrict(null)
  await expect.poll(async () => (await open(path)).text).toContain('Route barrée')
  const hide = { alerte_id: some.id, commune_id: aval.id }
  await db.insertInto('alerte_hidings').values(hide).execute()
  await expect.poll(async () => (await open(path)).text).not.toContain('Route barrée')
  expect((await open(path)).text).toContain('<h3>Eau coupée</h3>')
  expect((await open(path)).text).not.toContain('À venir')
  await db.updateTable('acteurs').set({ active: false }).where('id', '=', group.acteur.id).execute()
  await expect.poll(async () => (await open(path)).text).not.toContain('Eau coupée')
})

test('an alert for many members names twelve of them', async () => {
  const ids: string[] = []
  for (let at = 0; at < 16; at++)
    ids.push((await commune({ nom: `Lieu ${String.fromCharCode(65 + at)}` })).id)
  const { openGroup } = await groupsKit(world)
  const group = await openGroup([...ids, amont.id])
  await group.alert({ commune_ids: ids })
  await expect
    .poll(async () => (await open(`/groupes/${group.slug}`)).text)
    .toContain('Lieu K, Lieu L et 4 autres communes</p>')
})
