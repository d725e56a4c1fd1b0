import ICAL from 'ical.js'
import nodeIcal, { type VEvent } from 'node-ical'
import { expect, test } from 'vitest'
import { openWorld } from '../../test/support/world.ts'
import { rangs } from '../modules/communes/calendar.ts'
import type { CollecteRow } from '../modules/communes/schema.ts'
import { insertPublication } from '../modules/publications/publications.test-kit.ts'
import { storedJours } from '../modules/publications/recurrence.ts'
import type { Publication } from '../modules/publications/schema.ts'
import { uuidv7 } from '../platform/formats/uuid.ts'
import { addCollections, addEvent, emptyCalendar, written } from './calendars.ts'

const world = await openWorld()
const { url, db, setClock } = world
setClock('2026-10-20T10:00:00.000Z')
const chambery = await world.commune({
  nom: 'Chambéry; (Savoie), ville',
  slug: 'chambery',
  departement: '73',
})
const croqueurs = await world.acteur({ slug: 'croqueurs', commune_id: chambery.id, valide: true })

type Event = { uid: string; start: ICAL.Time; end: ICAL.Time; event: ICAL.Event; raw: ICAL.Component }
function eventsIn(text: string): Event[] {
  const calendar = new ICAL.Component(ICAL.parse(text))
  for (const zone of calendar.getAllSubcomponents('vtimezone')) ICAL.TimezoneService.register(zone)
  return calendar.getAllSubcomponents('vevent').map((raw) => {
    const event = new ICAL.Event(raw)
    return { uid: event.uid, start: event.startDate, end: event.endDate, event, raw }
  })
}
const read = async (path: string) => (await fetch(`${url}${path}`)).text()
const agenda = async () => eventsIn(await read('/communes/chambery/agenda.ics'))
const publish = (values: object) =>
  insertPublication(world, { acteur_id: croqueurs.id, commune_id: chambery.id, ...values })

test('events are read back by two programs, in both hours of the change of time', async () => {
  const title = 'Fête, « pomme » ; \\ et\ttab'
  const night = await publish({
    title,
    ...{ date_debut: '2026-10-25', heure_debut: '01:30', date_fin: '2026-10-25', heure_fin: '04:00' },
  })
  const spring = await publish({ date_debut: '2027-03-28', heure_debut: '02:30' })
  const year = await publish({ date_debut: '2026-12-31', heure_debut: '22:00', date_fin: '2027-01-01' })
  const days = await publish({ date_debut: '2026-11-28', date_fin: '2026-11-30' })
  const text = await read('/communes/chambery/agenda.ics')
  expect(text).toContain('REFRESH-INTERVAL;VALUE=DURATION:PT6H')
  expect(Math.max(...text.split('\r\n').map((one) => Buffer.byteLength(one)))).toBeLessThanOrEqual(75)
  const events = new Map(eventsIn(text).map((one) => [one.uid, one]))
  const found = (id: string) => {
    const { start, end, event } = events.get(`${id}@publications.parvis`) ?? expect.fail()
    return { start: start.toJSDate().toISOString(), end: end.toJSDate().toISOString(), event }
  }
  expect(found(night.id)).toMatchObject({
    start: '2026-10-24T23:30:00.000Z',
    end: '2026-10-25T03:00:00.000Z',
  })
  expect(found(night.id).event.summary).toBe(title.replace('\t', ''))
  // 02:30 does not exist on that day.
  expect(found(spring.id).start).toBe('2027-03-28T01:30:00.000Z')
  expect(found(year.id)).toMatchObject({ start: '2026-12-31T21:00:00.000Z', end: '2027-01-01T23:00:00.000Z' })
  const whole = events.get(`${days.id}@publications.parvis`) ?? expect.fail()
  expect([whole.start.toString(), whole.end.toString()]).toEqual(['2026-11-28', '2026-12-01'])
  const other = Object.values(nodeIcal.sync.parseICS(text)).find(
    (one) => one?.type === 'VEVENT' && one.uid === `${night.id}@publications.parvis`,
  ) as VEvent
  expect(other.start.toISOString()).toBe('2026-10-24T23:30:00.000Z')
  expect(other.summary).toBe(title.replace('\t', ''))
})

