import { expect, test } from 'vitest'
import { openAt } from './open-now.ts'
import { isPublicHoliday } from './public-holidays.ts'

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

test('the hour of summer counts', () => {
  expect(open('Mo-Fr 08:00-18:00', '73', '2026-07-15T06:30:00Z')).toBe(true)
  expect(open('Mo-Fr 08:00-18:00', '73', '2026-11-18T06:30:00Z')).toBe(false)
})

test.each([
  ['73', '2026-07-14', true],
  ['73', '2026-07-15', false],
  ['73', '2026-04-06', true],
  ['73', '2026-05-14', true],
  ['73', '2026-05-25', true],
  ['73', '2024-04-01', true],
  ['73', '2026-04-03', false],
  ['73', '2026-12-26', false],
  ['67', '2026-04-03', true],
  ['57', '2026-12-26', true],
  ['68', '2026-12-26', true],
  ['971', '2026-05-27', true],
  ['972', '2026-05-22', true],
  ['972', '2026-05-27', false],
  ['973', '2026-06-10', true],
  ['974', '2026-12-20', true],
  ['976', '2026-04-27', true],
  ['988', '2026-09-24', true],
])('in %s the day %s is a public holiday: %s', (departement, day, expected) => {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number)
  expect(isPublicHoliday(departement, year, month, date)).toBe(expected)
})

test('the public holiday is that of the place', () => {
  const abolition = '2026-05-22T14:00:00Z'
  expect(open('Mo-Fr 08:00-18:00; PH off', '972', abolition)).toBe(false)
  expect(open('Mo-Fr 08:00-18:00; PH off', '971', abolition)).toBe(true)
})
