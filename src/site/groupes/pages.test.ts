import ical from 'ical.js'
import RssParser from 'rss-parser'
import { expect, test } from 'vitest'
import { openWorld } from '../../../test/support/world.ts'
import { groupsKit } from '../../modules/alertes/groups.test-kit.ts'
import { insertPublication } from '../../modules/publications/publications.test-kit.ts'

const world = await openWorld({ keeps: true })
const { url, db } = world
const { admin, openGroup } = await groupsKit(world)
const aval = await world.commune({ slug: 'aval', nom: 'Aval' })
const amont = await world.commune({ slug: 'amont', nom: 'Amont' })
const group = await openGroup([aval.id, amont.id])
await group.change({ nom: 'CC des Deux Rives', slug: 'deux-rives' })
const root = '/groupes/deux-rives'
const soon = new Date(Date.now() + 40 * 86_400_000).toISOString().slice(0, 10)
for (let at = 0; at < 22; at++)
  await insertPublication(world, {
    ...{ acteur_id: group.acteur.id, title: `Nouvelle ${at}.`, slug: `nouvelle-${at}` },
    publie_le: new Date(Date.now() - (at + 1) * 3_600_000),
    ...(at === 3 && { date_debut: soon }),
  })
await insertPublication(world, { commune_id: aval.id, title: 'De la mairie d’Aval', slug: 'mairie' })

const open = async (path: string) => {
  const response = await fetch(`${url}${path}`, { headers: { accept: 'text/html' }, redirect: 'manual' })
  const { status, headers } = response
  return { status, headers, text: await response.text() }
}
const titlesOf = (text: string) => [...text.matchAll(/>(Nouvelle \d+\.)</g)].map(([, title]) => title)

test('the publications of a group are listed by cursor, and found by words', async () => {
  const first = await open(`${root}/publications`)
  expect(first.text).toContain('<h1>Actualités de CC des Deux Rives</h1>')
  expect(titlesOf(first.text)).toHaveLength(20)
  expect(first.text).not.toContain('De la mairie')
  const [, next = ''] = /<a href="([^"]+)" rel="next"/.exec(first.text) ?? []
  expect(titlesOf((await open(next.replaceAll('&amp;', '&'))).text)).toEqual(['Nouvelle 20.', 'Nouvelle 21.'])
  expect((await open(`${root}/publications?q=mairie`)).text).toContain('Aucune publication ne correspond.')
  expect((await open(`${root}/publications?type=inconnu`)).status).toBe(404)
})

test('the agenda of a group is a page and a calendar', async () => {
  const { text } = await open(`${root}/agenda`)
  expect(titlesOf(text)).toEqual(['Nouvelle 3.'])
  expect(text).toContain(
    `<link rel="alternate" type="text/calendar" title="Agenda de CC des Deux Rives" href="${root}/agenda.ics">`,
  )
  const calendar = await open(`${root}/agenda.ics`)
  expect(calendar.headers.get('content-type')).toBe('text/calendar; charset=utf-8')
  const events = new ical.Component(ical.parse(calendar.text)).getAllSubcomponents('vevent')
  expect(events.map((one) => one.getFirstPropertyValue('summary'))).toEqual(['Nouvelle 3.'])
})

test('the alertes of a group are listed with the members that they are for, also when they have ended', async () => {
  await group.alert({ titre: 'Eau coupée' })
  const some = await group.alert({ titre: 'Route barrée', commune_ids: [aval.id] })
  const path = `${root}/alertes`
  await expect.poll(async () => (await open(path)).text).toContain('. Pour Aval</p>')
  expect((await open(path)).text).toContain('<h3>Eau coupée</h3>')
  await group.owner.patch(`${group.path}/${some.id}`, { fin: new Date().toISOString() })
  await expect
    .poll(async () => (await open(path)).text)
    .toMatch(/id="terminees"[\s\S]*<h3>Route barrée<\/h3>[\s\S]*Pour Aval/)
})

test.each(['publications', 'alertes', 'actes'])('%s of a group are a feed in each format', async (name) => {
  for (const format of ['rss', 'atom', 'json']) {
    const { status, headers } = await open(`${root}/${name}.${format}`)
    expect([status, headers.get('access-control-allow-origin')]).toEqual([200, '*'])
  }
  const feed = await new RssParser().parseString((await open(`${root}/${name}.rss`)).text)
  expect(feed.link).toBe(`http://localhost:3000${root}/${name}`)
  expect(feed.items).toHaveLength({ publications: 22, alertes: 2, actes: 0 }[name] ?? -1)
})

