import { expect, test } from 'vitest'
import { openWorld } from '../../../test/support/world.ts'
import { insertAddresses } from './addresses.test-kit.ts'
import { suggestAddresses } from './suggesting.ts'

const { db, commune } = await openWorld()
const { id } = await commune({ code_insee: '73065' })
await commune({ code_insee: '73008' })

const rows = [
  ...['73065;Rue de la République;1;', '73065;Rue de la République;12;', '73065;Rue de la République;12;bis'],
  ...['73065;Avenue de la République;12;', '73065;Rue Croix d’Or;12;ter', '73065;Rue Croix d’Or;13;'],
  ...[
    '73065;Rue du 8 Mai 1945;5;',
    '73065;Place Saint-Léger;4;',
    '73065;Allée A;1;',
    '73065;Allée des Lilas;1;',
  ],
  ...['73065;Boulevard de la Colonne;2;', '73008;Rue Secrète;12;', '73065;Les Charmettes;99999;'],
]
await insertAddresses(db, ...rows.map((row, n) => `${row};${5 + n / 100};45.5`))

const suggest = async (typed: string, limit = 5) =>
  (await suggestAddresses(db, id, typed, limit)).map(({ voie, numero, suffixe }) =>
    [numero, suffixe, voie].filter((part) => part !== null).join(' '),
  )

test('an address has its place', async () => {
  expect(await suggestAddresses(db, id, '12 bis rue de la république', 1)).toEqual([
    { voie: 'Rue de la République', numero: 12, suffixe: 'bis', lat: 45.5, lon: 5.02 },
  ])
})

test.each([
  ['12 bis rue de la rép', ['12 bis Rue de la République', '12 Rue de la République']],
  ['12, r. de la Republique', ['12 Rue de la République', '12 bis Rue de la République']],
  ['rue republique 12', ['12 Rue de la République', '12 bis Rue de la République']],
  ['RUE DE LA RÉPUBLIQUE', ['Rue de la République']],
  ['republique', ['Avenue de la République', 'Rue de la République']],
  ['12 croix or', ['12 ter Rue Croix d’Or']],
  ['14 rue croix d’or', ['Rue Croix d’Or']],
  ['rue du 8 mai 1945', ['Rue du 8 Mai 1945']],
  ['5 rue du 8 mai', ['5 Rue du 8 Mai 1945']],
  ['4 pl st léger', ['4 Place Saint-Léger']],
  ['allée a', ['Allée A', 'Allée des Lilas']],
  ['allée des', ['Allée A', 'Allée des Lilas']],
  ['2 bd colonne 73000 Chambéry', ['2 Boulevard de la Colonne']],
  ['charmettes', ['Les Charmettes']],
  ['12 rue secrète', []],
  ['12', []],
  ['', []],
  ['%', []],
])('"%s" suggests %j', async (typed, suggested) => expect(await suggest(typed)).toEqual(suggested))

test('similar words are suggested only if no street has the typed ones', async () => {
  expect(await suggest('13 rue croix dort')).toEqual(['13 Rue Croix d’Or'])
  expect(await suggest('12 av de la republik')).toEqual([
    '12 Avenue de la République',
    '12 Rue de la République',
    '12 bis Rue de la République',
  ])
  expect(await suggest('chemin de la colone 2')).toEqual(['2 Boulevard de la Colonne'])
  expect(await suggest('xylophone')).toEqual([])
})

test('what begins with the typed words comes first, and a street that has the number before one that has not', async () => {
  expect(await suggest('1 r', 2)).toEqual(['1 Rue de la République', 'Rue Croix d’Or'])
})
