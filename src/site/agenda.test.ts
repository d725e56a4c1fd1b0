import { expect, test } from 'vitest'
import { openWorld } from '../../test/support/world.ts'
import { insertPublication, insertPublications } from '../modules/publications/publications.test-kit.ts'
import { daysTag, hoursTag, site } from './module.ts'

const world = await openWorld()
const { url } = world
world.setClock('2026-11-20T10:00:00Z')
const commune = await world.commune({ slug: 'fetes' })
const commune_id = commune.id
const june = Array.from({ length: 112 }, (_, n) => ({
  ...{ commune_id, slug: `juin-${n}`, date_debut: `2027-06-${String(1 + (n % 30)).padStart(2, '0')}` },
}))
await insertPublications(world, june)
await insertPublication(world, { commune_id, slug: 'dernier-jour', date_debut: '2027-11-20' })
await insertPublication(world, { commune_id, slug: 'trop-loin', date_debut: '2027-11-21' })
await insertPublication(world, { commune_id, slug: 'passe', date_debut: '2026-11-19' })
await insertPublication(world, { commune_id, slug: 'long', date_debut: '2026-01-01', date_fin: '2027-06-01' })

const open = async (search = '') => {
  const response = await fetch(`${url}/communes/fetes/agenda${search}`)
  return { status: response.status, text: await response.text() }
}
const eventsOf = (text: string) =>
  [...text.matchAll(/href="\/publications\/([^"]+)"/g)].map(([, slug]) => slug)

test.each([
  ['?mois=2027-06', 113],
  ['', 114],
])('every event of /agenda%s is on one of its pages', async (search, count) => {
  const first = await open(search)
  expect(eventsOf(first.text)).toHaveLength(100)
  const [, next = ''] = /href="([^"]*)" rel="next"/.exec(first.text) ?? []
  const second = await (await fetch(`${url}${next.replaceAll('&amp;', '&')}`)).text()
  expect(second).not.toContain('rel="next"')
  const all = [...eventsOf(first.text), ...eventsOf(second)]
  expect(new Set(all).size).toBe(count)
  expect(all).toHaveLength(count)
  const past = await open(`${search}${search ? '&' : '?'}page=3`)
  expect(past.text).toContain('au-delà de la dernière')
  expect(past.text).toContain('noindex')
})

test('the list ends after twelve months, and each of its months can be opened', async () => {
  const { text } = await open('?page=2')
  expect(eventsOf(text)).toContain('dernier-jour')
  for (const slug of ['trop-loin', 'passe']) expect(eventsOf(text)).not.toContain(slug)
  const months = [...text.matchAll(/mois=(\d{4}-\d\d)"/g)].map(([, month]) => month)
  expect([months[0], months.at(-1), months.length]).toEqual(['2026-11', '2027-11', 13])
  for (const month of months) expect((await open(`?mois=${month}`)).status).toBe(200)
  expect(eventsOf((await open('?mois=2027-11')).text)).toEqual(['dernier-jour'])
  expect(eventsOf((await open('?mois=2026-11')).text)).toEqual(['long'])
})

test('this month is one of the days, and other months are behind a choice', async () => {
  const { text } = await open('?mois=2026-11')
  expect(text).toContain('aria-current="page">Ce mois-ci</a>')
  expect(text).toContain('<details class="months"><summary>')
  expect((await open('?mois=2027-06')).text).toContain('<details class="months" open><summary>')
})

test.each([
  ['2026-10', ['long']],
  ['2030-01', []],
])('the month %s, which is not among them, has no event of its own', async (month, events) => {
  const { status, text } = await open(`?mois=${month}`)
  expect([status, eventsOf(text)]).toEqual([200, events])
})

test.each([
  ['aujourdhui', 'aujourd’hui', ['ce-jour']],
  ['demain', 'demain', ['samedi', 'longue']],
  ['week-end', 'ce week-end', ['samedi', 'longue']],
])('?quand=%s shows these days, in its title too', async (quand, words, events) => {
  const { id } = await world.commune({ slug: `jours-${quand}`, nom: 'Jours' })
  const read = async () => (await fetch(`${url}/communes/jours-${quand}/agenda?quand=${quand}`)).text()
  expect(await read()).toContain(`Rien n’est annoncé ${words}.`)
  const event = (slug: string, date_debut: string, date_fin: string | null = null) =>
    insertPublication(world, { commune_id: id, slug: `${quand}-${slug}`, date_debut, date_fin })
  await event('ce-jour', '2026-11-20')
  await event('samedi', '2026-11-21')
  await event('longue', '2026-11-21', '2026-11-23')
  await event('mardi', '2026-11-24')
  const text = await read()
  expect(eventsOf(text).toSorted()).toEqual(events.map((slug) => `${quand}-${slug}`).toSorted())
  expect(text).toContain(`<h1>Agenda de Jours, ${words}</h1>`)
  expect(text).toMatch(/<title>Agenda de Jours, [^<]*<\/title>/)
  expect(text).toContain(`quand=${quand}" aria-current="page"`)
})

test('days are named as people do, with the year where it is another one', async () => {
  const { id } = await world.commune({ slug: 'nommes' })
  for (const date_debut of ['2026-11-20', '2026-11-21', '2026-12-02', '2027-01-01'])
    await insertPublication(world, { commune_id: id, date_debut })
  const text = await (await fetch(`${url}/communes/nommes/agenda`)).text()
  const days = [...text.matchAll(/<h2 id="jour-\d+">([^<]*)</g)].map(([, day]) => day)
  expect(days).toEqual([
    'Aujourd’hui vendredi 20',
    'Demain samedi 21',
    'Mercredi 2 décembre',
    'Vendredi 1er janvier 2027',
  ])
  const weekend = await (await fetch(`${url}/communes/nommes/agenda?quand=week-end`)).text()
  expect(weekend).toContain('Rien n’est annoncé dimanche.')
  expect(weekend).not.toContain('annoncé samedi')
})

test.each([
  [daysTag, '2026-11-20T23:00:00.050Z', 86_399_950],
  [hoursTag, '2026-11-20T10:05:00.050Z', 299_950],
] as const)('what the clock changes is noticed when it changed a moment ago: %s', async (tag, now, next) => {
  const { find } = site.changesByTime[tag]
  expect(await find(null, 200, new Date(now))).toBe(-50)
  expect(await find(null, 0, new Date(now))).toBe(next)
})
