import { expect, test } from 'vitest'
import { fc, propertyRuns } from '../../../../test/support/fast-check.ts'
import { type Day, isOpenAt, readOpeningHours } from './opening-hours.ts'

const weekdays = ['Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa', 'Su']

/** `We 08:30`, or `We! 08:30` for a Wednesday that is a public holiday. */
function openOn(text: string, moment: string): boolean | null {
  const [, name = '', mark, hour, minute] = /^(..)(!?) (\d\d):(\d\d)$/.exec(moment) ?? []
  const weekday = weekdays.indexOf(name)
  const [date, before] = ['2026-06-03', '2026-06-02']
  const today: Day = { date, weekday, isHoliday: mark === '!' }
  const hours = readOpeningHours(text)
  const at = Number(hour) * 60 + Number(minute)
  return (
    hours &&
    isOpenAt(hours, at, today, {
      ...{ date: before, weekday: (weekday + 6) % 7, isHoliday: false },
    })
  )
}

test.each<[string, string, boolean | null]>([
  ['24/7', 'We 03:00', true],
  ['24/7', 'We! 03:00', true],
  ['Mo-Fr 08:00-18:00; Sa 09:00-12:00', 'Fr 08:00', true],
  ['Mo-Fr 08:00-18:00; Sa 09:00-12:00', 'Fr 18:00', false],
  ['Mo-Fr 08:00-18:00; Sa 09:00-12:00', 'Sa 11:59', true],
  ['Mo-Fr 08:00-18:00; Sa 09:00-12:00', 'Su 10:00', false],
  ['Mo-Fr 08:00-18:00, Sa 09:00-12:00', 'Sa 10:00', true],
  ['Mo-Fr 08:00-12:00, We 14:00-18:00', 'We 10:00', true],
  ['Mo-Fr 08:00-12:00; We 14:00-18:00', 'We 10:00', false],
  ['Mo-Fr 08:00-12:00,14:00-18:00', 'Tu 13:00', false],
  ['Mo-Fr 08:00-12:00,14:00-18:00;', 'Tu 14:00', true],
  ['mo,we , fr 8:00-12:00', 'We 09:00', true],
  ['Sa-Mo 10:00-12:00', 'Su 11:00', true],
  ['Sa-Mo 10:00-12:00', 'Tu 11:00', false],
  ['08:00-20:00', 'Su 08:00', true],
  ['Fr 22:00-06:00', 'Sa 05:59', true],
  ['Fr 22:00-06:00', 'Sa 06:00', false],
  ['Fr 22:00-30:00', 'Sa 05:59', true],
  ['Su 20:00-02:00', 'Mo 01:00', true],
  ['Mo-Su 00:00-24:00', 'We 23:59', true],
  ['Mo-Su 00:00-00:00', 'We 23:59', true],
  ['Mo-Fr 08:00-18:00; PH off', 'We! 09:00', false],
  ['Mo-Fr 08:00-18:00; PH off', 'We 09:00', true],
  ['PH off; Mo-Fr 08:00-18:00', 'We! 09:00', false],
  ['Mo-Fr 08:00-18:00', 'We! 09:00', true],
  ['Mo-Fr,PH 08:00-18:00', 'Su! 09:00', true],
  // Readings differ: the weekday of the later rule, or the holiday of the earlier one.
  ['Su,PH 10:00-12:00; Mo-Sa 08:00-18:00', 'We! 13:00', null],
  ['Su,PH 10:00-12:00; Mo-Sa 08:00-18:00', 'We! 11:00', true],
  ['Su,PH 10:00-12:00; Mo-Sa 08:00-18:00', 'We! 19:00', false],
  ['PH 10:00-12:00; Mo-Fr 14:00-18:00', 'We! 11:00', null],
  ['PH 10:00-12:00; Mo-Fr 14:00-18:00', 'We 15:00', true],
  ['Mo-Fr 08:00-18:00; We off', 'We 09:00', false],
  ['Mo-Fr 08:00-18:00; We closed', 'We 09:00', false],
  ['Mo-Su 08:00-20:00, Su off', 'Su 09:00', false],
  ['Mo-Su 08:00-20:00, Su off', 'Sa 09:00', true],
  ['Mo-Su 08:00-20:00, PH off', 'We! 09:00', false],
  ['Mo-Fr 08:00-18:00, off', 'We 09:00', false],
  ['22:00-02:00; Tu 12:00-14:00', 'Tu 01:00', null],
  ['22:00-02:00; Tu 12:00-14:00', 'Tu 13:00', null],
  ['22:00-02:00; Tu 12:00-14:00', 'Tu 23:00', false],
  ['22:00-02:00; Tu 12:00-14:00', 'We 01:00', false],
  ['22:00-02:00; Tu 12:00-14:00', 'Th 01:00', true],
  ['Fr 22:00-06:00; Sa off', 'Sa 05:00', null],
  ['Tu 22:00-06:00; PH off', 'We! 05:00', false],
  ['Mo-Fr 08:00-18:00; 10:00-12:00', 'We 09:00', null],
  ['Mo-Fr 08:00-18:00; 10:00-12:00', 'We 11:00', true],
  // Two rules about the same day differ: the earlier one says closed.
  ['Su off; Mo-Su 08:00-23:00', 'Su 10:00', null],
  ['Su off; Mo-Su 08:00-23:00', 'Sa 10:00', true],
  ['Su off; Mo-Su 08:00-23:00', 'Su 07:00', false],
  ['Su off; Mo-Su 00:00-24:00', 'Su 10:00', null],
  ['Su off, Mo-Su 08:00-23:00', 'Su 10:00', null],
  ['Su off; Mo-Su 20:00-02:00', 'Mo 01:00', null],
  ['Su off; Mo-Su 20:00-02:00', 'Tu 01:00', true],
  ['Su 08:00-09:00; Mo-Su 20:00-23:00', 'Su 21:30', null],
  ['Su 08:00-09:00; Mo-Su 20:00-23:00', 'Su 08:30', false],
  ['Su 08:00-22:00; Mo-Su 20:00-23:00', 'Su 21:30', true],
  ['Mo-Fr 08:00-12:00; We 14:00-18:00', 'We 15:00', null],
  ['Mo-Fr 08:00-12:00, We 14:00-18:00', 'We 15:00', true],
  ['Mo-Fr 08:00-18:00; PH 10:00-20:00', 'We! 11:00', true],
  ['Mo-Fr 08:00-18:00; PH 10:00-20:00', 'We! 19:00', null],
  ['24/7; Su 08:00-12:00', 'Su 09:00', true],
  ['24/7; PH off', 'We! 09:00', false],
  ['24/7; PH off', 'We 09:00', true],
  ['24/7; Su off', 'Su 09:00', false],
  ['Mo-Su off', 'We 09:00', null],
  ['off', 'We 09:00', null],
  ['Mo-Su off; PH off', 'We! 09:00', null],
  ['PH off', 'We! 09:00', false],
  ['PH off', 'We 09:00', null],
  ['PH 10:00-12:00', 'We 11:00', null],
  ['PH 10:00-12:00', 'We! 11:00', true],
])('%s on %s: %s', (text, moment, open) => {
  expect(openOn(text, moment)).toBe(open)
})

