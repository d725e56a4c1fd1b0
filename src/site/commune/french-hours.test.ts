import { expect, test } from 'vitest'
import { readFrenchHours } from './french-hours.ts'

const inShort = (text: string) =>
  readFrenchHours(text)?.map(
    ({ days, spans }) =>
      `${[...(days ?? [])].join('')} ${spans.map(({ from, to }) => `${from / 60}-${to / 60}`).join(' ')}`,
  ) ?? null

test.each([
  [
    'Du lundi au vendredi de 8 h 30 à 12 h et de 13 h 30 à 17 h, le samedi de 9 h à 12 h',
    ['01234 8.5-12 13.5-17', '5 9-12'],
  ],
  ['Lundi, mardi, jeudi et vendredi de 9 h à midi.', ['0134 9-12']],
  ['Mardi de 17 h à 19 h et samedi de 10 h à 11 h 30', ['1 17-19', '5 10-11.5']],
  [
    'le lundi de 9 h à 12 h, le mercredi de 14 h à 18 h ; les samedis de 9 h à 10 h',
    ['0 9-12', '2 14-18', '5 9-10'],
  ],
  ['Du samedi au lundi de 8h à 9h15', ['560 8-9.25']],
])('reads %s', (text, rules) => {
  expect(inShort(text)).toEqual(rules)
})

test.each([
  '',
  'Sur rendez-vous',
  'Du lundi au vendredi',
  'Du lundi au vendredi de 9 h à 12 h (sauf en août)',
  'Du lundi au vendredi de 9 h à 12 h ; l’après-midi selon les bateaux',
  'Du lundi au vendredi de 8 h 30 à 17 h, le jeudi à partir de 10 h',
  'Du lundi au vendredi de 8 h à 17 h, le jeudi de 8 h à 19 h',
  'À Saint-Cyprien du lundi au vendredi de 9 h à 12 h',
  'Le lundi de 12 h à 9 h',
  'Le lundi de 9 h à 12 h de 13 h à 14 h',
])('leaves what it may misread: %s', (text) => {
  expect(inShort(text)).toBeNull()
})
