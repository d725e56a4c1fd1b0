import { parseAtomFeed, parseJsonFeed, parseRssFeed } from 'feedsmith'
import RssParser from 'rss-parser'
import { expect, test } from 'vitest'
import { openWorld } from '../../test/support/world.ts'
import { insertPublication } from '../modules/publications/publications.test-kit.ts'
import { uuidv7 } from '../platform/formats/uuid.ts'

const world = await openWorld()
const { url, db } = world
const chambery = await world.commune({ nom: 'Chambéry', slug: 'chambery' })
const croqueurs = await world.acteur({
  nom: 'Les Croqueurs & amis',
  slug: 'croqueurs',
  commune_id: chambery.id,
  valide: true,
})
const hostile = 'Fête ]]> <b>&amp;</b> \u0007 &lt;x&gt; é'
const fete = await insertPublication(world, {
  slug: 'fete',
  title: hostile,
  body: '<p>Pressage &lt;ici&gt; ]]&gt;.</p><p><a href="https://croqueurs.example/">Plan</a></p>',
  acteur_id: croqueurs.id,
  commune_id: chambery.id,
  publie_le: new Date('2026-11-20T08:00:00Z'),
})
await insertPublication(world, {
  slug: 'ancienne',
  title: 'À la une',
  en_avant: true,
  featured_until: new Date('2099-01-01'),
  acteur_id: croqueurs.id,
  commune_id: chambery.id,
  publie_le: new Date('2026-10-01T08:00:00Z'),
})

