import { expect, test } from 'vitest'
import { openAt } from './open-now.ts'

const open = (disponibilite: string | null, departement: string | null, now: string) =>
  openAt(new Date(now))({ disponibilite, departement })

test.each([
  // The same moment, a Wednesday: 08:30 in Paris, 03:30 in the Antilles, 20:30 the day before in Tahiti.
  ['Mo-Fr 08:00-18:00', '73', true],
  ['Mo-Fr 08:00-18:00', '2A', true],
  ['Mo-Fr 08:00-18:00', '971', false],
  ['We 03:00-04:00', '972', true],
  ['We 04:00-05:00', '973', true],
  ['We 11:00-12:00', '974', true],
  ['We 04:00-05:00', '975', true],
  ['We 10:00-11:00', '976', true],
  ['We 19:00-20:00', '986', true],
  ['Tu 21:00-22:00', '987', true],
  ['We 18:00-19:00', '988', true],
  ['We 08:00-18:00', null, null],
  ['24/7', null, true],
  [null, '73', null],
  ['sur demande', '73', null],
])('%s in %s: %s', (hours, departement, expected) => {
  expect(open(hours, departement, '2026-11-18T07:30:00Z')).toBe(expected)
})

test('follows summer time', () => {
  expect(open('Mo-Fr 08:00-18:00', '73', '2026-07-15T06:30:00Z')).toBe(true)
  expect(open('Mo-Fr 08:00-18:00', '73', '2026-11-18T06:30:00Z')).toBe(false)
})

test('uses the public holidays of the place', () => {
  const abolition = '2026-05-22T14:00:00Z'
  expect(open('Mo-Fr 08:00-18:00; PH off', '972', abolition)).toBe(false)
  expect(open('Mo-Fr 08:00-18:00; PH off', '971', abolition)).toBe(true)
})

// Good Friday 2026, ten o'clock in Strasbourg.
test.each([
  ['Mo-Fr 08:00-18:00; PH off', '67', null],
  ['Mo-Fr 08:00-18:00', '67', true],
  ['Mo-Fr,PH 08:00-18:00', '67', true],
  ['Sa 08:00-18:00; PH off', '67', false],
  ['Mo-Fr 08:00-18:00; PH off', '73', true],
])('a holiday of some communes of the département makes %s in %s: %s', (hours, departement, expected) => {
  expect(open(hours, departement, '2026-04-03T08:00:00Z')).toBe(expected)
})
