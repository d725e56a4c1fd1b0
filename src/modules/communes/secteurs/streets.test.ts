import { expect, test } from 'vitest'
import { fc } from '../../../../test/support/fast-check.ts'
import { lineOf, sides, streetOf } from './streets.ts'

test.each([
  ['Rue Haute', ['Rue Haute', null, null, null]],
  ['Rue de la République : 1-25 impairs', ['Rue de la République', 1, 25, 'impair']],
  ['Rue de la République\t2\t48\tpair', null],
  ['Rue de la République\t2-48\tpair', ['Rue de la République', 2, 48, 'pair']],
  ['Avenue du Stade 2 à 48 pair', ['Avenue du Stade', 2, 48, 'pair']],
  ['Avenue du Stade pairs', ['Avenue du Stade', null, null, 'pair']],
  ['Avenue du Stade : à 10', ['Avenue du Stade', null, 10, null]],
  ['Avenue du Stade : 12-', ['Avenue du Stade', 12, null, null]],
  ['Avenue du Stade ; 7', ['Avenue du Stade', 7, 7, null]],
  ['Place du 11 novembre 1918', ['Place du 11 novembre 1918', null, null, null]],
  ['Rue du 19-Mars-1962', ['Rue du 19-Mars-1962', null, null, null]],
  ['Rue Haute : 25-1', null],
  ['Rue Haute : tout', null],
  [': 12', null],
])('reads the line %s', (line, expected) => {
  const street = streetOf(line)
  expect(street && [street.rue, street.de, street.a, street.cote]).toEqual(expected)
})

const number = fc.option(fc.integer({ min: 1, max: 9_999 }))
const street = fc
  .record({
    rue: fc.stringMatching(/^[A-Za-zé][A-Za-zé0-9 '-]{0,30}[a-z0-9]$/),
    de: number,
    a: number,
    cote: fc.option(fc.constantFrom(...sides)),
  })
  .filter(({ rue, de, a }) => (de ?? 1) <= (a ?? 9_999) && rue.trim() === rue)

test('a street is read again from its line', () => {
  fc.assert(
    fc.property(street, (street) => {
      expect(streetOf(lineOf(street))).toEqual(street)
    }),
  )
})
