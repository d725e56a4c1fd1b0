import { expect, test } from 'vitest'
import { openWorld } from '../../../test/support/world.ts'
import { insertPublication } from '../../modules/publications/publications.test-kit.ts'
import { storedJours } from '../../modules/publications/recurrence.ts'

const world = await openWorld()
const { url } = world
world.setClock('2026-11-26T10:00:00.000Z')
const commune = await world.commune({ nom: 'Chambéry', slug: 'chambery' })
const read = async (path: string) => (await fetch(`${url}${path}`)).text()
const insert = (slug: string, values: object) =>
  insertPublication(world, { slug, title: 'Bal & buvette', commune_id: commune.id, ...values })
const linksOf = (text: string, label: string) =>
  [...text.matchAll(/<a href="([^"]*)">([^<]*)/g)]
    .filter(([, , found]) => found === label)
    .map(([, href = '']) => href.replaceAll('&amp;', '&'))

test.each([
  ['jour', { date_debut: '2026-12-05' }, '20261205/20261206'],
  ['jours', { date_debut: '2026-12-05', date_fin: '2026-12-07' }, '20261205/20261208'],
  [
    'soir',
    { date_debut: '2026-12-05', heure_debut: '18:30', heure_fin: '21:00' },
    '20261205T183000/20261205T210000',
  ],
  [
    'nuit',
    { date_debut: '2026-12-05', heure_debut: '20:00', heure_fin: '00:00' },
    '20261205T200000/20261206T000000',
  ],
  ['debut', { date_debut: '2026-12-05', heure_debut: '20:00' }, '20261205T200000/20261205T200000'],
  [
    'longue',
    { date_debut: '2026-12-05', date_fin: '2026-12-07', heure_debut: '20:00' },
    '20261205T200000/20261208T000000',
  ],
])('an event can be added to the calendar of Google: %s', async (slug, values, dates) => {
  await insert(slug, {
    ...values,
    lieu: { nom: 'Halles', adresse: '1 place', latitude: null, longitude: null },
  })
  const [google = ''] = linksOf(await read(`/publications/${slug}`), 'Google Agenda')
  const asked = Object.fromEntries(new URL(google).searchParams)
  expect(asked).toMatchObject({
    action: 'TEMPLATE',
    text: 'Bal & buvette',
    dates,
    location: 'Halles, 1 place',
  })
  expect(asked.details).toContain(`/publications/${slug}`)
})

test('a series is subscribed to with Google, which takes no single dates with an event', async () => {
  const off = { date: '2026-12-12', reportee_au: null }
  const recurrence = { regle: 'FREQ=WEEKLY;COUNT=3', exceptions: [], ajouts: [], occurrences: [off] }
  const row = { date_debut: '2026-12-05', recurrence }
  // The next date is by the clock of the database.
  await insert('serie', { ...row, jours: [...(storedJours(row) ?? []), '2099-01-03'] })
  const [google = ''] = linksOf(await read('/publications/serie'), 'Google Agenda')
  expect(Object.fromEntries(new URL(google).searchParams)).toEqual({
    cid: 'webcal://localhost:3000/publications/serie/agenda.ics',
  })
})

test('an event has a calendar of its own, which says when it is called off', async () => {
  await insert('fichier', { date_debut: '2026-12-05' })
  const text = await read('/publications/fichier')
  expect(linksOf(text, 'Fichier')).toEqual(['http://localhost:3000/publications/fichier/agenda.ics'])
  expect(text.indexOf('Ajouter à mon calendrier')).toBeGreaterThan(text.indexOf('<div class="text">'))
  expect(linksOf(text, 'Apple, Outlook')).toEqual(['webcal://localhost:3000/publications/fichier/agenda.ics'])
  const response = await fetch(`${url}/publications/fichier/agenda.ics`)
  expect(response.headers.get('content-type')).toBe('text/calendar; charset=utf-8')
  const calendar = await response.text()
  expect(calendar.match(/BEGIN:VEVENT/g)).toHaveLength(1)
  expect(calendar).toContain('DTSTART;VALUE=DATE:20261205')
  await insert('annule', { date_debut: '2026-12-05', title: 'Annulé : bal' })
  expect(await read('/publications/annule/agenda.ics')).toContain('STATUS:CANCELLED')
  expect(linksOf(await read('/publications/annule'), 'Fichier')).toEqual([])
})

test('what has no date or is over has no button, and what is hidden no calendar', async () => {
  await insert('article', {})
  await insert('hier', { date_debut: '2026-11-25' })
  await insert('cachee', { date_debut: '2026-12-05', valide: false })
  for (const slug of ['article', 'hier'])
    expect(linksOf(await read(`/publications/${slug}`), 'Google Agenda')).toEqual([])
  const statusOf = async (slug: string) => (await fetch(`${url}/publications/${slug}/agenda.ics`)).status
  expect([await statusOf('article'), await statusOf('cachee'), await statusOf('rien')]).toEqual([
    404, 404, 404,
  ])
  expect(await statusOf('hier')).toBe(200)
})

test('the collections of a secteur, and the agenda, have the buttons on their pages', async () => {
  const admin = await world.as('admin')
  const collecte = { type_dechet: 'verre', libelle: 'Verre', mode: 'porte_a_porte', jours: ['lundi'] }
  const collectes = ['Nord', 'Sud'].map((secteur) => ({ ...collecte, secteur }))
  await admin.patch(`/admin/communes/${commune.id}`, { collectes })
  expect(linksOf(await read('/communes/chambery/agenda'), 'Fichier')).toEqual([
    'http://localhost:3000/communes/chambery/agenda.ics',
  ])
  // Of all secteurs together nobody has a use.
  expect(linksOf(await read('/communes/chambery/collectes'), 'Fichier')).toEqual([])
  expect(linksOf(await read('/communes/chambery/collectes?secteur=Nord'), 'Fichier')).toEqual([
    'http://localhost:3000/communes/chambery/collectes.ics?secteur=Nord&rappel=19%3A00',
  ])
})

test('an address without coordinates leads to the way there', async () => {
  await insert('adresse', { lieu: { nom: null, adresse: '1 place & rue', latitude: null, longitude: null } })
  const [way = ''] = linksOf(await read('/publications/adresse'), 'Itinéraire')
  expect(new URL(way).searchParams.get('to')).toBe('1 place & rue')
})