test('the page of a group leads to its pages and names its feeds', async () => {
  const { text } = await open(root)
  for (const sub of ['collectes', 'agenda', 'publications', 'alertes', 'suivre'])
    expect(text, sub).toContain(`href="${root}/${sub}"`)
  for (const file of [
    'publications.rss',
    'publications.atom',
    'publications.json',
    'alertes.rss',
    'agenda.ics',
  ])
    expect(text, file).toContain(`href="${root}/${file}"`)
  const follow = (await open(`${root}/suivre`)).text
  for (const file of ['agenda.ics', 'publications.rss', 'alertes.rss', 'actes.rss'])
    expect(follow, file).toContain(`http://localhost:3000${root}/${file}`)
  expect(follow).not.toContain('collectes.ics')
})

const pages = ['/publications', '/agenda', '/alertes', '/suivre', '/publications.rss', '/agenda.ics']

test.each(pages)('an id and a former slug of a group lead on to %s', async (page) => {
  for (const name of [group.id, group.slug]) {
    const { status, headers } = await open(`/groupes/${name}${page}`)
    expect([status, headers.get('location')]).toEqual([301, `${root}${page}`])
  }
  expect((await open(`/groupes/inconnu${page}`)).status).toBe(404)
})

test.each(['publications', 'agenda', 'alertes'])(
  '%s of a group can be framed by another site',
  async (name) => {
    const { headers, text } = await open(`${root}/${name}?embed=1`)
    expect(headers.get('content-security-policy')).toContain('frame-ancestors *')
    expect(text).not.toContain('<footer')
  },
)

test('a group without an acteur has the same pages, which are empty', async () => {
  await admin.post('/admin/groups', { nom: 'Sans voix', kind: 'epci', commune_ids: [aval.id] })
  for (const page of pages) expect((await open(`/groupes/sans-voix${page}`)).status, page).toBe(200)
  expect((await open('/groupes/sans-voix/publications')).text).toContain('Aucune publication')
})

test('a change shows on the pages, feeds and calendars of the group at once', async () => {
  const all = ['/publications', '/publications.rss', '/agenda', '/agenda.ics'].map((page) => `${root}${page}`)
  const showing = async (title: string) => {
    const texts = await Promise.all(all.map(async (path) => (await open(path)).text))
    return all.filter((_, at) => texts[at]?.includes(title))
  }
  expect(await showing('Nouvelle 3.')).toEqual(all)
  const hide = (deleted_at: Date | null) =>
    db.updateTable('publications').set({ deleted_at }).where('slug', '=', 'nouvelle-3').execute()
  await hide(new Date())
  await expect.poll(() => showing('Nouvelle 3.')).toEqual([])
  await hide(null)
  await expect.poll(() => showing('Nouvelle 3.')).toEqual(all)
  await group.change({ acteur_id: null })
  expect(await showing('Nouvelle 3.')).toEqual([])
  await group.change({ acteur_id: group.acteur.id })
})

test('a site restricted to communes shows the pages of a group only where it shows a member', async () => {
  const set = async (commune_ids: string[] | null) => {
    await db.updateTable('app_sources').set({ commune_ids }).where('code', '=', 'site').execute()
    await world.changes?.arrived()
  }
  await group.alert({ titre: 'Pour Aval seule', commune_ids: [aval.id] })
  await set([amont.id])
  for (const page of pages) expect((await open(`${root}${page}`)).status, page).toBe(200)
  expect((await open(`${root}/alertes`)).text).not.toContain('Pour Aval seule')
  expect(titlesOf((await open(`${root}/publications`)).text)).toHaveLength(20)
  await set([(await world.commune({ slug: 'loin' })).id])
  for (const page of pages) expect((await open(`${root}${page}`)).status, page).toBe(404)
  await set(null)
})

test('an alerte that every member hides is on no page of the group', async () => {
  const { id } = await group.alert({ titre: 'Alerte masquée', commune_ids: [aval.id, amont.id] })
  const hide = ({ id: town }: { id: string }) =>
    admin.put(`/mairie/communes/${town}/group-alertes/${id}/hidden`)
  expect((await hide(aval)).status).toBe(200)
  await world.changes?.arrived()
  expect((await open(`${root}/alertes`)).text).toContain('Alerte masquée')
  expect((await hide(amont)).status).toBe(200)
  await world.changes?.arrived()
  for (const path of ['', '/alertes', '/alertes.rss'])
    expect((await open(`${root}${path}`)).text).not.toContain('Alerte masquée')
})
