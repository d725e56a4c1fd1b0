import { expect, test } from 'vitest'
import { duplicateKey, normaliseUrl } from './duplicates.ts'

const base = {
  source_url: null,
  acteur_id: 'a',
  type_id: 't',
  title: 'Fête de la pomme',
  body: '<p>Un texte</p>',
  date_debut: '2026-10-03',
}

test('duplicateKey tells its reason, and has the form that the database asks for', () => {
  expect(duplicateKey(base)).toMatch(/^s:[0-9a-f]{32}$/)
  expect(duplicateKey({ ...base, source_url: 'https://e.fr/a' })).toMatch(/^u:[0-9a-f]{32}$/)
})

test.each([
  'https://exemple.fr/a/?b=2&a=1',
  'http://www.exemple.fr/a?a=1&b=2',
  'HTTPS://EXEMPLE.fr:443/a?a=1&b=2#c',
  'http://exemple.fr:80/a?a=1&utm_source=x&b=2&fbclid=y&gclid=z&UTM_Medium=w',
])('one address: %s', (url) => {
  expect(normaliseUrl(url)).toBe('exemple.fr/a?a=1&b=2')
})

test.each([
  'https://exemple.fr/A?a=1&b=2',
  'https://exemple.fr:8080/a?a=1&b=2',
  'https://autre.fr/a?a=1&b=2',
  'https://exemple.fr/a?a=2&b=2',
])('another address: %s', (url) => expect(normaliseUrl(url)).not.toBe('exemple.fr/a?a=1&b=2'))

test.each([
  ['case and accents', { title: 'FETE DE LA POMME' }],
  ['punctuation and space', { title: '« Fête »  de la pomme !' }],
  ['markup', { body: 'Un <strong>texte</strong>' }],
  ['blocks', { body: 'Un<br />texte' }],
])('the same signature whatever %s', (_name, values) => {
  expect(duplicateKey({ ...base, ...values })).toBe(duplicateKey(base))
})

test.each([
  ['acteur', { acteur_id: 'b' }],
  ['type', { type_id: null }],
  ['title', { title: 'Fête de la poire' }],
  ['first day', { date_debut: null }],
  ['body', { body: 'Un autre' }],
])('another signature with another %s', (_name, values) => {
  expect(duplicateKey({ ...base, ...values })).not.toBe(duplicateKey(base))
})

test('of a body the first 200 characters count, without their markup', () => {
  const long = 'mot '.repeat(60)
  expect(duplicateKey({ ...base, body: `${long} fin` })).toBe(
    duplicateKey({ ...base, body: `<p>${long}</p> autre` }),
  )
})
