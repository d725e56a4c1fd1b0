import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { openWorld } from '../../../test/support/world.ts'
import { daysLater } from '../../platform/time/days.ts'
import { insertPublications, openAssociation } from './publications.test-kit.ts'
import { findNextChange } from './reading/queries.ts'
import { joursOf, recurrenceProblems, storedJours } from './recurrence.ts'
import {
  inRhythm,
  movedTo,
  rhythmsOf,
  ruleInWords,
  seriesInWords,
  seriesOf,
  splitRule,
  withKnownDates,
} from './recurrence-words.ts'

const world = await openWorld()
const { as, db, get, url } = world
const { asOwner, acteur, content } = await openAssociation(world, { can_publish: true })
const admin = await as('admin')

const nothing = { exceptions: [], ajouts: [], occurrences: [] }
const daysOf = (regle: string, first: string) => joursOf({ ...nothing, regle }, first)
/** A Saturday some weeks ahead, and the following ones. */
const today = new Date().toISOString().slice(0, 10)
const saturday = Array.from({ length: 7 }, (_, n) => daysLater(today, 20 + n)).find(
  (day) => new Date(day).getUTCDay() === 6,
) as string
const week = (count: number) => daysLater(saturday, 7 * count)
const inFrench = (day: string) =>
  new Intl.DateTimeFormat('fr', { dateStyle: 'long' }).format(Date.parse(day)).replace(/^1 /, '1er ')
const compact = (day: string) => day.replaceAll('-', '')
const weekly = `FREQ=WEEKLY;BYDAY=SA;UNTIL=${compact(week(9))}`
const write = (recurrence: object | null, values: object = {}) =>
  asOwner.post('/publications', { ...content, date_debut: saturday, recurrence, ...values })

describe('the days of a rule', () => {
  test('the 31st is in months that have one, the last day in all', () => {
    expect(daysOf('FREQ=MONTHLY;BYMONTHDAY=31;COUNT=4', '2027-01-31')).toEqual([
      ...['2027-01-31', '2027-03-31', '2027-05-31', '2027-07-31'],
    ])
    expect(daysOf('FREQ=MONTHLY;BYMONTHDAY=-1;COUNT=3', '2027-01-31')).toEqual([
      ...['2027-01-31', '2027-02-28', '2027-03-31'],
    ])
  })

  test('they follow weeks through both changes of the hour', () => {
    expect(daysOf('FREQ=WEEKLY;UNTIL=20270404', '2027-03-21')).toEqual([
      '2027-03-21',
      '2027-03-28',
      '2027-04-04',
    ])
    expect(daysOf('FREQ=DAILY;COUNT=4', '2027-10-30')).toHaveLength(4)
  })

  test('dates are left out, added and moved; those called off stay', () => {
    const recurrence = {
      regle: 'FREQ=MONTHLY;BYDAY=1TU;UNTIL=20270601',
      exceptions: ['2027-02-02'],
      ajouts: ['2027-02-10'],
      occurrences: [
        { date: '2027-03-02', reportee_au: '2027-03-03' },
        { date: '2027-04-06', reportee_au: null },
      ],
    }
    expect(recurrenceProblems({ recurrence, date_debut: '2027-01-05', date_fin: null })).toEqual([])
    expect(joursOf(recurrence, '2027-01-05')).toEqual([
      ...['2027-01-05', '2027-02-10', '2027-03-03', '2027-04-06', '2027-05-04', '2027-06-01'],
    ])
  })
})

test.each([
  ['FREQ=WEEKLY;BYDAY=SA;COUNT=3', 'chaque samedi', 'every Saturday'],
  ['FREQ=WEEKLY;BYDAY=SA;INTERVAL=2;COUNT=3', 'un samedi sur deux', 'on Saturday, every 2 weeks'],
  ['FREQ=WEEKLY;BYDAY=SA,TU;COUNT=3', 'chaque mardi et samedi', 'every Tuesday and Saturday'],
  ['FREQ=MONTHLY;BYDAY=1SA;COUNT=3', 'le premier samedi du mois', 'on the first Saturday of the month'],
  [
    'FREQ=MONTHLY;BYDAY=SA;BYSETPOS=-1;COUNT=3',
    'le dernier samedi du mois',
    'on the last Saturday of the month',
  ],
  ['FREQ=MONTHLY;COUNT=3', 'le 5 du mois', 'on day 5 of the month'],
  ['FREQ=MONTHLY;BYMONTHDAY=-1;COUNT=3', 'le dernier jour du mois', 'on the last day of the month'],
  ['FREQ=DAILY;COUNT=3', 'chaque jour', 'every day'],
  ['FREQ=YEARLY;BYDAY=SA;COUNT=3', null, null],
])('%s is in words', (regle, french, english) => {
  expect(ruleInWords(regle, '2026-12-05', 'fr')).toBe(french)
  expect(ruleInWords(regle, '2026-12-05', 'en')).toBe(english)
})

