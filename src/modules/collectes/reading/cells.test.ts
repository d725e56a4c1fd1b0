import { expect, test } from 'vitest'
import { datesIn, exceptionsIn, inWeeksOf, joursIn, kindOf, kindOfName, rhythmOf } from './cells.ts'

test('even and odd weeks are those that calendars print, also after a year of 53 weeks', () => {
  expect(inWeeksOf(0, ['lundi'], '2026-11-29')).toEqual({
    dates: ['2026-12-07', '2026-12-21'],
    a_partir_du: '2027-01-11',
  })
  expect(inWeeksOf(1, ['mardi'], '2026-11-29')).toEqual({
    dates: ['2026-12-01', '2026-12-15', '2026-12-29'],
    a_partir_du: '2027-01-04',
  })
  expect(inWeeksOf(0, ['mardi'], '2027-01-06')).toEqual({ dates: [], a_partir_du: '2027-01-11' })
})

test('reads rhythms as people write them', () => {
  for (const text of ['', 'toutes', 'Toutes les semaines']) expect(rhythmOf(text)?.every, text).toBe(1)
  for (const text of ['2', '1/2', '1 semaine sur 2', 'une semaine sur deux', 'toutes les 2 semaines'])
    expect(rhythmOf(text), text).toEqual({ every: 2, rang: null, parity: null })
  expect([rhythmOf('Semaines paires')?.parity, rhythmOf('impaires')?.parity]).toEqual([0, 1])
  expect([rhythmOf('1er du mois')?.rang, rhythmOf('dernier')?.rang]).toEqual([1, -1])
  expect(['x', '53', '0'].map(rhythmOf)).toEqual([null, null, null])
})

test('reads weekdays, dates and exceptions, and refuses what is none', () => {
  expect([joursIn('Lun./Jeu.'), joursIn('mardis et vendredis'), joursIn('mardredi')]).toEqual([
    ['lundi', 'jeudi'],
    ['mardi', 'vendredi'],
    null,
  ])
  expect(datesIn('05/01/2027, 2027-02-01 3.3.27')).toEqual(['2027-01-05', '2027-02-01', '2027-03-03'])
  expect([datesIn('30/02/2027'), exceptionsIn('noël')]).toEqual([null, null])
  expect(exceptionsIn('25/12/2026 reportée au 26/12/2026; 01/01/2027 supprimée')).toEqual([
    { date: '2026-12-25', reportee_au: '2026-12-26' },
    { date: '2027-01-01', reportee_au: null },
  ])
})

test('knows kinds of waste by their words', () => {
  expect([kindOf('Ordures ménagères'), kindOf('Amiante')]).toEqual(['ordures_menageres', 'Amiante'])
  expect(['Bac jaune', 'Déchets verts', 'Verre', 'Sapins'].map(kindOfName)).toEqual([
    ...['emballages', 'dechets_verts', 'verre', 'Sapins'],
  ])
})