/** Whether it is open at a moment in Paris, as `2026-12-24 10:00`; a `!` before the time marks a public holiday. */
function openAt(text: string, moment: string): boolean | null {
  const [, date = '', mark, hour, minute] = /^(\S+) (!?)(\d\d):(\d\d)$/.exec(moment) ?? []
  const day = (time: number): Day => ({
    ...{ date: new Date(time).toISOString().slice(0, 10), weekday: (new Date(time).getUTCDay() + 6) % 7 },
    isHoliday: mark === '!' && time === Date.parse(date),
  })
  const hours = readOpeningHours(text)
  const [today, yesterday] = [day(Date.parse(date)), day(Date.parse(date) - 86_400_000)]
  return hours && isOpenAt(hours, Number(hour) * 60 + Number(minute), today, yesterday)
}

const summer = 'Mo-Fr 08:30-12:00,13:30-17:00; Jul 06-Aug 24: Mo-Fr 09:00-12:30; PH off'
const newYear = 'Mo-Fr 08:30-12:00; Dec 24-Jan 02 off'
test.each<[string, string, boolean | null]>([
  [summer, '2026-07-03 08:45', true],
  [summer, '2026-07-06 08:45', false],
  [summer, '2026-07-06 12:15', true],
  [summer, '2026-08-24 12:15', true],
  [summer, '2026-08-25 12:15', false],
  [summer, '2027-07-06 12:15', true],
  [summer, '2026-07-14 !10:00', false],
  // In the order of others: the holiday still comes before the hours of a season.
  ['Mo-Fr 08:30-17:00; PH off; Jul 06-Aug 24 Mo-Fr 09:00-12:00', '2026-07-14 !10:00', false],
  [newYear, '2026-12-23 10:00', true],
  [newYear, '2026-12-24 10:00', false],
  [newYear, '2026-12-31 10:00', false],
  [newYear, '2027-01-01 10:00', false],
  [newYear, '2027-01-04 10:00', true],
  // Only in the year that is named.
  ['Mo-Fr 08:30-12:00; 2026 Dec 24 off', '2026-12-24 10:00', false],
  ['Mo-Fr 08:30-12:00; 2026 Dec 24 off', '2025-12-24 10:00', true],
  ['Mo-Fr 08:30-12:00; 2026 Dec 24-2027 Jan 02 off', '2027-01-01 10:00', false],
  ['Mo-Fr 08:30-12:00; 2026 Aug 03-14 off', '2026-08-14 10:00', false],
  ['Mo-Fr 08:30-12:00; Aug 03-14 off', '2026-08-17 10:00', true],
  ['Mo-Fr 08:30-12:00; Dec 24,Dec 31 off', '2026-12-31 10:00', false],
  ['Mo-Fr 08:30-12:00; aug closed', '2026-08-31 10:00', false],
  ['Jul-Aug 10:00-18:00', '2026-08-31 10:00', true],
  ['Jul-Aug 10:00-18:00', '2026-09-01 10:00', false],
  ['Feb 29 off; 08:00-12:00', '2027-03-01 10:00', true],
  // A day that is named opens on a public holiday, and within a closure.
  ['Mo-Fr 08:30-12:00; PH off; 2026 May 08 09:00-11:00', '2026-05-08 !10:00', true],
  ['Mo-Fr 08:30-12:00; Aug 03-14 off; Aug 05 09:00-11:00', '2026-08-05 10:00', true],
  ['Mo-Fr 08:30-12:00; Aug 03-14 off; Aug 05 09:00-11:00', '2026-08-06 10:00', false],
  // Overlaps: the later one counts.
  ['Jul-Aug Mo-Fr 09:00-12:00; Aug Mo-Fr 14:00-16:00', '2026-08-05 15:00', true],
  ['Jul-Aug Mo-Fr 09:00-12:00; Aug Mo-Fr 14:00-16:00', '2026-08-05 10:00', false],
  // The hours of the week come after the closure: readings differ.
  ['2026 Dec 24 off; Mo-Fr 08:30-12:00', '2026-12-24 10:00', null],
  ['Mo-Fr 08:30-12:00, 2026 Dec 24 off', '2026-12-24 10:00', false],
  ['24/7; Dec 25 off', '2026-12-25 10:00', false],
  ['2026 Dec 24 off', '2026-12-24 10:00', null],
])('%s at %s: %s', (text, moment, open) => {
  expect(openAt(text, moment)).toBe(open)
})