test.each(['2026-12-05', '2027-01-31', '2027-02-28', '2028-02-29', '2026-12-29'])(
  'each rhythm that %s suggests is one from that day on, in words',
  (first) => {
    for (const rhythm of Object.values(rhythmsOf(first))) {
      const recurrence = seriesOf(rhythm, first)
      expect(recurrenceProblems({ recurrence, date_debut: first, date_fin: null })).toEqual([])
      expect(seriesInWords(recurrence, first, 'fr')).toMatch(/^[CUL].+, \d+ dates jusqu’au /)
      expect(splitRule(recurrence.regle, first).rhythm).toBe(rhythm)
    }
  },
)

test('a series is one publication: its next dates, its place in lists, its versions', async () => {
  const recurrence = { regle: `rrule:${weekly.toLowerCase()};`, exceptions: [week(1)] }
  const { status, body } = await write(recurrence)
  expect(status).toBe(201)
  const { id } = body.data
  const { data } = (await get(`/publications/${id}`)).body
  expect(data).toMatchObject({
    recurrence: { ...nothing, regle: weekly, exceptions: [week(1)] },
    dates: [week(0), ...Array.from({ length: 8 }, (_, n) => week(n + 2))],
    prochaine_date: saturday,
  })
  // Once, until its last date.
  const listed = async (from: string) => {
    const { body } = await get(
      `/publications?sort=date_debut_asc&date_fin_min=${from}&acteur_id=${acteur.id}`,
    )
    return body.data.filter((row: { id: string }) => row.id === id).length
  }
  expect([await listed(week(9)), await listed(daysLater(week(9), 1))]).toEqual([1, 0])
  // Called off: readers see it, and the next date is another one.
  const off = { ...data.recurrence, occurrences: [{ date: saturday, reportee_au: null }] }
  const changed = await asOwner.patch(`/publications/${id}`, { recurrence: off })
  expect(changed.body.data.prochaine_date).toBe(week(2))
  const { body: history } = await admin.get(`/admin/publications/${id}/history`)
  expect(history.data.map((version: { recurrence: unknown }) => version.recurrence)).toEqual([
    off,
    data.recurrence,
  ])
  // Without a rule, it happens once.
  await asOwner.patch(`/publications/${id}`, { recurrence: null })
  expect((await get(`/publications/${id}`)).body.data).toMatchObject({
    ...{ recurrence: null, dates: [], prochaine_date: null, derniere_date: null, nombre_dates: null },
  })
  expect(await listed(week(2))).toBe(0)
})

test.each([
  ['FREQ=SECONDLY;COUNT=1000000', 'recurrence.regle', 'doit se répéter par jour'],
  ['FREQ=DAILY;BYHOUR=1,2,3;COUNT=10', 'recurrence.regle', 'doit se répéter par jour'],
  ['FREQ=WEEKLY', 'recurrence.regle', 'demande une fin'],
  ['FREQ=WEEKLY;COUNT=3;UNTIL=20270101', 'recurrence.regle', 'demande une fin'],
  ['FREQ=DAILY;COUNT=1000000', 'recurrence.regle', 'dans les deux ans'],
  ['FREQ=WEEKLY;BYDAY=SA;UNTIL=29991231', 'recurrence.regle', 'dans les deux ans'],
  ['FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30;COUNT=5', 'recurrence.regle', 'dans les deux ans'],
  ['FREQ=DAILY;UNTIL=20271345', 'recurrence.regle', 'doit finir un jour'],
  ['FREQ=WEEKLY;BYDAY=XX;COUNT=3', 'recurrence.regle', 'ne peut pas être lue'],
  ['FREQ=WEEKLY;X-NAME=1;COUNT=3', 'recurrence.regle', 'ne peut pas être lue'],
  ['FREQ=WEEKLY;COUNT=3;FREQ=SECONDLY', 'recurrence.regle', 'ne peut pas être lue'],
  ['FREQ=WEEKLY;COUNT=3;COUNT=4', 'recurrence.regle', 'ne peut pas être lue'],
  ['FREQ=WEEKLY;COUNT=3,5', 'recurrence.regle', 'ne peut pas être lue'],
  ['FREQ=WEEKLY;INTERVAL=1,2;COUNT=3', 'recurrence.regle', 'ne peut pas être lue'],
  ['FREQ=WEEKLY;BYDAY=SA,;COUNT=3', 'recurrence.regle', 'ne peut pas être lue'],
  ['FREQ=WEEKLY;COUNT=3=4', 'recurrence.regle', 'ne peut pas être lue'],
  ['FREQ=WEEKLY;;COUNT=3', 'recurrence.regle', 'ne peut pas être lue'],
  ['FREQ=WEEKLY;COUNT=３', 'recurrence.regle', 'ne peut pas être lue'],
  ['FREQ=WEEKLY;BYDAY=SU;COUNT=3', 'recurrence.regle', 'a sa première date le dimanche'],
  ['FREQ=WEEKLY;COUNT=1', 'recurrence.regle', 'au moins deux dates'],
])('%s returns 422 with a sentence', async (regle, field, message) => {
  const { status, body } = await asOwner.post(
    '/publications',
    { ...content, date_debut: saturday, recurrence: { regle } },
    { headers: { 'accept-language': 'fr' } },
  )
  expect(status).toBe(422)
  expect(body.details).toMatchObject([{ field, message: expect.stringContaining(message) }])
})

