import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseAddress, streetKey } from './address.ts'

test.each([
  ['Rue de la République', 'rue republique'],
  ['r. de la Republique', 'rue republique'],
  ['RUE RÉPUBLIQUE', 'rue republique'],
  ['Bd St-Michel', 'boulevard saint michel'],
  ['Av. du Gal de Gaulle', 'avenue general gaulle'],
  ['Rpt des Alpes', 'rond point alpes'],
  ['Rue Croix d’Or', 'rue croix or'],
  ['Le Bourg', 'bourg'],
  ['Allée A', 'allee a'],
  ['Allée D', 'allee d'],
  ['La', 'la'],
  ['Rue du 8 Mai 1945', 'rue 8 mai 1945'],
  ['…', ''],
])('the key of the street %s is "%s"', (voie, key) => expect(streetKey(voie)).toBe(key))

test.each<[string, number | null, string | null, string]>([
  ['12 bis rue de la rép', 12, 'bis', 'rue rep'],
  ['12, r. de la Republique', 12, null, 'rue republique'],
  ['rue republique 12', 12, null, 'rue republique'],
  ['rue de la République, 12 bis', 12, 'bis', 'rue republique'],
  ['rue de la République n° 12b', 12, 'b', 'rue republique'],
  ['n°12 rue X', 12, null, 'rue x'],
  ['12B Av. de Lyon', 12, 'b', 'avenue lyon'],
  ['12 r Victor Hugo', 12, null, 'rue victor hugo'],
  ['12 r rue Victor Hugo', 12, 'r', 'rue victor hugo'],
  ['12 A1 rue B', 12, 'a1', 'rue b'],
  ['12 l’Église', 12, null, 'eglise'],
  ["12 d'Arvan", 12, null, 'arvan'],
  ['12-14 av. de Lyon', 12, null, 'avenue lyon'],
  ['12 à 14 rue X', 12, null, 'rue x'],
  ['rue du 8 mai 1945', null, null, 'rue 8 mai 1945'],
  ['12 rue du 8 mai 1945', 12, null, 'rue 8 mai 1945'],
  ['8 mai 1945', null, null, '8 mai 1945'],
  ['rue du 11 novembre 1918 5', 5, null, 'rue 11 novembre 1918'],
  ['rue 12', null, null, 'rue 12'],
  ['chemin rural 25', null, null, 'chemin rural 25'],
  ['12 rue X, 73000 Chambéry', 12, null, 'rue x'],
  ['rue X 73000 Chambéry', null, null, 'rue x'],
  ['12', 12, null, ''],
  ['', null, null, ''],
])('%s has the number %s, the suffix %s and the street "%s"', (typed, numero, suffixe, street) =>
  expect(parseAddress(typed)).toEqual({ numero, suffixe, street }),
)

const typed = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc
    .array(fc.constantFrom('12', 'bis', 'b', 'r', 'rue', 'de', 'la', 'St', 'av.', '8', 'mai', '73000', ','), {
      maxLength: 9,
    })
    .map((words) => words.join(' ')),
)

test('a key is its own key, and no typed text is refused', () => {
  fc.assert(
    fc.property(typed, (text) => {
      expect(streetKey(streetKey(text))).toBe(streetKey(text))
      const { numero, street } = parseAddress(text)
      expect(numero === null || (numero >= 0 && numero <= 9_999)).toBe(true)
      expect(streetKey(street)).toBe(street)
    }),
  )
})

test('a number before or after the street is read alike', () => {
  const street = fc.constantFrom('rue Croix d’Or', 'bd de la Colonne', 'place Saint-Léger', 'ch. des Prés')
  fc.assert(
    fc.property(street, fc.nat(9_999), fc.constantFrom('', ' bis', ' ter', 'b'), (voie, number, suffix) => {
      expect(parseAddress(`${voie} ${number}${suffix}`)).toEqual(parseAddress(`${number}${suffix} ${voie}`))
    }),
  )
})