/** The origin of canonical addresses. */
const canonical = 'http://localhost:3000'
const open = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${url}${path}`, { headers, redirect: 'manual' })
const read = async (path: string) => (await open(path)).text()
const feeds = [
  '/communes/chambery/publications',
  '/communes/chambery/alertes',
  '/acteurs/croqueurs/publications',
]

test.each(feeds)('%s is served as RSS, Atom and JSON Feed to any site, without a header', async (path) => {
  const types = {
    rss: 'application/rss+xml; charset=utf-8',
    atom: 'application/atom+xml; charset=utf-8',
    json: 'application/feed+json; charset=utf-8',
  }
  for (const [format, type] of Object.entries(types)) {
    const { status, headers } = await open(`${path}.${format}`, { origin: 'https://reader.example' })
    expect([status, headers.get('content-type')]).toEqual([200, type])
    expect(headers.get('access-control-allow-origin')).toBe('*')
    expect(headers.get('set-cookie')).toBeNull()
    expect(headers.get('last-modified')).toMatch(/GMT$/)
  }
})

test('publications are read back whole by feed readers, newest first', async () => {
  const expected = {
    title: hostile.replace('\u0007', ''),
    id: `urn:uuid:${fete.id}`,
    link: `${canonical}/publications/fete`,
    html: '<p>Pressage &lt;ici&gt; ]]&gt;.</p><p><a href="https://croqueurs.example/">Plan</a></p>',
  }
  const rss = await read('/communes/chambery/publications.rss')
  const other = await new RssParser().parseString(rss)
  expect(other.items.map(({ title }) => title)).toEqual([expected.title, 'À la une'])
  expect(other.items[0]).toMatchObject({
    title: expected.title,
    guid: expected.id,
    link: expected.link,
    'content:encoded': expected.html,
    isoDate: '2026-11-20T08:00:00.000Z',
    creator: 'Les Croqueurs & amis',
  })
  const own = parseRssFeed(rss)
  expect(own.atom?.links?.[0]).toMatchObject({
    rel: 'self',
    href: `${canonical}/communes/chambery/publications.rss`,
  })
  expect(own.link).toBe(`${canonical}/communes/chambery/publications`)
  const atom = parseAtomFeed(await read('/communes/chambery/publications.atom'))
  expect(atom.entries?.[0]).toMatchObject({
    id: expected.id,
    title: { value: expected.title },
    content: { value: expected.html, type: 'html' },
    published: '2026-11-20T08:00:00.000Z',
  })
  expect(atom.links?.map(({ rel }) => rel)).toEqual(['self', 'alternate'])
  const json = parseJsonFeed(await read('/acteurs/croqueurs/publications.json'))
  expect(json.items?.[0]).toMatchObject({ id: expected.id, url: expected.link, content_html: expected.html })
})

test('the fifty newest publications are listed, though featured ones come first on the page', async () => {
  const commune = await world.commune({ nom: 'Pleine', slug: 'pleine' })
  for (let n = 0; n < 55; n++)
    await insertPublication(world, {
      title: `Numéro ${n}`,
      commune_id: commune.id,
      publie_le: new Date(Date.UTC(2026, 9, 1, n)),
      ...(n === 0 && { en_avant: true, featured_until: new Date('2099-01-01') }),
    })
  const { items } = parseJsonFeed(await read('/communes/pleine/publications.json'))
  expect(items?.map(({ title }) => title)).toEqual(Array.from({ length: 50 }, (_, n) => `Numéro ${54 - n}`))
})

test('alerts are listed with their level and period', async () => {
  const commune = await world.commune({ nom: 'Alertée', slug: 'alertee' })
  const id = uuidv7()
  await db
    .insertInto('alertes')
    .values({
      ...{ id, commune_id: commune.id, titre: 'Eau coupée', message: 'Rue <du> Puits\nde 8 h à midi' },
      ...{ niveau: 'urgence', debut: new Date('2026-01-01T07:00:00Z') },
    })
    .execute()
  const { items } = parseRssFeed(await read('/communes/alertee/alertes.rss'))
  expect(items?.[0]).toMatchObject({ title: 'Urgence : Eau coupée', guid: { value: `urn:uuid:${id}` } })
  expect(items?.[0]?.content?.encoded).toContain('<p>Rue &lt;du&gt; Puits<br>de 8 h à midi</p>')
})

test('a corrected alert is newer, one that has begun since is as old as its beginning', async () => {
  const commune = await world.commune({ slug: 'corrigee', nom: 'Corrigée' })
  const alerte = (id: string, debut: string, updated_at: string) => ({
    ...{ id, commune_id: commune.id, titre: 'Eau', message: 'Eau', niveau: 'urgence', debut, updated_at },
  })
  const [corrected, begun] = [uuidv7(), uuidv7()]
  await db
    .insertInto('alertes')
    .values([
      alerte(corrected, '2026-01-01T07:00:00Z', '2026-01-02T08:00:00Z'),
      alerte(begun, '2026-01-01T06:00:00Z', '2025-12-30T08:00:00Z'),
    ])
    .execute()
  const { entries, updated } = parseAtomFeed(await read('/communes/corrigee/alertes.atom'))
  const of = (id: string) => entries?.find((entry) => entry.id === `urn:uuid:${id}`)?.updated
  expect([updated, of(corrected), of(begun)].map((at) => new Date(at ?? '').toISOString())).toEqual([
    ...['2026-01-02T08:00:00.000Z', '2026-01-02T08:00:00.000Z', '2026-01-01T06:00:00.000Z'],
  ])
})

test.each([
  ['rejected', { moderation_status: 'rejected', valide: false }],
  ['pending', { moderation_status: 'pending', valide: false }],
  ['deleted', { deleted_at: new Date() }],
  ['scheduled', { publie_le: new Date('2099-01-01') }],
])('a publication that is %s is in no feed', async (_state, values) => {
  const title = `Secret ${uuidv7()}`
  await insertPublication(world, { title, acteur_id: croqueurs.id, commune_id: chambery.id, ...values })
  for (const path of feeds)
    for (const format of ['rss', 'atom', 'json']) expect(await read(`${path}.${format}`)).not.toContain(title)
})

test('an id and a former slug lead to the present address; what is not shown is a 404', async () => {
  for (const [path, target] of [
    [`/communes/${chambery.id}/publications.rss`, '/communes/chambery/publications.rss'],
    [`/acteurs/${croqueurs.id}/publications.atom`, '/acteurs/croqueurs/publications.atom'],
  ] as const) {
    const { status, headers } = await open(path)
    expect([status, headers.get('location')]).toEqual([301, target])
  }
  const hidden = await world.acteur({ slug: 'caches', active: false })
  for (const path of ['/communes/inconnue/alertes.json', `/acteurs/${hidden.slug}/publications.rss`])
    expect((await open(path)).status).toBe(404)
  expect((await open('/communes/chambery/publications.xml')).status).toBe(404)
})

test('pages name their feeds', async () => {
  const html = await read('/communes/chambery')
  expect(html).toContain(
    '<link rel="alternate" type="application/rss+xml" title="Actualités de Chambéry (RSS)" href="/communes/chambery/publications.rss">',
  )
  expect(html).toContain('/communes/chambery/alertes.atom')
  expect(await read('/acteurs/croqueurs')).toContain('href="/acteurs/croqueurs/publications.json"')
  expect(await read('/communes/chambery/alertes')).toContain('href="/communes/chambery/alertes.rss"')
})

test('the date of a feed is that of its newest change, on every instance, and sends it again after a change', async () => {
  const commune = await world.commune({ slug: 'datee', nom: 'Datée' })
  const at = (updated_at: string) => ({
    updated_at: new Date(updated_at),
    publie_le: new Date('2026-11-19T08:00:00Z'),
  })
  await insertPublication(world, { commune_id: commune.id, ...at('2026-11-20T08:00:00.400Z') })
  await insertPublication(world, { commune_id: commune.id, ...at('2026-11-19T08:00:00Z') })
  const ask = async (date?: string, origin = url) => {
    const headers = date === undefined ? {} : { 'if-modified-since': date }
    const response = await fetch(`${origin}/communes/datee/publications.rss`, { headers })
    return [response.status, response.headers.get('last-modified')]
  }
  const date = 'Fri, 20 Nov 2026 08:00:01 GMT'
  expect(await ask()).toEqual([200, date])
  expect(await ask(date)).toEqual([304, date])
  expect(await ask('Fri, 20 Nov 2026 08:00:02 GMT')).toEqual([200, date])
  // Within its second, which here has not come, another change may follow: no date is the last one.
  const soon = new Date(Math.floor(Date.now() / 1_000) * 1_000 + 3_600_000)
  await insertPublication(world, { commune_id: commune.id, ...at(soon.toISOString()) })
  const [status, early] = await ask(date)
  expect(status).toBe(200)
  expect(early).not.toBe(new Date(soon.getTime() + 1_000).toUTCString())
  expect(await ask(`${early}`)).toEqual([200, early])
  expect((await ask(new Date(soon.getTime() + 1_000).toUTCString()))[0]).toBe(200)
})

test('an empty feed has the date of its commune or acteur', async () => {
  const updated_at = new Date('2026-11-20T08:00:00.999Z')
  const commune = await world.commune({ slug: 'muette', updated_at })
  await world.acteur({ slug: 'muet', valide: true, commune_id: commune.id, updated_at })
  for (const path of [
    '/communes/muette/alertes.json',
    '/acteurs/muet/publications.rss',
    '/acteurs/muet/agenda.ics',
  ])
    expect((await open(path)).headers.get('last-modified'), path).toBe('Fri, 20 Nov 2026 08:00:01 GMT')
})

test('an item of an event begins with its date and its place', async () => {
  const commune = await world.commune({ slug: 'festive' })
  await insertPublication(world, {
    ...{ commune_id: commune.id, body: '<p>Venez.</p>', date_debut: '2026-12-05', heure_debut: '20:30' },
    lieu: { nom: 'Salle <A>', adresse: '1 rue B', latitude: null, longitude: null },
  })
  const words = 'Samedi 5 décembre 2026 à 20 h 30 · Salle'
  const { items } = parseJsonFeed(await read('/communes/festive/publications.json'))
  expect(items?.[0]?.content_html).toBe(`<p><strong>${words} &lt;A&gt;, 1 rue B</strong></p><p>Venez.</p>`)
  expect(items?.[0]?.summary).toBe(`${words} <A>, 1 rue B. Venez.`)
})

test('a feed is sent again only after a change: by its tag, and by its date', async () => {
  const cached = await openWorld({ keeps: true, env: { CORS_ORIGINS: 'https://app.example' } })
  const commune = await cached.commune({ slug: 'cachee', nom: 'Cachée' })
  const row = await insertPublication(cached, {
    ...{ title: 'Première', commune_id: commune.id, updated_at: new Date('2026-11-20T08:00:00.400Z') },
    publie_le: new Date('2026-11-19T08:00:00Z'),
  })
  const ask = (headers: Record<string, string>) =>
    fetch(`${cached.url}/communes/cachee/publications.atom`, { headers })
  const hits = async () => {
    await ask({})
    return cached.app.cache?.hits ?? 0
  }
  await expect.poll(hits).toBeGreaterThan(0)
  const { headers } = await ask({ origin: 'https://app.example' })
  expect(headers.get('access-control-allow-origin')).toBe('*')
  const [etag, date] = [headers.get('etag') ?? '', headers.get('last-modified') ?? '']
  expect((await ask({ 'if-none-match': etag })).status).toBe(304)
  expect((await ask({ 'if-modified-since': date })).status).toBe(304)
  expect((await ask({ 'if-none-match': '"other"', 'if-modified-since': date })).status).toBe(200)
  await cached.db.updateTable('publications').set({ valide: false }).where('id', '=', row.id).execute()
  await expect.poll(async () => (await ask({ 'if-none-match': etag })).status).toBe(200)
  expect(await (await ask({})).text()).not.toContain('Première')
})
