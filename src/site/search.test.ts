import { expect, test } from 'vitest'
import { openWorld } from '../../test/support/world.ts'
import { insertPublished } from '../modules/acts/acts.test-kit.ts'
import { insertPublication } from '../modules/publications/publications.test-kit.ts'

const world = await openWorld()
const { url, db } = world
const here = await world.commune({ nom: 'Pommiers', slug: 'pommiers' })
const far = await world.commune({ nom: 'Pommeuse', slug: 'pommeuse' })
for (let number = 1; number <= 7; number++)
  await world.acteur({ nom: `Pommes ${number}`, slug: `pommes-${number}`, valide: true, commune_id: far.id })
await world.acteur({ nom: 'Pommes de Pommiers', slug: 'pommes-ici', valide: true, commune_id: here.id })
for (let number = 1; number <= 25; number++)
  await insertPublication(world, {
    title: `Pommes à cueillir ${number}`,
    slug: `cueillette-${number}`,
    commune_id: far.id,
  })
await insertPublication(world, { title: 'Pommes', slug: 'ici', commune_id: here.id })

const hall = await world.acteur({ type: 'mairie', nom: 'Mairie du verger', valide: true })
await db.updateTable('communes').set({ mairie_actor_id: hall.id }).where('id', '=', here.id).execute()
for (const [number, values] of Object.entries([
  { title: 'Tarifs du verger', text: 'Le prix des reinettes est fixé.' },
  { title: 'Nomination', text: 'Le gardien des reinettes est nommé.', individual: true },
  ...Array.from({ length: 5 }, (_, index) => ({ title: `Arrosage ${index}` })),
]))
  await insertPublished(db, { acteur_id: hall.id, number: `2026-${number}`, ...values })

const open = async (path: string) => (await fetch(`${url}${path}`)).text()
const linksOf = (text: string, kind: string) =>
  [...text.matchAll(new RegExp(`<h3><a href="/${kind}/([^"]+)"`, 'g'))].map(([, slug]) => slug)

test('finds a few communes, acteurs and publications, and links to the rest', async () => {
  const text = await open('/recherche?q=pomm')
  expect(linksOf(text, 'communes')).toEqual(['pommeuse', 'pommiers'])
  expect(linksOf(text, 'acteurs')).toEqual(['pommes-1', 'pommes-2', 'pommes-3', 'pommes-4', 'pommes-5'])
  expect(linksOf(text, 'publications')).toHaveLength(10)
  expect(text).toContain('Acteurs (8)')
  expect(text).toContain('href="/recherche?q=pomm&amp;dans=acteurs"')
  expect(text).toContain('href="/recherche?q=pomm&amp;dans=publications"')
  expect(text).not.toContain('href="/communes?q=pomm"')
})

