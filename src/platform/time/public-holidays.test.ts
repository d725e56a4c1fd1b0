import { expect, test } from 'vitest'
import { isLocalHoliday, isPublicHoliday } from './public-holidays.ts'

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

test('Good Friday is a holiday of some communes in Alsace-Moselle and the Antilles, and of all in Polynesia', () => {
  const holding = (of: typeof isLocalHoliday) =>
    ['57', '67', '68', '73', '971', '972', '974', '987'].filter((departement) => of(departement, 2026, 4, 3))
  expect(holding(isLocalHoliday)).toEqual(['57', '67', '68', '971', '972'])
  expect(holding(isPublicHoliday)).toEqual(['57', '67', '68', '971', '972', '987'])
  expect(isLocalHoliday('67', 2026, 4, 6)).toBe(false)
})
