import { expect, test } from 'vitest'
import { day, inWords, iso, moment } from './times.ts'

// A Thursday.
const now = new Date('2026-11-19T15:30:00Z')

test('a day counts from the load and moves to its weekday: forward, or back for the past', () => {
  expect(iso(day({ days: 3 }, now))).toBe('2026-11-22')
  expect(iso(day({ days: 2, on: 'samedi' }, now))).toBe('2026-11-21')
  expect(iso(day({ days: 3, on: 'samedi' }, now))).toBe('2026-11-28')
  expect(iso(day({ days: -5, on: 'samedi' }, now))).toBe('2026-11-14')
  expect(iso(day({ days: -6, on: 'samedi' }, now))).toBe('2026-11-07')
})

test('a moment is an offset from the load, or a time of that day', () => {
  expect(moment({ days: -12 }, now)).toEqual(new Date('2026-11-07T15:30:00Z'))
  expect(moment({ hours: -16 }, now)).toEqual(new Date('2026-11-18T23:30:00Z'))
  expect(moment({ days: -1, at: '06:05' }, now)).toEqual(new Date('2026-11-18T06:05:00Z'))
})

test('writes a day in words', () => {
  expect(inWords(new Date('2026-08-01T12:00:00Z'))).toBe('samedi 1er août')
  expect(inWords(new Date('2026-08-11T12:00:00Z'))).toBe('mardi 11 août')
})
