import RssParser from 'rss-parser'
import { expect, test } from 'vitest'
import { openWorld } from '../../test/support/world.ts'
import { insertPublished } from '../modules/acts/acts.test-kit.ts'

const { url, db, acteur, commune, setClock } = await openWorld()
const hall = await acteur({ type: 'mairie', valide: true })
await commune({ mairie_actor_id: hall.id })
const publish = (at: string) =>
  insertPublished(db, { acteur_id: hall.id, title: 'Tarifs', date: '2026-11-02' }, new Date(at))
setClock('2026-11-25T10:00:00Z')

const read = async (format: 'rss' | 'atom') => {
  const response = await fetch(`${url}/actes/racines.${format}`)
  expect(response.status).toBe(200)
  return { text: await response.text() }
}
type Roots = { racines: { date: string; number: number; seal: string }[] }
const rootsOf = async () => ((await (await fetch(`${url}/actes/racines.json`)).json()) as Roots).racines
const seals = (text: string) => [...text.matchAll(/[0-9a-f]{64}/g)].map(([seal]) => seal)

test('before the first day has ended the feeds are empty, and valid', async () => {
  for (const format of ['rss', 'atom'] as const)
    expect((await new RssParser().parseString((await read(format)).text)).items).toEqual([])
})

test('each day that has ended is an item with its root, the latest first', async () => {
  await publish('2026-11-24T22:59:59Z')
  await publish('2026-11-24T23:00:00Z')
  const last = await publish('2026-11-25T20:00:00Z')
  setClock('2026-11-25T22:59:59Z')
  await expect.poll(async () => seals((await read('rss')).text).length).toBeGreaterThan(0)
  expect(await rootsOf()).toMatchObject([{ date: '2026-11-24' }])
  setClock('2026-11-25T23:00:00Z')
  const roots = await rootsOf()
  expect(roots).toMatchObject([
    { date: '2026-11-25', number: 3 },
    { date: '2026-11-24', number: 1 },
  ])
  await expect.poll(async () => (await read('rss')).text).toContain(roots[0]?.seal ?? 'a root')
  for (const format of ['rss', 'atom'] as const) {
    const { text } = await read(format)
    const { items } = await new RssParser().parseString(text)
    expect(items.map(({ title }) => title)).toEqual([
      'Racine du 25 novembre 2026',
      'Racine du 24 novembre 2026',
    ])
    expect(items[0]?.link).toContain('/actes/racines.json#2026-11-25')
    expect(new Date(items[0]?.isoDate ?? '').toISOString()).toBe('2026-11-25T23:00:00.000Z')
    expect(new Set(seals(text))).toEqual(new Set(roots.map(({ seal }) => seal)))
  }
  const page = await (await fetch(`${url}/actes/${last.id}`)).text()
  expect(page).toContain('href="/actes/racines.rss"')
})
