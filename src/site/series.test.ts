import { expect, test } from 'vitest'
import { openWorld } from '../../test/support/world.ts'
import { insertPublication } from '../modules/publications/publications.test-kit.ts'

const world = await openWorld()
const { url, db, commune, setClock } = world
setClock('2026-11-29T10:00:00.000Z')
const town = await commune({ slug: 'ville', nom: 'Ville' })
const club = await world.acteur({ slug: 'club', nom: 'Club', type: 'association', valide: true })

const dates = ['2026-11-24', '2026-12-08', '2026-12-22', '2027-01-05']
const lieu = (nom: string) => JSON.stringify({ nom, adresse: null, latitude: null, longitude: null })
const insert = (date_debut: string, values: object = {}) =>
  insertPublication(world, {
    ...{ title: 'Soirée bloc', slug: `bloc-${date_debut}`, acteur_id: club.id, date_debut },
    ...{ heure_debut: '18:30', lieu: lieu('Gymnase'), commune_ids: [town.id], ...values },
  })
for (const day of dates) await insert(day)
await insertPublication(world, {
  title: 'Adhésions',
  slug: 'adhesions',
  acteur_id: club.id,
  commune_ids: [town.id],
})
await insert('2026-12-15', { slug: 'ailleurs', lieu: lieu('Autre salle') })
await insert('2026-12-16', { slug: 'attend', moderation_status: 'pending', valide: false })
await insert('2026-12-17', { slug: 'supprime', deleted_at: '2026-11-28T10:00:00Z' })

const open = async (path: string) =>
  (await fetch(`${url}${path}`, { headers: { accept: 'text/html' } })).text()
const linksIn = (text: string) =>
  [...text.matchAll(/<h[23][^>]*><a href="\/publications\/([^"]+)"/g)].map(([, slug]) => slug)
const words = 'Mardi 8 décembre 2026 à 18 h 30 · 3 dates jusqu’au 5 janvier 2027'

test.each(['/communes/ville/publications', '/recherche?q=bloc', '/communes/ville/recherche?q=bloc'])(
  'shows a series as one row, its next date: %s',
  async (path) => {
    const text = await open(path)
    expect(linksIn(text).filter((slug) => slug?.startsWith('bloc'))).toEqual(['bloc-2026-12-08'])
    expect(text).toContain(words)
    expect(linksIn(text)).toContain('ailleurs')
  },
)

test('the page of a commune shows a series once', async () => {
  const shown = linksIn(await open('/communes/ville')).filter((slug) => slug?.startsWith('bloc'))
  expect(shown).toEqual(['bloc-2026-12-08'])
})

test('the page of an acteur shows its next dates in their order, before what it publishes', async () => {
  const text = await open('/acteurs/club')
  const [dates = '', publications = ''] = text.split('id="publications"')
  expect(linksIn(dates)).toEqual(['bloc-2026-12-08', 'ailleurs'])
  expect(linksIn(publications).toSorted()).toEqual(['adhesions', 'ailleurs', 'bloc-2026-12-08'])
})

test('the page of a date links the others that follow', async () => {
  const links = (text: string) => [...text.matchAll(/<li><a href="\/publications\/(bloc-[^"]+)">([^<]+)</g)]
  const shown = links(await open('/publications/bloc-2026-12-08')).map(([, slug, day]) => [slug, day])
  expect(shown).toEqual([
    ['bloc-2026-12-22', 'Mardi 22 décembre'],
    ['bloc-2027-01-05', 'Mardi 5 janvier 2027'],
  ])
  // From one that is over, all are linked.
  expect(links(await open('/publications/bloc-2026-11-24')).map(([, slug]) => slug)).toEqual(
    dates.slice(1).map((day) => `bloc-${day}`),
  )
  expect(await open('/publications/ailleurs')).not.toContain('Autres dates')
})

test('a feed has one item of a series, which stays the same when a date is over', async () => {
  const read = async () => {
    const response = await fetch(`${url}/acteurs/club/publications.json`)
    const { items } = (await response.json()) as { items: { id: string; url: string }[] }
    return items.filter((item) => item.url.includes('bloc'))
  }
  const before = await read()
  expect(before.map((item) => item.url.replace(/.*\//, ''))).toEqual(['bloc-2026-12-08'])
  setClock('2026-12-09T10:00:00.000Z')
  const after = await read()
  expect(after.map((item) => item.url.replace(/.*\//, ''))).toEqual(['bloc-2026-12-22'])
  expect(after[0]?.id).toBe(before[0]?.id)
})

test('a series that is over is one row, its last date', async () => {
  setClock('2027-03-01T10:00:00.000Z')
  const text = await open('/communes/ville/publications')
  expect(linksIn(text).filter((slug) => slug?.startsWith('bloc'))).toEqual(['bloc-2027-01-05'])
  expect(text).toContain('Mardi 5 janvier 2027 à 18 h 30</p>')
  expect(await open('/acteurs/club')).not.toContain('id="dates"')
})

test('a date that a commune hides is not its next date there', async () => {
  setClock('2026-11-29T10:00:00.000Z')
  const { id } = await insert('2026-12-01', { commune_ids: [], slug: 'loin' })
  expect(linksIn(await open('/communes/ville/publications'))).not.toContain('loin')
  expect(linksIn(await open('/acteurs/club'))[0]).toBe('loin')
  await db.deleteFrom('publications').where('id', '=', id).execute()
})
