import { expect, test } from 'vitest'
import { readOpeningHours } from '../modules/defibrillateurs/hours/opening-hours.ts'
import { hoursInWords, hoursRow, noticesOf } from './hours.ts'
import { textOf } from './html.ts'

const plain = (text: string) => text.replaceAll('\u00a0', ' ')
const week = 'Mo-Fr 08:30-12:00'

test.each([
  ['24/7', ['24 h sur 24, 7 jours sur 7']],
  [
    'Mo-Fr 08:30-12:00,13:30-17:00; Sa 09:00-12:00; PH off',
    ['Du lundi au vendredi : 8 h 30 – 12 h, 13 h 30 – 17 h', 'Samedi : 9 h – 12 h', 'Jours fériés : fermé'],
  ],
  ['Mo,We,Th 14:00-18:00', ['Lundi, mercredi, jeudi : 14 h – 18 h']],
  [
    'Mo-We,Fr-Su,PH 22:00-02:00',
    ['Du lundi au mercredi, du vendredi au dimanche, jours fériés : 22 h – 2 h'],
  ],
  ['09:00-12:00', ['Tous les jours : 9 h – 12 h']],
  ['Sa-Mo 10:00-24:00', ['Lundi, samedi, dimanche : 10 h – 24 h']],
  [
    `${week}; 2026 Jul 06-2026 Aug 24 Mo-Fr 09:00-12:00; 2026 Jul 06-2026 Aug 24 Sa off`,
    [
      'Du lundi au vendredi : 8 h 30 – 12 h',
      'Du 6 juillet au 24 août, du lundi au vendredi : 9 h – 12 h',
      'Du 6 juillet au 24 août, samedi : fermé',
    ],
  ],
  // The hours of today's season come first; what has passed is left out.
  [
    `${week}; Jun 01-Sep 01 Mo-Fr 09:00-12:00; 2026 May 15 off; 2026 Dec 24 off; Dec 31 off`,
    [
      'Du 1er juin au 1er septembre, du lundi au vendredi : 9 h – 12 h',
      'Du lundi au vendredi : 8 h 30 – 12 h',
      'Fermé exceptionnellement le jeudi 24 décembre',
      'Fermé exceptionnellement le jeudi 31 décembre, chaque année',
    ],
  ],
  [
    `${week}; 2026 Dec 24-2027 Jan 02 off; 2027 Feb 01 14:00-16:00`,
    [
      'Du lundi au vendredi : 8 h 30 – 12 h',
      'Fermé du jeudi 24 décembre au samedi 2 janvier 2027',
      'Horaires particuliers le lundi 1er février 2027 : 14 h – 16 h',
    ],
  ],
  ['le matin', null],
])('opening hours %s are %j in words', (hours, lines) => {
  expect(hoursInWords(hours, '2026-06-03')?.map(plain) ?? null).toEqual(lines)
})

const noticesAt = (text: string, today: string) =>
  noticesOf(readOpeningHours(text) ?? [], today, '73').map(plain)

test.each([
  [`${week}; 2026 Dec 24 off`, '2026-12-16', []],
  [`${week}; 2026 Dec 24 off`, '2026-12-17', ['Fermé exceptionnellement le jeudi 24 décembre']],
  [`${week}; 2026 Dec 24 off`, '2026-12-24', ['Fermé exceptionnellement aujourd’hui']],
  [`${week}; 2026 Dec 24 off`, '2026-12-25', []],
  [`${week}; 2026 Dec 24 off`, '2027-12-20', []],
  [`${week}; Dec 24-Jan 02 off`, '2026-12-20', ['Fermé du jeudi 24 décembre au samedi 2 janvier 2027']],
  [`${week}; Dec 24-Jan 02 off`, '2027-01-02', ['Fermé du jeudi 24 décembre 2026 au samedi 2 janvier']],
  [`${week}; Dec 24-Jan 02 off`, '2027-01-03', []],
  [`${week}; Jul 06-Aug 24 Mo-Fr 09:00-12:00`, '2026-06-28', []],
  [
    `${week}; Jul 06-Aug 24 Mo-Fr 09:00-12:00; Jul 06-Aug 24 Sa off`,
    '2026-06-29',
    ['Horaires d’été du 6 juillet au 24 août'],
  ],
  [
    `${week}; 2026 Oct 19-2026 Oct 30 Mo-Fr 09:00-12:00`,
    '2026-10-20',
    ['Horaires particuliers du 19 octobre au 30 octobre'],
  ],
  [
    `${week}; 2026 Dec 24 09:00-11:30`,
    '2026-12-20',
    ['Horaires particuliers le jeudi 24 décembre : 9 h – 11 h 30'],
  ],
  // Christmas is a Friday, All Saints' Day a Sunday on which it is closed anyway.
  [`${week}; PH off`, '2026-12-18', ['Fermé le vendredi 25 décembre, jour férié']],
  [`${week}; PH off`, '2026-05-14', ['Fermé aujourd’hui, jour férié']],
  [`${week}; PH off`, '2026-10-28', []],
  [week, '2026-12-25', []],
  [
    `${week}; PH off; 2026 Dec 25 09:00-10:00; 2026 Dec 24 off`,
    '2026-12-20',
    [
      'Fermé exceptionnellement le jeudi 24 décembre',
      'Horaires particuliers le vendredi 25 décembre : 9 h – 10 h',
    ],
  ],
  ['24/7', '2026-12-25', []],
])('of %s on %s it is announced: %j', (hours, today, notices) => {
  expect(noticesAt(hours, today)).toEqual(notices)
})

test('shows the text of hours that cannot be read, and no announcement twice', () => {
  const shown = (horaires: string) =>
    hoursRow(horaires, '2026-12-20').map(([, words]) => plain(textOf(words)))
  expect(shown('<b>le matin</b>')).toEqual(['&lt;b&gt;le matin&lt;/b&gt;'])
  expect(shown('2026 Feb 30 off')).toEqual(['2026 Feb 30 off'])
  expect(
    shown(`${week}; 2026 Dec 24 off`)
      .join('')
      .match(/24 décembre/g),
  ).toHaveLength(1)
})