test.each([
  '',
  ';',
  'Mo-Fr',
  'Mo-Fr 08:00',
  'Mo-Fr 08:00+',
  'Mo-Fr 25:00-26:00',
  'Mo-Fr 08:60-18:00',
  'Mo-Fr 08:00-50:00',
  'Mo-Fr 08:00-18:00 "sur demande"',
  'Mo-Fr 08:00-18:00 || "sur demande"',
  'Mo-Fr sunrise-sunset',
  'Jul 06-Aug Mo-Fr 08:00-18:00',
  'Jul-Aug 24 Mo-Fr 08:00-18:00',
  'Jul 06-2026 Aug 24 Mo-Fr 08:00-18:00',
  '2026 Aug 24-2026 Jul 06 off',
  '2026 Dec 24-Jan 02 off',
  '2026 Jul 06-Aug 24 off',
  '2027 Feb 29 off',
  'Jun 31 off',
  'Jul 00 off',
  'Dec 24,25 off',
  'Dec 24, off',
  'Dec 24',
  '2026 off',
  'Dec24 off',
  'easter off',
  'week 30 off',
  'Mo[1] 08:00-18:00',
  'PH-Su 08:00-18:00',
  'SH off',
  '24/7; SH off',
  '24/7, Su off',
  'Mo-Fr 08:00-18:00; 24/7',
  'lundi, mardi : heures ouvrables',
  'Ouvert 24/7',
])('hours in an unknown syntax are unknown: %j', (text) => {
  expect(readOpeningHours(text)).toBeNull()
})

test('parses any text quickly and without an error', () => {
  const piece = fc.constantFrom(
    'Mo',
    'Jul',
    '2026',
    '24',
    'PH',
    '-',
    ',',
    ' ',
    ';',
    '08:00',
    '24:00',
    'off',
    '24/7',
    ':',
    'x',
    '0',
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 200 }), (pieces) => {
      readOpeningHours(pieces.join(''))
    }),
    { numRuns: propertyRuns(10) },
  )
})
