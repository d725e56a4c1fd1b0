import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readOpeningHours } from '../../src/modules/defibrillateurs/hours/opening-hours.ts'
import { emptyWeek, formatHours, parseHours, type Week } from '../../web/src/screens/acteurs/hours.ts'
import { workingDayAfter } from '../../web/src/screens/communes/collectes/days.ts'
import { elusIn } from '../../web/src/screens/communes/elus/pasted-elus.ts'
import { splitText } from '../../web/src/screens/espace/alerte-text.ts'
import { splitAtAddresses } from '../../web/src/ui/addresses.ts'
import { datesIn, dayTyped, timeTyped } from '../../web/src/ui/typed-dates.ts'

test.each([
  ['Coupure d’eau rue du Puits. Jeudi de 8 h à midi.', 'Coupure d’eau rue du Puits', 'Jeudi de 8 h à midi.'],
  ['Rue barrée\nPassez par le pont.', 'Rue barrée', 'Passez par le pont.'],
  ['L’école est fermée !  Restez chez vous.', 'L’école est fermée !', 'Restez chez vous.'],
  ['Verglas', 'Verglas', 'Verglas'],
  ['  Tél. 04.65.71 hors service.  ', 'Tél', '04.65.71 hors service.'],
  ['', '', ''],
])('makes title and message of the text of an alerte: %j', (text, titre, message) => {
  expect(splitText(text)).toEqual({ titre, message })
})

test('cuts a long first sentence between two words, and keeps the whole text as the message', () => {
  const text = `${'mot '.repeat(60).trim()}.`
  const { titre, message } = splitText(text)
  expect(titre).toMatch(/^(mot )+mot…$/)
  expect(titre.length).toBeLessThanOrEqual(121)
  expect(message).toBe(text)
})

const today = '2026-06-03'

test.each([
  ['Mo-Fr 08:30-12:00,13:30-17:00; PH off', 'Mo-Fr 08:30-12:00,13:30-17:00; PH off'],
  ['Mo,Tu,Th 09:00-12:00; Sa 10:00-12:00', 'Mo,Tu 09:00-12:00; Th 09:00-12:00; Sa 10:00-12:00'],
  ['Mo-Su 09:00-18:00; We off', 'Mo,Tu 09:00-18:00; Th-Su 09:00-18:00'],
  ['Sa-Mo 10:00-24:00', 'Mo 10:00-00:00; Sa,Su 10:00-00:00'],
  // Dates: seasons, then public holidays, then single days, the shorter ones last. What has passed is left out.
  ['Mo-Fr 08:30-12:00; Dec 24 off; PH off', 'Mo-Fr 08:30-12:00; PH off; Dec 24 off'],
  ['Mo 08:30-12:00; 2026 Dec 24,2026 Dec 31 off', 'Mo 08:30-12:00; 2026 Dec 24 off; 2026 Dec 31 off'],
  ['2026 Jun 12 off; Dec 24-Jan 02 off; 2025 Dec 24 off', 'Dec 24-Jan 02 off; 2026 Jun 12 off'],
  ['PH off; 2027 May 08 09:00-12:00', 'PH off; 2027 May 08 09:00-12:00'],
  [
    'Mo-Fr 08:30-12:00; Sa 09:00-12:00; Jul 06-Aug 24: Mo-Fr 09:00-12:00; PH off',
    'Mo-Fr 08:30-12:00; Sa 09:00-12:00; Jul 06-Aug 24 Mo-Sa 09:00-12:00; Jul 06-Aug 24 Su off; PH off',
  ],
  [
    'Mo-Sa 08:30-12:00; Jul-Aug Mo-Fr 09:00-12:00; Jul-Aug Sa off',
    'Mo-Sa 08:30-12:00; Jul 01-Aug 31 Mo-Fr 09:00-12:00; Jul 01-Aug 31 Sa,Su off',
  ],
])('reads the opening hours %j, and writes them as %j', (given, written) => {
  const week = parseHours(given, today)
  expect(week && formatHours(week)).toBe(written)
})

test.each([
  '24/7',
  'Mo-Fr sunrise-sunset',
  'Mo[1] 09:00-12:00',
  'Feb 29 off',
  'PH 09:00-12:00',
  '2026 Dec 24 off; Mo-Fr 08:30-12:00',
  '2027 May 08 09:00-12:00; PH off',
  'week 1-20 Mo 09:00-12:00',
])('leaves opening hours that say more than the form as text: %j', (text) => {
  expect(parseHours(text, today)).toBeNull()
})

test('a week without hours says nothing', () => {
  expect(formatHours(emptyWeek)).toBeNull()
  expect(parseHours(null, today)).toEqual(emptyWeek)
})

