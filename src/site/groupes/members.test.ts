import { expect, test } from 'vitest'
import { openWorld } from '../../../test/support/world.ts'
import { streetOf } from '../../modules/communes/secteurs/streets.ts'

const world = await openWorld({ keeps: true })
const { url, db, commune } = world
const admin = await world.as('admin')
const aval = await commune({ slug: 'aval', nom: 'Aval-les-Bains', codes_postaux: ['73100'] })
const amont = await commune({ slug: 'amont', nom: 'Amont', codes_postaux: ['73100'] })
const loin = await commune({ slug: 'loin', nom: 'Loin', codes_postaux: ['73200'] })
const create = async (nom: string, commune_ids: string[]) =>
  (await admin.post('/admin/groups', { nom, kind: 'epci', commune_ids })).body.data
const rives = await create('CC des Rives', [aval.id, amont.id])

const open = async (path: string) => {
  const response = await fetch(`${url}${path}`, { headers: { accept: 'text/html' }, redirect: 'manual' })
  const { status, headers } = response
  return { status, location: headers.get('location'), headers, text: await response.text() }
}
const page = '/groupes/cc-des-rives/collectes'
const linksOf = (text: string) => [...text.matchAll(/<a href="(\/communes\/[^"]+)"/g)].map(([, href]) => href)

test('leads from the page of a group to the bins of each member', async () => {
  const { text } = await open('/groupes/cc-des-rives')
  expect(text).toContain(`<form class="search" action="${page}">`)
  expect(text).toContain(`<li><a href="${page}">Mes bacs</a></li>`)
  expect(text).toContain('name="adresse"')
  const bins = await open(page)
  expect(bins.status).toBe(200)
  expect(bins.text).toContain('<h1>Jours de collecte\u00a0: CC des Rives</h1>')
  expect(linksOf(bins.text)).toEqual(['/communes/amont/collectes', '/communes/aval/collectes'])
  expect(bins.text).toContain('<link rel="canonical"')
  expect((await open(`/groupes/${rives.id}/collectes?adresse=x`)).location).toBe(`${page}?adresse=x`)
  expect((await open('/groupes/inconnu/collectes')).status).toBe(404)
})

test('an address leads to the secteur of its street within a member', async () => {
  const collecte = { type_dechet: 'verre', libelle: 'Verre', mode: 'porte_a_porte', jours: ['samedi'] }
  await admin.patch(`/admin/communes/${aval.id}`, {
    collectes: ['Nord', 'Sud'].map((secteur) => ({ ...collecte, secteur })),
  })
  const { data } = (await admin.get(`/mairie/communes/${aval.id}/secteurs`)).body
  const sud = data.find(({ nom }: { nom: string }) => nom === 'Sud')
  await admin.patch(`/mairie/communes/${aval.id}/secteurs/${sud.id}`, { rues: [streetOf('Rue Haute')] })
  const found = await open(`${page}?adresse=12+rue+haute%2C+aval+les+bains`)
  expect([found.status, found.location]).toEqual([302, '/communes/aval/collectes?adresse=12+rue+haute'])
  expect(found.headers.get('cache-control')).toBe('no-store')
  expect((await open(found.location ?? '')).location).toBe('/communes/aval/collectes?secteur=Sud')
  expect((await open(`${page}?adresse=Amont`)).location).toBe('/communes/amont/collectes')
})

test('who does not know the address chooses the commune, or sees the bins of all secteurs', async () => {
  expect((await open(page)).text).toContain(`<a href="${page}#communes">Je ne sais pas`)
  expect((await open('/groupes/cc-des-rives')).text).toContain(`<a href="${page}#communes">Je ne sais pas`)
  const bins = await open('/communes/aval/collectes')
  expect(bins.text).toContain('<a href="/communes/aval/collectes#secteur-0">Je ne sais pas')
  expect(bins.text).toContain('id="secteur-0"')
  expect((await open('/communes/aval')).text).toContain('<a href="/communes/aval/collectes">Je ne sais pas')
})

test('links keep the street where the commune is unknown', async () => {
  const sameCode = await open(`${page}?adresse=1+rue+Basse+73100`)
  expect(sameCode.text).toContain('peut être dans plusieurs communes')
  const street = '?adresse=1+rue+Basse'
  const both = [`/communes/amont/collectes${street}`, `/communes/aval/collectes${street}`]
  expect(linksOf(sameCode.text)).toEqual([...both, ...both])
  expect(sameCode.text).toContain('<meta name="robots" content="noindex">')
  const misspelt = await open(`${page}?adresse=1+rue+Basse%2C+Amunt`)
  expect(misspelt.text).toContain('Vouliez-vous dire')
  expect(linksOf(misspelt.text)).toEqual([both[0], ...both])
  const unnamed = await open(`${page}?adresse=1+rue+%3CBasse%3E`)
  expect(unnamed.text).toContain('« 1 rue &lt;Basse&gt; » ne nomme aucune commune d’ici.')
  expect(linksOf(unnamed.text)[0]).toBe('/communes/amont/collectes?adresse=1+rue+%3CBasse%3E')
  // A commune that is no member is unknown here.
  expect((await open(`${page}?adresse=1+rue+Basse%2C+Loin`)).status).toBe(200)
})

test('a change of the members shows at once', async () => {
  await open(page)
  await admin.patch(`/admin/groups/${rives.id}`, { commune_ids: [aval.id, amont.id, loin.id] })
  expect(linksOf((await open(page)).text)).toHaveLength(3)
  await admin.patch(`/admin/groups/${rives.id}`, { commune_ids: [] })
  expect((await open(page)).text).toContain('Aucune commune n’est encore enregistrée.')
  expect((await open('/groupes/cc-des-rives')).text).not.toContain('name="adresse"')
  await admin.patch(`/admin/groups/${rives.id}`, { commune_ids: [aval.id, amont.id] })
})

test('a site restricted to communes shows the bins of these alone', async () => {
  const set = (commune_ids: string[] | null) =>
    db.updateTable('app_sources').set({ commune_ids }).where('code', '=', 'site').execute()
  await set([amont.id, loin.id])
  await world.changes?.arrived()
  expect(linksOf((await open(page)).text)).toEqual(['/communes/amont/collectes'])
  expect((await open(`${page}?adresse=aval+les+bains`)).status).toBe(200)
  await set([loin.id])
  await world.changes?.arrived()
  expect((await open(page)).status).toBe(404)
  await set(null)
  await world.changes?.arrived()
})