test('an entry names the place of its event, else the commune', async () => {
  const nowhere = { nom: null, adresse: null, latitude: null, longitude: null }
  const hall = { nom: 'Salle A ; B', adresse: '1, rue C', latitude: 45.564601, longitude: -0.000001 }
  const day = { date_debut: '2026-11-10' }
  const placed = await publish({ ...day, lieu: hall })
  const point = await publish({ ...day, lieu: { ...nowhere, latitude: 90, longitude: 180 } })
  const none = await publish(day)
  const entries = new Map((await agenda()).map((one) => [one.uid, one.raw]))
  const read = ({ id }: { id: string }) => {
    const raw = entries.get(`${id}@publications.parvis`)
    return [raw?.getFirstPropertyValue('location'), raw?.getFirstPropertyValue('geo')]
  }
  expect(read(placed)).toEqual(['Salle A ; B\n1, rue C', [45.564601, -0.000001]])
  expect(read(point)).toEqual([chambery.nom, [90, 180]])
  expect(read(none)).toEqual([chambery.nom, null])
})

test('a day of a whole event leaves its reader free, and one that is called off says so', async () => {
  const day = { date_debut: '2026-11-12' }
  const whole = await publish(day)
  const hour = await publish({ ...day, heure_debut: '10:00' })
  const titles = ['Annulé : bal', 'ANNULÉE – Fête', '[Annulé] Loto', 'Bal (annulé)']
  const cancelled = await Promise.all(titles.map((title) => publish({ ...day, title })))
  const annulation = await publish({ ...day, title: 'Annuler ses vacances : conférence' })
  const entries = new Map((await agenda()).map((one) => [one.uid, one.raw]))
  const read = ({ id }: { id: string }, name: string) =>
    entries.get(`${id}@publications.parvis`)?.getFirstPropertyValue(name)
  expect([whole, hour].map((one) => read(one, 'transp'))).toEqual(['TRANSPARENT', null])
  expect(cancelled.map((one) => read(one, 'status'))).toEqual(titles.map(() => 'CANCELLED'))
  expect([whole, annulation].map((one) => read(one, 'status'))).toEqual([null, null])
})

test('the date of a calendar is that of its newest change, or of the day on which its last date entered it', async () => {
  const club = await world.acteur({ slug: 'dates', valide: true, updated_at: '2026-01-01T00:00:00Z' })
  const event = { acteur_id: club.id, publie_le: new Date('2026-06-01T08:00:00Z') }
  const date = async () => (await fetch(`${url}/acteurs/dates/agenda.ics`)).headers.get('last-modified')
  await publish({ ...event, date_debut: '2026-11-20', updated_at: new Date('2026-06-01T08:00:00.001Z') })
  expect(await date()).toBe('Mon, 01 Jun 2026 08:00:01 GMT')
  await publish({ ...event, date_debut: '2027-10-19', updated_at: new Date('2026-06-01T08:00:00Z') })
  // Midnight in Paris, 365 days before.
  expect(await date()).toBe('Sun, 18 Oct 2026 22:00:01 GMT')
})

test('a correction raises SEQUENCE, and what is no longer shown leaves the calendar', async () => {
  const { id } = await publish({ date_debut: '2026-11-02' })
  const sequence = async () => {
    const own = (await agenda()).find(({ uid }) => uid.startsWith(id))
    return own === undefined ? null : Number(own.raw.getFirstPropertyValue('sequence'))
  }
  const before = await sequence()
  await db.updateTable('publications').set({ title: 'Corrigé' }).where('id', '=', id).execute()
  expect(await sequence()).toBeGreaterThan(before ?? Number.POSITIVE_INFINITY)
  await db.updateTable('publications').set({ valide: false }).where('id', '=', id).execute()
  expect(await sequence()).toBeNull()
})

test('the calendar of an acteur has its events from thirty days ago to twelve months ahead', async () => {
  const club = await world.acteur({ slug: 'club', commune_id: chambery.id, valide: true })
  const dates = ['2026-09-10', '2026-09-25', '2027-10-15', '2027-11-25']
  for (const date_debut of dates)
    await insertPublication(world, { acteur_id: club.id, commune_id: chambery.id, date_debut })
  const events = eventsIn(await read('/acteurs/club/agenda.ics'))
  expect(events.map(({ start }) => start.toString())).toEqual(['2026-09-25', '2027-10-15'])
  const moved = await fetch(`${url}/acteurs/${club.id}/agenda.ics`, { redirect: 'manual' })
  expect([moved.status, moved.headers.get('location')]).toEqual([301, '/acteurs/club/agenda.ics'])
})