test('a date that is not typed to the end is not saved', () => {
  const half = { kind: 'closed', first: '', last: '', isYearly: false, days: [] } as const
  const text = formatHours({ ...emptyWeek, exceptions: [half] })
  expect(text).not.toBeNull()
  expect(readOpeningHours(text ?? '')).toBeNull()
})

test('every week is read as it was written', () => {
  const hour = fc.integer({ min: 0, max: 23 }).map((n) => `${String(n).padStart(2, '0')}:30`)
  const spans = fc.array(fc.record({ from: hour, to: hour }), { maxLength: 3 })
  const weeks: fc.Arbitrary<Week> = fc.record({
    days: fc.array(spans, { minLength: 7, maxLength: 7 }),
    closedOnHolidays: fc.boolean(),
  })
  fc.assert(
    fc.property(weeks, (week) => {
      const text = formatHours(week)
      if (text !== null) expect(parseHours(text, today)).toEqual(week)
    }),
  )
})

test.each([
  ['12/12, 24/12 et 3/1', ['2026-12-12', '2026-12-24', '2027-01-03']],
  ['Mardi 1er décembre 2026\nmardi 15 déc.', ['2026-12-01', '2026-12-15']],
  ['2026-12-12;2026-12-12', ['2026-12-12']],
  ['05.03.27', ['2027-03-05']],
  ['le 8 août, puis le 5 février', ['2027-02-05', '2027-08-08']],
  ['29/02/2027 et 31/11, de 8 h à 12 h, 3 bacs', []],
  ['27/11', ['2026-11-27']],
])('reads the dates of a pasted list: %j', (text, dates) => {
  expect(datesIn(text, '2026-11-27')).toEqual(dates)
})

// Friday, the 27th of November 2026.
test.each([
  ['sam', '2026-11-28', '2026-11-21'],
  ['Samedi', '2026-11-28', '2026-11-21'],
  ['ven', '2026-12-04', '2026-11-20'],
  ['dem', '2026-11-28', '2026-11-28'],
  ['aujourd’hui', '2026-11-27', '2026-11-27'],
  ['hier', '2026-11-26', '2026-11-26'],
  ['12/12', '2026-12-12', '2025-12-12'],
  ['1/3', '2027-03-01', '2026-03-01'],
  ['27/11', '2026-11-27', '2026-11-27'],
  ['29/2', '2028-02-29', '2024-02-29'],
  ['12/12/26', '2026-12-12', '2026-12-12'],
  ['12 décembre 2026', '2026-12-12', '2026-12-12'],
  ['2026-12-12', '2026-12-12', '2026-12-12'],
  ['sa', null, null],
  ['samedis', null, null],
  ['saturday', null, null],
  ['31/11', null, null],
  ['12/12 et 13/12', null, null],
])('reads a typed day: %j is %j, in the past %j', (text, next, last) => {
  expect(dayTyped(text, '2026-11-27', 'fr')).toBe(next)
  expect(dayTyped(text, '2026-11-27', 'fr', true)).toBe(last)
})

test('reads days in English', () => {
  const days = ['sat', 'tom', 'today', 'yes', 'sam', '12 December'].map((text) =>
    dayTyped(text, '2026-11-27', 'en'),
  )
  expect(days).toEqual(['2026-11-28', '2026-11-28', '2026-11-27', '2026-11-26', null, '2026-12-12'])
})

test.each([
  ['2026-12-25', '2026-12-26'],
  ['2027-05-08', '2027-05-10'],
  ['2027-05-16', '2027-05-18'],
])('moves a collection of the holiday %s to %s, neither a Sunday nor a holiday', (day, to) => {
  expect(workingDayAfter(day, new Set(['2027-05-08', '2027-05-17']))).toBe(to)
})

