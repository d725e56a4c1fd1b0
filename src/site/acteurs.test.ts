import { expect, test } from 'vitest'
import { statementsAbout } from '../../test/support/statements.ts'
import { openWorld } from '../../test/support/world.ts'
import { insertPublication } from '../modules/publications/publications.test-kit.ts'

const world = await openWorld()
const { url } = world
const here = await world.commune({ nom: 'Ville', slug: 'ville' })
const far = await world.commune({ nom: 'Ailleurs', slug: 'ailleurs' })
for (const [nom, values] of Object.entries({
  'Escalade club': { type: 'association' },
  'Pétanque du Lac': { type: 'association' },
  'Randonero, vélos': { type: 'commerce' },
  'Randonnée pour tous': { type: 'association' },
  'Marché couvert': { type: 'service' },
  'Escalade fermée': { type: 'association', active: false },
  'Escalade à valider': { type: 'association', valide: false },
  'Escalade lointaine': { type: 'association', commune_id: far.id },
} as const))
  await world.acteur({ nom, valide: true, commune_id: here.id, ...values })

const read = async (path: string) => (await fetch(`${url}/communes/ville/${path}`)).text()
const find = (q: string, more = '') => read(`acteurs?q=${encodeURIComponent(q)}${more}`)
/** The names found, and those of a near spelling. */
const namesIn = (text: string) =>
  text
    .split('id="proches"')
    .map((part) =>
      [...part.matchAll(/<h[23][^>]*><a href="\/acteurs\/[^>]*>([^<]*)/g)].map(([, nom = '']) => nom),
    )

test.each<[string, string[], string[]]>([
  ['escallade', [], ['Escalade club']],
  ['club descallade', [], ['Escalade club']],
  ['club escallade', [], ['Escalade club']],
  ['club d’escalade', [], ['Escalade club']],
  ['petanke', [], ['Pétanque du Lac']],
  ['ESCALADE', ['Escalade club'], []],
  ['randone', ['Randonero, vélos'], ['Randonnée pour tous']],
  ['marché', ['Marché couvert'], []],
  ['natation', [], []],
])('%s finds %j, and %j as a near spelling', async (q, found, near) => {
  const text = await find(q)
  expect(namesIn(text)).toEqual(near.length === 0 ? [found] : [found, near])
  expect(text.includes('orthographe proche')).toBe(near.length > 0)
  expect(text.includes('Aucun nom ne correspond')).toBe(found.length === 0)
})

test('a type keeps to its acteurs, and links keep the words', async () => {
  expect(namesIn(await find('escallade', '&type=commerce'))).toEqual([[]])
  const text = await find('escallade', '&type=association')
  expect(namesIn(text)).toEqual([[], ['Escalade club']])
  expect(text).toContain('href="/communes/ville/acteurs?q=escallade&amp;type=commerce"')
  expect(text).toContain('<input type="hidden" name="type" value="association">')
})

test('the search of the commune names near spellings where it finds nothing', async () => {
  expect(namesIn(await read('recherche?q=escallade'))).toEqual([[], ['Escalade club']])
  expect(namesIn(await read('recherche?q=escalade'))).toEqual([['Escalade club']])
})

test('a misspelt search sends as many statements however many names are like it', async () => {
  const count = async (q: string) => (await statementsAbout(/\bfrom\b/, () => find(q))).length
  const before = await count('choralle')
  expect(before).toBeGreaterThan(0)
  for (let n = 0; n < 12; n++) await world.acteur({ nom: `Chorale ${n}`, valide: true, commune_id: here.id })
  expect(await count('choralle')).toBe(before)
  expect(namesIn(await find('choralle'))[1]).toHaveLength(10)
})

test('the page of an acteur does not repeat its name at its next dates', async () => {
  const { id: acteur_id } = await world.acteur({ nom: 'Choeur du Lac', slug: 'choeur', valide: true })
  const lieu = JSON.stringify({ nom: 'Salle des fêtes', adresse: null, latitude: null, longitude: null })
  await insertPublication(world, { acteur_id, title: 'Concert', date_debut: '2099-10-04', lieu })
  const text = await (await fetch(`${url}/acteurs/choeur`)).text()
  const dates = text.slice(text.indexOf('id="dates"'), text.indexOf('id="publications"'))
  expect(dates).toContain('<p class="meta">Salle des fêtes</p>')
  expect(dates).not.toContain('Choeur du Lac')
})