const collecte = {
  type_dechet: 'emballages',
  libelle: 'Bac jaune',
  mode: 'porte_a_porte' as const,
  jours: ['vendredi'],
  toutes_les_semaines: 1,
  consignes: 'À sortir la veille.',
}
async function insertCollecte(commune_id: string, values: object) {
  const { exceptions, ...row } = {
    ...collecte,
    ...{ secteur: null, a_partir_du: null, dates: [] as string[], exceptions: [] as unknown[] },
    ...values,
    position: 0,
  }
  const list = { ...row, id: uuidv7(), commune_id, exceptions: JSON.stringify(exceptions) }
  await db
    .insertInto('collectes')
    .values(list as never)
    .execute()
}

test('a collection that an exception moves keeps its UID, and its alarm rings on the evening before', async () => {
  const commune = await world.commune({ slug: 'triee', nom: 'Triée', departement: '73', code_insee: '73999' })
  await insertCollecte(commune.id, {
    secteur: 'Centre',
    exceptions: [{ date: '2026-12-25', reportee_au: '2026-12-26' }],
  })
  await insertCollecte(commune.id, { secteur: 'Hauts', type_dechet: 'verre' })
  const all = eventsIn(await read('/communes/triee/collectes.ics'))
  const centre = eventsIn(await read('/communes/triee/collectes.ics?secteur=Centre&rappel=19:00'))
  expect(eventsIn(await read('/communes/triee/collectes.ics?type=verre')).length).toBe(
    all.length - centre.length,
  )
  const moved = centre.find(({ uid }) => uid.includes('2026-12-25')) ?? expect.fail()
  expect(moved.uid).toBe('73999-Centre-emballages-2026-12-25@collectes.parvis')
  expect(moved.start.toString()).toBe('2026-12-26')
  expect(new Set(all.map(({ uid }) => uid)).size).toBe(all.length)
  const [alarm] = moved.raw.getAllSubcomponents('valarm')
  expect(alarm?.getFirstPropertyValue('trigger')?.toString()).toBe('-PT5H')
  // The first of January is a public holiday, and nothing says what happens then.
  const holiday = centre.find(({ start }) => start.toString() === '2027-01-01')
  expect(holiday?.event.description).toContain('jour férié')
})

test('a change of its collections raises SEQUENCE and LAST-MODIFIED of their entries', async () => {
  const commune = await world.commune({ slug: 'suivie', nom: 'Suivie', departement: '73' })
  const admin = await world.as('admin')
  const patch = (values: object) =>
    admin.patch(`/admin/communes/${commune.id}`, { collectes: [{ ...collecte, ...values }] })
  const entry = async () => {
    const [first] = eventsIn(await read('/communes/suivie/collectes.ics'))
    const of = (name: string) => first?.raw.getFirstPropertyValue(name)
    return { sequence: Number(of('sequence')), changed: of('last-modified')?.toString() }
  }
  expect((await patch({})).status).toBe(200)
  const before = await entry()
  const answer = await patch({ consignes: 'Avant 6 h.' })
  const after = await entry()
  expect(after.sequence).toBe(before.sequence + 1)
  expect(after.changed).toBe(`${answer.body.data.updated_at.slice(0, 19)}Z`)
})

