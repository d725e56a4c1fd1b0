import { expect, test } from 'vitest'
import { openWorld } from '../../../../test/support/world.ts'
import { loadAddresses } from '../../../loaders/addresses/load.ts'
import { bytes } from '../../../loaders/load.test-kit.ts'
import { createRun } from '../../../loaders/run.ts'
import { uuidv7 } from '../../../platform/formats/uuid.ts'
import { findByAddress } from './by-address.ts'
import { insertSecteur } from './queries.ts'
import type { Zone } from './schema.ts'
import { streetOf } from './streets.ts'

const { db, commune } = await openWorld()
const streets = await commune({ code_insee: '73065' })
const areas = await commune({ code_insee: '73008' })
const far = await commune()

async function insert(commune_id: string, nom: string, lines: string[], zone: Zone | null = null) {
  const rues = lines.map((line) => streetOf(line) ?? expect.fail(line))
  await insertSecteur(db, { id: uuidv7(), commune_id, nom, nom_initial: nom, rues, zone })
}
await insert(streets.id, 'Centre', ['Rue de la République : 1-25 impair', 'Place Saint-Léger'])
await insert(streets.id, 'Hauts', ['Rue de la République', 'Avenue du Stade : 2-48 pair', 'Rue Haute'])
await insert(streets.id, 'Lac', ['Rue Haute : 100-'])
await insert(far.id, 'Ailleurs', ['Rue Basse'])

const rows = ['Rue du Bourg;1;5.1;45.1', 'Rue du Bourg;9;5.9;45.9', 'Chemin du Pré;3;5.1;45.2']
const file = `commune_insee;voie_nom;numero;long;lat\n${rows.map((row) => `73008;${row}\n`).join('')}`
await loadAddresses(db, bytes(file, 65_536), createRun())
const ring = (west: number) => [[west, 45], [west + 0.5, 45], [west + 0.5, 46], [west, 46], [west, 45]] // biome-ignore format: a ring
const area = (west: number): Zone => ({ type: 'Polygon', coordinates: [ring(west)] })
await insert(areas.id, 'Ouest', ['Chemin du Pré : 3'], area(5.5))
await insert(areas.id, 'Est', [], area(5))

const of = async (id: string, typed: string) => (await findByAddress(db, id, typed)).secteurs

test.each([
  ['1 rue de la république', ['Centre']],
  ['R. de la Republique, 25', ['Centre']],
  ['2 rue de la république', ['Hauts']],
  ['27 rue de la république', ['Hauts']],
  ['rue de la république', ['Centre', 'Hauts']],
  ['place st léger', ['Centre']],
  ['4 avenue du stade 73000 Chambéry', ['Hauts']],
  ['3 avenue du stade', []],
  ['50 avenue du stade', []],
  ['99 rue haute', ['Hauts']],
  ['100 rue haute', ['Lac']],
  ['1 rue basse', []],
  ['', []],
])('the streets of a secteur lead from "%s" to %j', async (typed, expected) => {
  expect(await of(streets.id, typed)).toEqual(expected)
})

test('a street says nothing without its number if it lies in several secteurs', async () => {
  expect(await findByAddress(db, streets.id, 'rue de la république')).toMatchObject({ needsNumber: true })
})

test('an address in no street of a secteur belongs to the area it lies in', async () => {
  expect(await of(areas.id, '1 rue du bourg')).toEqual(['Est'])
  expect(await of(areas.id, '9 rue du bourg')).toEqual(['Ouest'])
  // The street comes first.
  expect(await of(areas.id, '3 chemin du pré')).toEqual(['Ouest'])
  expect(await findByAddress(db, areas.id, 'rue du bourg')).toEqual({
    ...{ secteurs: [], needsNumber: true, suggestions: [] },
  })
})

test.each([
  ['12 rue de la repubique', ['12 Rue de la République']],
  ['place saint-leyer', ['Place Saint-Léger']],
  ['avenue du stalle', []],
  ['lac', []],
])('wrong letters in "%s" suggest %j', async (typed, suggestions) => {
  expect((await findByAddress(db, streets.id, typed)).suggestions).toEqual(suggestions)
})

test.each([
  ['Hauts', ['Hauts']],
  ['le lac', ['Lac']],
  ['Secteur Hauts', ['Hauts']],
  ['route des hauts', []],
  ['ha', []],
  ['secteur', []],
  ['3 hauts', []],
  ['rue', []],
])('"%s" may be the name of a secteur: %j', async (typed, expected) => {
  expect(await of(streets.id, typed)).toEqual(expected)
})

test('what was typed in part, or with a wrong letter, leads to suggestions of this commune', async () => {
  const suggested = async (id: string, typed: string) => (await findByAddress(db, id, typed)).suggestions
  expect(await suggested(streets.id, '12 république')).toEqual(['12 Rue de la République'])
  expect(await suggested(streets.id, 'rue')).toEqual(['Rue de la République', 'Rue Haute'])
  expect(await suggested(streets.id, 'bourg')).toEqual([])
  expect(await suggested(areas.id, '9 rue du bour')).toEqual(['9 Rue du Bourg'])
  expect(await suggested(areas.id, '9 rue du bourq')).toEqual(['9 Rue du Bourg'])
})
