import { expect, test } from 'vitest'
import { openWorld } from '../../../test/support/world.ts'
import { insertAddresses } from './addresses.test-kit.ts'
import { locatePlace } from './locating.ts'

const { db, commune } = await openWorld()
const place = (code_insee: string, nom: string, codes_postaux: string[], population: number) =>
  commune({
    code_insee,
    nom,
    codes_postaux,
    population,
    latitude: 45,
    longitude: Number(code_insee) / 10_000,
  })
const chambery = await place('73065', 'Chambéry', ['73000'], 59_000)
await place('73064', 'Challes-les-Eaux', ['73190'], 5_000)
await place('93066', 'Saint-Denis', ['93200'], 112_000)

const load = (...rows: string[]) => insertAddresses(db, ...rows.map((row) => `${row};5.9;45.5`))
await load('73065;Rue Croix d’Or;12;bis', '73065;Rue de Challes;3;', '73065;Rue de Saint-Denis;9;')

const name = async (typed: string, ids: string[] | null = null) => (await locatePlace(db, typed, ids))?.nom

test.each([
  ['12 bis rue croix d’or, Chambéry', '12 bis Rue Croix d’Or, Chambéry'],
  ['12 rue croix d’or chambery', '12 bis Rue Croix d’Or, Chambéry'],
  ['12 rue croix d’or 73000', '12 bis Rue Croix d’Or, Chambéry'],
  ['12 rue croix d’or 73000 CHAMBERY CEDEX 2', '12 bis Rue Croix d’Or, Chambéry'],
  ['rue croix d’or (Chambéry)', 'Rue Croix d’Or, Chambéry'],
  ['Chambéry', 'Chambéry'],
  ['73190', 'Challes-les-Eaux'],
  ['73190 challes les eaux', 'Challes-les-Eaux'],
  ['St-Denis', 'Saint-Denis'],
  // Addresses are known of one commune only.
  ['12 rue croix d’or', '12 bis Rue Croix d’Or, Chambéry'],
  ['3 rue de challes', '3 Rue de Challes, Chambéry'],
  ['rue de challes les eaux', undefined],
  ['9 rue de saint-denis', '9 Rue de Saint-Denis, Chambéry'],
  // No addresses are known there.
  ['12 rue croix d’or, Saint-Denis', undefined],
  ['12 rue inconnue xyz, Chambéry', undefined],
  ['gymnase croix d’or', undefined],
  ['12', undefined],
  ['', undefined],
])('"%s" names %s', async (typed, found) => expect(await name(typed)).toBe(found))

test('a place has its coordinates', async () => {
  expect(await locatePlace(db, '12 rue croix d’or chambery', null)).toEqual({
    ...{ nom: '12 bis Rue Croix d’Or, Chambéry', code_insee: '73065', latitude: 45.5, longitude: 5.9 },
  })
  expect(await locatePlace(db, 'chambery', null)).toMatchObject({ nom: 'Chambéry', latitude: 45 })
})

test('only communes that may be named are', async () => {
  const { id } = await place('73002', 'Aillon', ['73340'], 500)
  await load('73002;Rue Croix d’Or;9;')
  expect(await name('9 rue croix d’or')).toBeUndefined()
  expect(await name('9 rue croix d’or', [id])).toBe('9 Rue Croix d’Or, Aillon')
  expect(await name('12 rue croix d’or', [chambery.id])).toBe('12 bis Rue Croix d’Or, Chambéry')
  expect(await name('12 rue croix d’or, chambéry', [id])).toBeUndefined()
})