test('the moments of an entry are in UTC', async () => {
  const { id } = await publish({ date_debut: '2026-11-03' })
  const { created_at, updated_at } = await db
    .selectFrom('publications')
    .select(['created_at', 'updated_at'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const own = (await agenda()).find(({ uid }) => uid.startsWith(id)) ?? expect.fail()
  const moments = { dtstamp: updated_at, 'last-modified': updated_at, created: created_at }
  for (const [name, moment] of Object.entries(moments))
    expect(own.raw.getFirstPropertyValue(name)?.toString()).toBe(`${moment.toISOString().slice(0, 19)}Z`)
})

/** A small random generator, so that a failure repeats. */
function random(seed: number) {
  let state = seed
  return (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}
const dayMs = 86_400_000
const plusDays = (date: string, days: number) =>
  new Date(Date.parse(`${date}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10)
const site = { url: 'https://parvis.example', settings: { name: 'Parvis' } } as Parameters<
  typeof emptyCalendar
>[0]

test('ten thousand dates of collections are those that a second implementation finds', () => {
  const pick = random(7)
  const names = ['dimanche', 'lundi', 'mardi', 'mercredi', 'jeudi', 'vendredi', 'samedi']
  let compared = 0
  for (let n = 0; compared < 10_000; n++) {
    // Leap years among them: 2024, 2028.
    const today = plusDays('2023-06-01', pick(2_000))
    const rang = pick(3) === 0 ? (rangs[pick(rangs.length)] ?? null) : null
    const every = rang === null ? 1 + pick(4) : 1
    const start = plusDays(today, pick(200) - 100)
    const weekdays = rang === null ? names.filter(() => pick(4) === 0) : [names[pick(7)] ?? '']
    const isInMonth = (date: string) =>
      rang === -1
        ? plusDays(date, 7).slice(5, 7) !== date.slice(5, 7)
        : rang === null || Math.ceil(Number(date.slice(8)) / 7) === rang
    const isRound = (date: string) => {
      if (date < start || !weekdays.includes(names[new Date(`${date}T00:00:00Z`).getUTCDay()] ?? ''))
        return false
      // Weeks begin on Monday; 1970-01-05 was one.
      const week = (day: string) => Math.floor((Date.parse(`${day}T00:00:00Z`) / dayMs - 4) / 7)
      return isInMonth(date) && (week(date) - week(start)) % every === 0
    }
    const year = Array.from({ length: 366 }, (_, at) => plusDays(today, at))
    const rounds = new Set(year.filter(isRound))
    const exceptions = year
      .filter((date) => rounds.has(date) && pick(20) === 0)
      .map((date) => ({ date, reportee_au: pick(2) === 0 ? null : plusDays(date, 1) }))
    for (const { date } of exceptions) rounds.delete(date)
    for (const { reportee_au } of exceptions)
      if (reportee_au !== null && reportee_au <= plusDays(today, 365)) rounds.add(reportee_au)
    const row = {
      ...{ id: 'x', type_dechet: 'verre', libelle: 'Verre', secteur: null, mode: 'porte_a_porte' },
      ...{ jours: weekdays, toutes_les_semaines: every, rang, a_partir_du: start, dates: [], exceptions },
      consignes: null,
    } as CollecteRow
    const calendar = emptyCalendar(site, 'Collectes', '/')
    const commune = { code_insee: '73065', departement: '73' }
    const changed = { version: 1, updated_at: new Date(0) }
    addCollections(calendar, { commune, ...changed, rows: [row], secteurs: [], today, rappel: null })
    const dates = eventsIn(written(calendar)).map(({ start }) => start.toString())
    expect(dates.toSorted(), JSON.stringify({ n, today, row })).toEqual([...rounds].sort())
    compared += Math.max(dates.length, 1)
  }
})

test('two thousand events begin and end when a second implementation says', () => {
  const pick = random(11)
  const two = (number: number) => String(number).padStart(2, '0')
  const wall = new Intl.DateTimeFormat('sv', {
    ...{ timeZone: 'Europe/Paris', dateStyle: 'short', timeStyle: 'short' },
  })
  const calendar = emptyCalendar(site, 'Agenda', '/')
  const made = Array.from({ length: 2_000 }, (_, n) => {
    const date_debut = plusDays('2023-01-01', pick(2_200))
    const date_fin = pick(3) === 0 ? plusDays(date_debut, pick(5)) : null
    const heure_debut = pick(3) === 0 ? null : `${two(pick(24))}:${two(pick(60))}`
    const event = {
      ...{ id: `${n}`, slug: `e-${n}`, titre: `É ${n}`, body: '', date_debut, date_fin, heure_debut },
      ...{ heure_fin: null, acteur: null, commune: null, images: [] as Publication['images'] },
      ...{ created_at: new Date(0), updated_at: new Date(0) },
    }
    addEvent(calendar, site, event as Publication, 1)
    return event
  })
  const found = eventsIn(written(calendar))
  expect(found.length).toBe(made.length)
  for (const [at, { date_debut, date_fin, heure_debut }] of made.entries()) {
    const { start, end, raw } = found[at] ?? expect.fail()
    const dayAfter = plusDays(date_fin ?? date_debut, 1)
    if (heure_debut === null) expect([`${start}`, `${end}`]).toEqual([date_debut, dayAfter])
    else {
      const shown = wall.format(start.toJSDate())
      // An hour that the change of time leaves out is one hour later on the clock.
      const isLeftOut = shown !== `${date_debut} ${heure_debut}`
      if (isLeftOut) expect(shown).toBe(`${date_debut} 03:${heure_debut.slice(3)}`)
      if (raw.hasProperty('dtend')) expect(wall.format(end.toJSDate())).toBe(`${dayAfter} 00:00`)
    }
  }
})

test('what is not shown has no calendar', async () => {
  const hidden = await world.acteur({ slug: 'cache', active: false })
  for (const path of [
    '/communes/inconnue/agenda.ics',
    '/communes/inconnue/collectes.ics',
    `/acteurs/${hidden.slug}/agenda.ics`,
  ])
    expect((await fetch(`${url}${path}`)).status).toBe(404)
  const { headers } = await fetch(`${url}/communes/chambery/collectes.ics`)
  expect(headers.get('content-type')).toBe('text/calendar; charset=utf-8')
  expect(headers.get('access-control-allow-origin')).toBe('*')
  expect((await fetch(`${url}/communes/chambery/collectes.ics?rappel=25:00`)).status).toBe(422)
})

test('a series is read back with its hour in both seasons, dates left out, added, moved and called off', async () => {
  const recurrence = {
    regle: 'FREQ=WEEKLY;BYDAY=SU;UNTIL=20261108',
    ...{ exceptions: ['2026-10-25'], ajouts: ['2026-11-11'] },
    occurrences: [
      { date: '2026-10-18', reportee_au: null },
      { date: '2026-11-08', reportee_au: '2026-11-09' },
    ],
  }
  const timed = { date_debut: '2026-10-11', heure_debut: '20:30', recurrence }
  const whole = { date_debut: '2026-10-11', recurrence }
  const rows = await Promise.all(
    [timed, whole].map((values) => publish({ ...values, jours: storedJours(values) })),
  )
  const events = await agenda()
  const [hours, days] = rows.map(({ id }) => {
    const own = events.filter(({ uid }) => uid === `${id}@publications.parvis`)
    const series = own.find(({ event }) => event.isRecurring()) ?? expect.fail()
    for (const other of own) if (other !== series) series.event.relateException(other.event)
    const dates = []
    const iterator = series.event.iterator()
    for (let next = iterator.next(); next && dates.length < 20; next = iterator.next()) {
      const { startDate, item } = series.event.getOccurrenceDetails(next)
      const status = item.component.getFirstPropertyValue('status')
      dates.push(`${startDate.toJSDate().toISOString()}${status === 'CANCELLED' ? ' off' : ''}`)
    }
    return dates
  })
  expect(hours).toEqual([
    '2026-10-11T18:30:00.000Z',
    '2026-10-18T18:30:00.000Z off',
    '2026-11-01T19:30:00.000Z',
    '2026-11-09T19:30:00.000Z',
    '2026-11-11T19:30:00.000Z',
  ])
  expect(days?.map((day) => day.slice(10).replace(/^T.*Z/, ''))).toEqual(['', ' off', '', '', ''])
})

test.each([
  ['FREQ=WEEKLY;BYDAY=SA,TU;UNTIL=20281007', '2026-10-31'],
  ['FREQ=MONTHLY;BYMONTHDAY=-1;COUNT=20', '2026-10-31'],
  ['FREQ=MONTHLY;BYDAY=SU;BYSETPOS=-1;COUNT=24', '2026-11-29'],
  ['FREQ=DAILY;INTERVAL=3;UNTIL=20281010', '2026-10-22'],
])('each date of %s is read back, at its hour by the clock of Paris', async (regle, date_debut) => {
  const recurrence = { regle, exceptions: [], ajouts: [], occurrences: [] }
  const row = { date_debut, heure_debut: '20:30', recurrence }
  const jours = storedJours(row)
  const { id } = await publish({ ...row, jours })
  const series = (await agenda()).find(({ uid }) => uid === `${id}@publications.parvis`) ?? expect.fail()
  const wall = new Intl.DateTimeFormat('sv', {
    ...{ timeZone: 'Europe/Paris', dateStyle: 'short', timeStyle: 'short' },
  })
  const dates: string[] = []
  const iterator = series.event.iterator()
  for (let next = iterator.next(); next && dates.length < 800; next = iterator.next())
    dates.push(wall.format(next.toJSDate()))
  expect(dates).toEqual(jours?.map((day) => `${day} 20:30`))
})
