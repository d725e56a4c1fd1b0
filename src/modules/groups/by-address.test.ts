import { expect, test } from 'vitest'
import { splitAddress } from './by-address.ts'

const member = (nom: string, ...codes_postaux: string[]) => ({
  ...{ id: nom, slug: nom, nom, code_insee: '73000', codes_postaux, departement: '73' },
})
const members = [
  member('Chambéry', '73000'),
  member('Barberaz', '73000'),
  member('La Motte-Servolex', '73290'),
  member('Saint-Alban-Leysse', '73230'),
  member('Saint-Martin', '73230'),
  member('Le Bourget-du-Lac', '73370'),
  member('Le Bourget', '73370'),
]

test.each([
  ['12 rue Haute, Chambéry', ['Chambéry'], '12 rue Haute'],
  ['12 rue Haute CHAMBERY', ['Chambéry'], '12 rue Haute'],
  ['12 rue Haute à Chambéry', ['Chambéry'], '12 rue Haute'],
  ['12 rue Haute\nChambe\u0301ry', ['Chambéry'], '12 rue Haute'],
  ['Chambéry', ['Chambéry'], ''],
  ['Chambéry, 12 rue Haute', ['Chambéry'], '12 rue Haute'],
  ['chambery 12 rue Haute', ['Chambéry'], '12 rue Haute'],
  ['12 rue Haute 73000 Chambéry', ['Chambéry'], '12 rue Haute'],
  ['12 rue Haute, 73000 CHAMBERY CEDEX 2', ['Chambéry'], '12 rue Haute'],
  ['73000 Chambéry, 12 rue Haute', ['Chambéry'], '12 rue Haute'],
  // The name counts, not a wrong code.
  ['12 rue Haute 73100 Chambéry', ['Chambéry'], '12 rue Haute'],
  ['12 rue Haute 73290', ['La Motte-Servolex'], '12 rue Haute'],
  ['12 rue Haute 73000', ['Chambéry', 'Barberaz'], '12 rue Haute'],
  ['73230', ['Saint-Alban-Leysse', 'Saint-Martin'], ''],
  ['3 av. de la Gare motte servolex', ['La Motte-Servolex'], '3 av. de la Gare'],
  ['3 place du Four St Alban Leysse', ['Saint-Alban-Leysse'], '3 place du Four'],
  // The longer name counts.
  ['1 quai Nord, Le Bourget-du-Lac', ['Le Bourget-du-Lac'], '1 quai Nord'],
  ['1 quai Nord, Le Bourget', ['Le Bourget'], '1 quai Nord'],
  // A street has the name of a commune.
  ['12 avenue de Chambéry, Barberaz', ['Barberaz'], '12 avenue de Chambéry'],
  ['12 avenue de Chambéry Barberaz', ['Barberaz'], '12 avenue de Chambéry'],
  ['12 rue de Barberaz', [], '12 rue de Barberaz'],
  ['12 place Saint-Martin', [], '12 place Saint-Martin'],
  ['12 place Saint-Martin, Saint-Martin', ['Saint-Martin'], '12 place Saint-Martin'],
  ['rue Haute', [], 'rue Haute'],
  ['12 rue Haute, Chamberi', [], '12 rue Haute'],
  ['12 rue Haute 99999 Ailleurs', [], '12 rue Haute'],
])('%s', (typed, communes, street) => {
  const split = splitAddress(typed, members)
  expect({ communes: split.communes.map(({ nom }) => nom), street: split.street }).toEqual({
    communes,
    street,
  })
})

test('names the part in which a misspelt name may stand', () => {
  expect(splitAddress('12 rue Haute, Chamberi', members).place).toBe('Chamberi')
  expect(splitAddress('12 rue Haute 99999 Chamberi', members).place).toBe('Chamberi')
  expect(splitAddress('Chamberi', members).place).toBe('Chamberi')
})
