import { expect, test } from 'vitest'
import { openWorld } from '../../test/support/world.ts'
import { insertPublication } from '../modules/publications/publications.test-kit.ts'
import { uuidv7 } from '../platform/formats/uuid.ts'

const world = await openWorld()
const { url, db } = world
const chambery = await world.commune({
  nom: 'Chambéry',
  slug: 'chambery',
  codes_postaux: ['73000'],
  departement: '73',
})
const empty = await world.commune({ nom: 'Vide', slug: 'vide' })
const croqueurs = await world.acteur({
  nom: 'Les Croqueurs <b>de</b> pommes',
  slug: 'croqueurs',
  commune_id: chambery.id,
  valide: true,
})
const fete = await insertPublication(world, {
  slug: 'fete-de-la-pomme',
  title: 'Fête </script><script>alert(1)</script>',
  body: '<p>Pressage &lt;ici&gt;.</p>',
  acteur_id: croqueurs.id,
  commune_id: chambery.id,
  date_debut: '2099-10-04',
  heure_debut: '14:00',
})

const open = async (path: string, headers: Record<string, string> = { accept: 'text/html' }) => {
  const response = await fetch(`${url}${path}`, { headers, redirect: 'manual' })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

const pagesOfCommune = [
  ...['', '/publications', '/agenda', '/collectes', '/alertes'],
  ...['/elus', '/acteurs', '/defibrillateurs', '/integrer', '/suivre'],
]
const allPages = [
  ...['/', '/communes', '/communes?q=xyzzy', '/recherche', '/recherche?q=pressage', '/defibrillateurs'],
  ...['/defibrillateurs?q=mairie', '/mentions-legales', '/confidentialite', '/accessibilite', '/donnees'],
  ...['/publications/fete-de-la-pomme', '/acteurs/croqueurs'],
  ...['chambery', 'vide'].flatMap((slug) => pagesOfCommune.map((sub) => `/communes/${slug}${sub}`)),
]

test.each(allPages)('%s is a page with one heading, a strict policy and no cookie', async (path) => {
  const { status, headers, text } = await open(path)
  expect(status).toBe(200)
  expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(headers.get('set-cookie')).toBeNull()
  expect(headers.get('content-security-policy')).toBe(
    "default-src 'none'; style-src 'self'; img-src 'self' https: data:; form-action 'self'; base-uri 'none'; manifest-src 'self'; frame-ancestors 'none'",
  )
  expect(text.match(/<h1/g)).toHaveLength(1)
  expect(text).not.toMatch(/undefined|\[object|NaN/)
  expect(text.replaceAll(/<script type="application\/ld\+json">[^<]*<\/script>/g, '')).not.toContain(
    '<script',
  )
})

test('text is escaped wherever it stands, and ends no structured data', async () => {
  const { text } = await open('/publications/fete-de-la-pomme')
  expect(text).not.toContain('<script>alert')
  expect(text).toContain('Fête &lt;/script&gt;')
  expect(text).toContain('<p>Pressage &lt;ici&gt;.</p>')
  const [, data = ''] = /ld\+json">([^<]*)<\/script>/.exec(text) ?? []
  expect(JSON.parse(data)).toMatchObject({ '@type': 'Event', name: fete.title, startDate: '2099-10-04' })
  expect((await open('/acteurs/croqueurs')).text).toContain(
    '<h1>Les Croqueurs &lt;b&gt;de&lt;/b&gt; pommes</h1>',
  )
})

test('an id leads on to the slug, with the query', async () => {
  for (const [from, to] of [
    [`/communes/${chambery.id}/agenda?mois=2099-10`, '/communes/chambery/agenda?mois=2099-10'],
    [`/publications/${fete.id}`, '/publications/fete-de-la-pomme'],
    [`/acteurs/${croqueurs.id}`, '/acteurs/croqueurs'],
  ]) {
    const { status, headers } = await open(`${from}`)
    expect([status, headers.get('location')]).toEqual([301, to])
  }
})

test('the slug of a merged acteur leads on to its target', async () => {
  const slug = 'anciens-croqueurs'
  const gone = { active: false, deleted_at: new Date() }
  await world.acteur({ slug, ...gone, merged_into: croqueurs.id, merged_at: new Date() })
  const { status, headers } = await open(`/acteurs/${slug}`)
  expect([status, headers.get('location')]).toEqual([301, '/acteurs/croqueurs'])
})

test('a search with one match leads to the commune', async () => {
  const { status, headers } = await open('/communes?q=chamb')
  expect([status, headers.get('location')]).toEqual([302, '/communes/chambery'])
})

test('a commune shows what is published, and one without anything says whom to ask', async () => {
  const { text } = await open('/communes/chambery')
  expect(text).toContain('Fête &lt;/script&gt;')
  expect(text).toContain('Dimanche 4 octobre 2099 à 14 h')
  const nothing = await open(`/communes/${empty.slug}`)
  expect(nothing.text).toContain('adressez-vous à la mairie')
  expect(nothing.text).not.toContain('Dernières publications')
})

test('a page past the end is empty and leads back', async () => {
  const { status, text } = await open('/communes/chambery/publications?page=900')
  expect(status).toBe(200)
  expect(text).toContain('au-delà de la dernière')
  expect(text).toContain('noindex')
})

const later = new Date('2099-01-01')
test.each([
  ['rejected', { moderation_status: 'rejected', valide: false }],
  ['pending', { moderation_status: 'pending', valide: false }],
  ['not valid', { valide: false }],
  ['deleted', { deleted_at: new Date() }],
  ['scheduled', { publie_le: later }],
  ['without a time', { moderation_status: 'approved', publie_le: null }],
])(
  'a publication that is %s is nowhere, and its address is the 404 of an unknown one',
  async (_state, values) => {
    const slug = `cache-${uuidv7()}`
    const title = `Secret ${slug}`
    const hidden = { slug, title, acteur_id: croqueurs.id, commune_id: chambery.id, date_debut: '2099-01-01' }
    const { id } = await insertPublication(world, { ...hidden, ...values })
    const unknown = await open('/publications/inconnue')
    expect(unknown.status).toBe(404)
    for (const path of [`/publications/${slug}`, `/publications/${id}`])
      expect(await open(path)).toMatchObject({ status: 404, text: unknown.text })
    for (const path of [...allPages, `/recherche?q=${slug}`])
      expect((await open(path)).text.replaceAll(/value="[^"]*"|« [^»]* »/g, '')).not.toContain(slug)
  },
)

test.each([{ active: false }, { valide: false }, { deleted_at: new Date() }])(
  'the page of an acteur with %j does not exist',
  async (values) => {
    const { slug } = await world.acteur({ valide: true, commune_id: chambery.id, ...values })
    expect((await open(`/acteurs/${slug}`)).status).toBe(404)
    expect((await open('/communes/chambery/acteurs')).text).not.toContain(slug)
  },
)

test('an unknown address is a page for people, and JSON for applications and the API', async () => {
  const page = await open('/rien-de-tel')
  expect([page.status, page.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
  expect(page.headers.get('cache-control')).toBe('no-store')
  for (const answer of [await open('/rien-de-tel', {}), await open('/api/v1/rien')])
    expect(JSON.parse(answer.text)).toMatchObject({ error: 'not_found' })
  expect((await open('/communes/chambery/agenda?mois=2026-13')).status).toBe(422)
})

test('?embed=1 leaves out header and footer, and allows to be framed there only', async () => {
  for (const sub of ['publications', 'agenda', 'alertes', 'collectes']) {
    const { text, headers } = await open(`/communes/chambery/${sub}?embed=1`)
    expect(headers.get('content-security-policy')).toContain('frame-ancestors *')
    expect(headers.get('x-frame-options')).toBeNull()
    expect(text).not.toContain('<header')
    expect(text).toContain('<base target="_top">')
  }
})

test('the stylesheet is cacheable for ever, and has a digest in its name', async () => {
  const { text } = await open('/')
  const [, path = ''] = /<link rel="stylesheet" href="(\/site\/[\w-]{20}\.css)">/.exec(text) ?? []
  const css = await open(path)
  expect(css.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  expect(css.text).toContain('--accent-light: #1d4f91'.replace(' ', ''))
})

test('restricted to communes, the site shows only these; switched off, nothing', async () => {
  const restrict = (values: { commune_ids?: string[] | null; active?: boolean }) =>
    db.updateTable('app_sources').set(values).where('code', '=', 'site').execute()
  await restrict({ commune_ids: [empty.id] })
  try {
    const home = await open('/')
    expect(home.status).toBe(200)
    expect(home.text).toContain('<h1>Vide</h1>')
    expect(home.text).toContain('/communes/vide">')
    for (const path of ['/communes/chambery', '/publications/fete-de-la-pomme', '/acteurs/croqueurs'])
      expect((await open(path)).status).toBe(404)
    expect((await open('/recherche?q=pressage')).text).toContain('Rien ne correspond')
    await restrict({ active: false })
    for (const path of allPages) expect((await open(path)).status).toBe(404)
  } finally {
    await restrict({ commune_ids: null, active: true })
  }
})

test('SITE=off leaves / as it was', async () => {
  const off = await openWorld({ env: { SITE: 'off' } })
  const root = await fetch(`${off.url}/`, { headers: { accept: 'text/html' }, redirect: 'manual' })
  expect([root.status, root.headers.get('location')]).toEqual([302, 'docs/'])
  expect((await fetch(`${off.url}/communes`)).headers.get('content-type')).toContain('json')
})

test('pages come from the response cache until what they show changes', async () => {
  const cached = await openWorld({ keeps: true })
  const commune = await cached.commune({ slug: 'cachee', nom: 'Cachée' })
  const read = async () => (await fetch(`${cached.url}/communes/cachee/publications`)).text()
  const hits = async () => {
    await read()
    return cached.app.cache?.hits ?? 0
  }
  await expect.poll(hits).toBeGreaterThan(0)
  const row = await insertPublication(cached, { title: 'Toute neuve', commune_id: commune.id })
  await expect.poll(read).toContain('Toute neuve')
  await cached.db.updateTable('publications').set({ valide: false }).where('id', '=', row.id).execute()
  await expect.poll(read).not.toContain('Toute neuve')
})