test.each([
  [{ date_debut: null }, {}, 'recurrence'],
  [{ date_fin: daysLater(saturday, 7) }, {}, 'date_fin'],
  [{}, { exceptions: [daysLater(saturday, 1)] }, 'recurrence.exceptions.0'],
  [{}, { ajouts: [week(1)] }, 'recurrence.ajouts.0'],
  [{}, { ajouts: ['2099-01-01'] }, 'recurrence.ajouts.0'],
  [
    {},
    { occurrences: [{ date: daysLater(saturday, 1), reportee_au: null }] },
    'recurrence.occurrences.0.date',
  ],
  [{}, { occurrences: [{ date: week(1), reportee_au: week(2) }] }, 'recurrence.occurrences.0.reportee_au'],
  [{}, { occurrences: [{ date: week(1), reportee_au: null, note: '' }] }, 'recurrence.occurrences.0.note'],
])('a series with %j and %j returns 422 for %s', async (values, part, field) => {
  const { status, body } = await write({ regle: weekly, ...part }, values)
  expect(status).toBe(422)
  expect(body.details).toMatchObject([{ field }])
})

test('PATCH returns 422 when the rule no longer has the first day', async () => {
  const { body } = await write({ regle: weekly })
  const path = `/publications/${body.data.id}`
  expect(await asOwner.patch(path, { date_debut: daysLater(saturday, 1) })).toBeError(
    422,
    'validation_failed',
  )
  expect((await asOwner.patch(path, { date_debut: week(1) })).body.data.dates[0]).toBe(week(1))
})

test('the database refuses a rule without days', async () => {
  const { body } = await write({ regle: weekly })
  await expect(
    sql`update publications set jours = null, version = version + 1 where id = ${body.data.id}`.execute(db),
  ).rejects.toThrow('publications_recurrence_days')
})

test('a series whose first day an older version moved is shown with the days that are stored', async () => {
  const { body } = await write({ regle: weekly, occurrences: [{ date: week(2), reportee_au: null }] })
  const { id, slug } = body.data
  // It knows no rule, which would be too long now.
  await sql`update publications set date_debut = '2020-01-04', version = version + 1 where id = ${id}`.execute(
    db,
  )
  const page = await fetch(`${url}/publications/${slug}`)
  expect(page.status).toBe(200)
  const text = await page.text()
  expect(text).toContain(`jusqu’au ${inFrench(week(9))}`)
  expect(text.match(/<del>/g)).toHaveLength(1)
  const featured = await admin.patch(`/admin/publications/${id}/feature`, { en_avant: true })
  expect(featured.status).toBe(200)
  expect((await get(`/publications/${id}`)).body.data).toMatchObject({
    ...{ prochaine_date: week(0), derniere_date: week(9), nombre_dates: 10 },
  })
})

test('a day that ended a moment ago is a change, which a page read before it does not outlive', async () => {
  expect(await findNextChange(db, 0)).toBeGreaterThan(0)
  expect(await findNextChange(db, 86_400_000)).toBeLessThanOrEqual(0)
})

