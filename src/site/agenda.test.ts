import { expect, test } from 'vitest'
import { openWorld } from '../../test/support/world.ts'
import { insertPublication, insertPublications } from '../modules/publications/publications.test-kit.ts'

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

test.each([
  ['2026-10', ['long']],
  ['2030-01', []],
])('the month %s, which is not among them, has no event of its own', async (month, events) => {
  const { status, text } = await open(`?mois=${month}`)
  expect([status, eventsOf(text)]).toEqual([200, events])
})