test('finds acts by words of their text, but nobody by the acts about them', async () => {
  const actsIn = (text: string) =>
    [...text.matchAll(/href="\/actes\/[^"]+">([^<]+)</g)].map(([, title]) => title)
  expect(actsIn(await open('/recherche?q=reinettes'))).toEqual(['Tarifs du verger'])
  expect(actsIn(await open('/communes/pommiers/recherche?q=reinettes'))).toEqual([
    'Nomination',
    'Tarifs du verger',
  ])
  expect(actsIn(await open('/communes/pommeuse/recherche?q=reinettes'))).toEqual([])
  const many = await open('/communes/pommiers/recherche?q=2026')
  expect(actsIn(many)).toHaveLength(5)
  expect(many).toContain('href="/communes/pommiers/actes?q=2026"')
  expect(actsIn(await open('/recherche?q=arrosage&dans=actes'))).toHaveLength(5)
})

test('pages through one kind, and says when a page is past the end', async () => {
  expect(linksOf(await open('/recherche?q=pomm&dans=acteurs'), 'acteurs')).toHaveLength(8)
  const first = await open('/recherche?q=pomm&dans=publications')
  const second = await open('/recherche?q=pomm&dans=publications&page=2')
  const slugs = [...linksOf(first, 'publications'), ...linksOf(second, 'publications')]
  expect(new Set(slugs).size).toBe(26)
  expect(first).toContain('dans=publications&amp;page=2" rel="next"')
  expect(await open('/recherche?q=pomm&dans=publications&page=9')).toContain('au-delà de la dernière')
  expect(await open('/recherche?q=zzzz&dans=acteurs')).toContain('Rien ne correspond')
})

test.each(['!!!', '%25'])('finds nothing for %s, which has no letter and no digit', async (q) => {
  const communes = await open(`/communes?q=${q}`)
  expect(communes).toContain('Aucune commune ne correspond')
  expect(linksOf(communes, 'communes')).toEqual([])
  const all = await open(`/recherche?q=${q}`)
  expect(all).toContain('Rien ne correspond')
  expect(all).toContain('Écrivez au moins un mot')
})

test('asks for the commune whose service the words name, and looks for them there', async () => {
  const text = await open('/recherche?q=d%C3%A9ch%C3%A8terie')
  expect(text).toContain('<h2 id="ici">« déchèterie » dans votre commune</h2>')
  expect(text).toContain('<input type="hidden" name="mots" value="déchèterie">')
  expect(text).not.toContain('Rien ne correspond')
  const meant = await fetch(`${url}/communes?q=Pommiers&mots=d%C3%A9ch%C3%A8terie`, { redirect: 'manual' })
  expect(meant.headers.get('location')).toBe('/communes/pommiers/recherche?q=d%C3%A9ch%C3%A8terie')
  const several = await open('/communes?q=pomm&mots=bac+jaune')
  expect(several).toContain('<h1>« bac jaune » dans votre commune</h1>')
  expect(several).toContain('<a href="/communes/pommiers/recherche?q=bac+jaune">')
  // People look for a service in the field for a commune, too.
  const none = await open('/communes?q=d%C3%A9ch%C3%A8terie')
  expect(none).toContain('Aucune commune ne correspond')
  expect(none).toContain('<input type="hidden" name="mots" value="déchèterie">')
  expect(await open('/recherche?q=pomm')).not.toContain('name="mots"')
})

test('the empty search has the focus, and what it finds has not', async () => {
  expect(await open('/recherche')).toMatch(/<input[^>]+ autofocus>/)
  expect(await open('/recherche?q=pomm')).not.toContain('autofocus')
})

test('says what to write after a search for nothing', async () => {
  for (const search of ['?q=', '?q=%20', '?q=%20&dans=acteurs']) {
    const text = await open(`/recherche${search}`)
    expect(text).toContain('Écrivez au moins un mot')
    expect(text).not.toContain('Rien ne correspond')
  }
  expect(await open('/recherche')).not.toContain('Écrivez au moins un mot')
})

test('says that there are more communes than it shows', async () => {
  for (let number = 10; number < 40; number++) await world.commune({ nom: `Saint-${number}` })
  const thirty = await open('/communes?q=saint')
  expect(linksOf(thirty, 'communes')).toHaveLength(30)
  expect(thirty).not.toContain('premières sont affichées')
  await world.commune({ nom: 'Saint-40' })
  const text = await open('/communes?q=saint')
  expect(linksOf(text, 'communes')).toHaveLength(30)
  expect(text).toContain('Seules les 30 premières sont affichées')
})

test('shows only what the site may show', async () => {
  await world.acteur({ nom: 'Pommes cachées', slug: 'pommes-cachees', valide: false, commune_id: here.id })
  await world.acteur({ nom: 'Pommes éteintes', slug: 'pommes-eteintes', valide: true, active: false })
  expect(await open('/recherche?q=pommes&dans=acteurs')).not.toMatch(/cachees|eteintes/)
  const restrict = (commune_ids: string[] | null) =>
    db.updateTable('app_sources').set({ commune_ids }).where('code', '=', 'site').execute()
  await restrict([here.id])
  try {
    const text = await open('/recherche?q=pomm')
    expect(linksOf(text, 'communes')).toEqual(['pommiers'])
    expect(linksOf(text, 'acteurs')).toEqual(['pommes-ici'])
    expect(linksOf(text, 'publications')).toEqual(['ici'])
  } finally {
    await restrict(null)
  }
})

test.each([
  ['/recherche?q=pomme', 'Rechercher, « pomme » · Parvis'],
  ['/recherche?q=pomme&dans=publications&page=2', 'Rechercher, « pomme », Publications, page 2 · Parvis'],
  ['/communes?q=zzzz', 'Trouver une commune, « zzzz » · Parvis'],
  ['/defibrillateurs?q=gare&page=3', 'Défibrillateurs, « gare », page 3 · Parvis'],
  ['/communes/pommiers/agenda?page=2', 'Agenda de Pommiers, page 2 · Parvis'],
  [
    '/communes/pommiers/acteurs?type=association',
    'Associations, commerces et services de Pommiers, Associations · Parvis',
  ],
  ['/communes/pommiers/acteurs?page=2', 'Associations, commerces et services de Pommiers, page 2 · Parvis'],
  ['/communes/pommiers/publications?q=bal', 'Actualités de Pommiers, « bal » · Parvis'],
])('the title of %s tells it from the others', async (path, title) => {
  const text = await (await fetch(`${url}${path}`)).text()
  expect(/<title>([^<]*)<\/title>/.exec(text)?.[1]).toBe(title)
})