test('agenda and home of a commune show each date, struck out where called off', async () => {
  const place = await world.commune({ slug: 'marche' })
  const recurrence = {
    ...{ regle: weekly, exceptions: [week(1)], ajouts: [daysLater(saturday, 3)] },
    occurrences: [
      { date: week(0), reportee_au: null },
      { date: week(3), reportee_au: daysLater(week(3), 1) },
    ],
  }
  const row = { commune_id: place.id, date_debut: saturday, date_fin: daysLater(saturday, 1) }
  const jours = storedJours({ ...row, recurrence })
  await insertPublications(world, [
    { ...row, slug: 'serie', recurrence, jours },
    { commune_id: place.id, slug: 'loto', date_debut: daysLater(saturday, 4) },
    { commune_id: place.id, slug: 'expo', date_debut: '2020-01-01', date_fin: daysLater(week(20), 0) },
  ])
  const open = async (path: string) => (await fetch(`${url}/communes/marche${path}`)).text()
  const agenda = await open('/agenda')
  const found = [...agenda.matchAll(/href="\/publications\/([^"]+)"/g)].map(([, slug]) => slug)
  expect(found).toEqual(['expo', 'serie', 'serie', 'loto', ...Array(8).fill('serie')])
  expect(agenda.match(/<del>/g)).toHaveLength(1)
  const home = await open('')
  const section = /aria-labelledby="agenda">(.*?)<\/section>/s.exec(home)?.[1] ?? ''
  expect([...section.matchAll(/href="\/publications\/([^"]+)"/g)].map(([, slug]) => slug)).toEqual([
    ...['serie', 'loto'],
  ])
  expect(section).not.toContain('<del>')
  const page = await (await fetch(`${url}/publications/serie`)).text()
  expect(page).toContain('Chaque samedi, jusqu’au')
  expect(page.match(/<del>/g)).toHaveLength(2)
})

test('a series keeps its rhythm when its first day moves', () => {
  const moved = (rhythm: string, first: string) =>
    movedTo(first, { ...nothing, regle: `${rhythm};UNTIL=20270626` }).regle
  expect(moved('FREQ=WEEKLY;BYDAY=SA', '2027-01-03')).toBe('FREQ=WEEKLY;BYDAY=SU;UNTIL=20270626')
  expect(moved('FREQ=MONTHLY;BYDAY=-1SA', '2027-01-31')).toBe('FREQ=MONTHLY;BYDAY=-1SU;UNTIL=20270626')
  expect(moved('FREQ=MONTHLY;BYMONTHDAY=5', '2027-01-08')).toBe('FREQ=MONTHLY;BYMONTHDAY=8;UNTIL=20270626')
  expect(moved('FREQ=WEEKLY;BYDAY=SA', '0002-01-03')).toBe('FREQ=WEEKLY;BYDAY=SA;UNTIL=20270626')
  expect(moved('FREQ=WEEKLY;BYDAY=SA,TU', '2027-01-03')).toBe('FREQ=WEEKLY;BYDAY=SA,TU;UNTIL=20270626')
})

test('single dates survive another first day and another rhythm, as far as the rule has them', () => {
  const recurrence = {
    ...{ regle: 'FREQ=WEEKLY;BYDAY=SA;UNTIL=20270626', exceptions: ['2027-01-09'], ajouts: ['2027-01-12'] },
    occurrences: [
      { date: '2027-01-16', reportee_au: '2027-01-17' },
      { date: '2027-01-23', reportee_au: null },
    ],
  }
  const { regle: _, ...singles } = recurrence
  const sunday = movedTo('2027-01-03', recurrence)
  expect(sunday).toEqual({ ...singles, regle: 'FREQ=WEEKLY;BYDAY=SU;UNTIL=20270626' })
  expect(movedTo('2027-01-02', sunday)).toEqual(recurrence)
  const daily = inRhythm(recurrence, 'FREQ=DAILY', '2027-01-02')
  expect(daily).toEqual({ ...singles, regle: 'FREQ=DAILY;UNTIL=20270626' })
  expect(withKnownDates(daily, '2027-01-02')).toMatchObject({
    ...{ exceptions: ['2027-01-09'], ajouts: [], occurrences: [{ date: '2027-01-23', reportee_au: null }] },
  })
  expect(withKnownDates(sunday, '2027-01-03')).toMatchObject({ ...nothing, ajouts: ['2027-01-12'] })
})

test('a form whose first day is cleared sends no series, and has it again with a new day', async () => {
  const { emptyContent } = await import('../../../web/src/screens/publications/writing/content.ts')
  const { changesOf, publicationOf } = await import(
    '../../../web/src/screens/publications/writing/changes.ts'
  )
  const recurrence = { ...nothing, regle: 'FREQ=WEEKLY;COUNT=3' }
  const before = { ...emptyContent, date_debut: '2026-12-05', recurrence: JSON.stringify(recurrence) }
  const cleared = { ...before, date_debut: '' }
  expect(changesOf(cleared, before)).toEqual({ date_debut: null, recurrence: null })
  expect(changesOf({ ...before, date_debut: '2026-12-06' }, before)).toMatchObject({ recurrence })
  expect(publicationOf(cleared)).toMatchObject({ recurrence: null })
  expect(seriesInWords(recurrence, '', 'fr')).toBe('')
})