test.each([
  ['Odile Vauquelin, maire', ['Odile|Vauquelin|maire']],
  [
    'VAUQUELIN Odile\tMaire\nLE GALL Jean-Yves\t1er adjoint, école',
    ['Odile|Vauquelin|Maire', 'Jean-Yves|Le Gall|1er adjoint, école'],
  ],
  ['Nom;Prénom;Fonction\nVauquelin;Odile;Maire\nPetit;Léo;', ['Odile|Vauquelin|Maire'], ['Petit;Léo;']],
  ['Maire : Mme Odile de Vauquelin', ['Odile|de Vauquelin|Maire']],
  ['Odile\tVauquelin\tMaire\n\nBonjour', ['Odile|Vauquelin|Maire'], ['Bonjour']],
  ['DUPONT\tAnne\tConseillère municipale', ['Anne|Dupont|Conseillère municipale']],
  ['M. Jean Petit – 2e adjoint, chargé des écoles', ['Jean|Petit|2e adjoint, chargé des écoles']],
  ['Jean Petit, 2e adjoint : travaux, voirie', ['Jean|Petit|2e adjoint : travaux, voirie']],
  ['Odile Vauquelin, Maire – Présidente du CCAS', ['Odile|Vauquelin|Maire – Présidente du CCAS']],
  ['Maire – Présidente du CCAS : Odile Vauquelin', ['Odile|Vauquelin|Maire – Présidente du CCAS']],
  ['Maire – Présidente du CCAS', [], ['Maire – Présidente du CCAS']],
  ['Conseillers : Jean Petit, Anne Roy', [], ['Conseillers : Jean Petit, Anne Roy']],
  ['Nom et prénom\tFonction\nJean PETIT\tMaire', ['Jean|Petit|Maire']],
  [
    'Conseil\nÉlu(e)\tFonction\tDélégation\nJean Petit\tAdjoint\tÉcole',
    ['Jean|Petit|Adjoint, École'],
    ['Conseil'],
  ],
  ['M.\tJean\tPetit\tMaire', ['Jean|Petit|Maire']],
  ['Mme\tAnne Roy\tAdjointe', ['Anne|Roy|Adjointe']],
  ['Prénom\tNom\tFonction\n\tPetit\tMaire', ['|Petit|Maire']],
  ['"Petit";"Jean";"1er adjoint; ""école"""', ['Petit|Jean|1er adjoint; "école"']],
  [
    'Jean Petit\t"Maire\nde Chambéry"\nAnne Roy\tAdjointe',
    ['Jean|Petit|Maire de Chambéry', 'Anne|Roy|Adjointe'],
  ],
  ['Nom,Prénom,Fonction\nPetit,Jean,"Adjoint, école"', ['Jean|Petit|Adjoint, école']],
  ['1. Jean Petit, maire\n2) Anne Roy : 1re adjointe', ['Jean|Petit|maire', 'Anne|Roy|1re adjointe']],
  ['• Jean Petit, maire\n3 – Anne Roy, adjointe', ['Jean|Petit|maire', 'Anne|Roy|adjointe']],
  ['1\tJean\tPetit\tMaire', ['Jean|Petit|Maire']],
])('reads the élus of %j', (text, elus, unread = []) => {
  const read = elusIn(text, false)
  expect(read.elus.map(({ prenom, nom, fonction }) => [prenom, nom, fonction].join('|'))).toEqual(elus)
  expect(read.unread).toEqual(unread)
})

test('reads or reports each line', () => {
  const cells = ['Jean', 'PETIT', 'maire', '1.', 'M.', '"', '\t', ';', ', ', ' : ', ' – ', '|', 'Nom']
  const line = fc.array(fc.constantFrom(...cells), { minLength: 1 }).map((parts) => `x${parts.join('')}`)
  fc.assert(
    fc.property(fc.array(line), fc.boolean(), (lines, nomFirst) => {
      const { elus, unread } = elusIn(lines.join('\n'), nomFirst)
      const told = [...elus.map((elu) => elu.line), ...unread].join(' ')
      for (const part of lines.flatMap((one) => one.trim())) expect(told).toContain(part)
    }),
  )
})

test('reads the surname first where the reader says so', () => {
  expect(elusIn('Vauquelin Odile, maire', true).elus).toEqual([
    { prenom: 'Odile', nom: 'Vauquelin', fonction: 'maire', line: 'Vauquelin Odile, maire' },
  ])
})

test.each([
  ['Voir https://fr.wikipedia.org/wiki/Ain_(rivière).', ['https://fr.wikipedia.org/wiki/Ain_(rivière)']],
  ['(https://fr.wikipedia.org/wiki/Ain_(rivière))', ['https://fr.wikipedia.org/wiki/Ain_(rivière)']],
  ['(voir www.ain.example/a).', ['www.ain.example/a']],
  ['https://ain.example/a,b, puis…', ['https://ain.example/a,b']],
  ['https://ain.example/a… « www.b.example »', ['https://ain.example/a', 'www.b.example']],
  ['www.a.example,www.b.example;https://c.example', ['www.a.example', 'www.b.example', 'https://c.example']],
  ['Pas d’adresse : www. et https://.', []],
])('finds the addresses in %j', (text, addresses) => {
  const parts = splitAtAddresses(text)
  expect(parts.filter((_, index) => index % 2 === 1)).toEqual(addresses)
  expect(parts.join('')).toBe(text)
})

test.each([
  ['10h', '10:00'],
  ['10h30', '10:30'],
  [' 9 h 05 ', '09:05'],
  ['10:30', '10:30'],
  ['1030', '10:30'],
  ['7', '07:00'],
  ['23H59', '23:59'],
  ['24h', null],
  ['10h60', null],
  ['10h à 12h', null],
  ['', null],
])('reads a time as people write it: %j', (text, time) => {
  expect(timeTyped(text)).toBe(time)
})
