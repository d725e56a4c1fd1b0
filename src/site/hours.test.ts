import { expect, test } from 'vitest'
import { hoursInWords } from './hours.ts'

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
  ['le matin', null],
])('opening hours %s are %j in words', (hours, lines) => {
  expect(hoursInWords(hours)?.map((line) => line.replaceAll('\u00a0', ' ')) ?? null).toEqual(lines)
})
