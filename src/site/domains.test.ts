import { readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { openWorld } from '../../test/support/world.ts'
import { insertPublished } from '../modules/acts/acts.test-kit.ts'
import { addressOf } from '../modules/acts/open.ts'
import { originFinder } from '../modules/domains/proven.ts'
import { formOf, png } from '../modules/media/media.test-kit.ts'
import { insertPublication } from '../modules/publications/publications.test-kit.ts'
import { uuidv7 } from '../platform/formats/uuid.ts'

const env = { PUBLIC_URL: 'https://parvis.test', SITE_COLOR: '#123456', SITE_CONTACT: 'a@parvis.test' }
const world = await openWorld({ keeps: true, env })
const { db, commune } = world
const admin = await world.as('admin')

const places = [
  { slug: 'aubeterre', nom: 'Aubeterre' },
  { slug: 'brumeville', nom: 'Brumeville' },
]
const [aubeterre, brumeville] = await Promise.all(
  places.map(async ({ slug, nom }) => {
    const made = await commune({ slug, nom, codes_postaux: ['73000'] })
    const titre = `Fête d’${nom}`
    await insertPublication(world, {
      ...{ title: titre, slug: `fete-${slug}`, date_debut: '2027-05-01', commune_ids: [made.id] },
    })
    return made
  }),
)
if (aubeterre === undefined || brumeville === undefined) throw new Error('There are two communes.')
await world.acteur({
  ...{ slug: 'mairie-aubeterre', nom: 'Mairie d’Aubeterre', type: 'mairie', valide: true },
  commune_id: aubeterre.id,
})
await db
  .insertInto('alertes')
  .values({
    ...{ id: uuidv7(), commune_id: aubeterre.id, niveau: 'info' },
    ...{ titre: 'Eau coupée', message: 'De 8 h à midi' },
  })
  .execute()
const { id: mairieId } = await world.acteur({ type: 'mairie', valide: true })
await db.updateTable('communes').set({ mairie_actor_id: mairieId }).where('id', '=', brumeville.id).execute()
const old = await insertPublished(db, { acteur_id: mairieId, title: 'Tarifs' })
const act = await insertPublished(db, { acteur_id: mairieId, title: 'Tarifs', supersedes: old.id })
const { body: group } = await admin.post('/admin/groups', {
  ...{ nom: 'CC du Clairval', kind: 'epci', siren: '200000001', commune_ids: [brumeville.id] },
})
await db.updateTable('communes').set({ couleur: '#7a1f3d' }).where('id', '=', aubeterre.id).execute()
const insert = (host: string, home: { commune_id: string } | { group_id: string }, verified = true) =>
  db
    .insertInto('domains')
    .values({
      ...{ id: uuidv7(), host, token: 'a'.repeat(43) },
      ...{ commune_id: null, group_id: null, ...home },
      verified_at: verified ? new Date().toISOString() : null,
    })
    .execute()
await insert('www.aubeterre.test', { commune_id: aubeterre.id })
await insert('second.aubeterre.test', { commune_id: aubeterre.id })
await insert('brumeville.test', { commune_id: brumeville.id })
await insert('clairval.test', { group_id: group.data.id })
await insert('unproven.test', { commune_id: aubeterre.id }, false)
await world.changes?.arrived()

const agent = new Agent({ keepAlive: true, maxSockets: 8 })
afterAll(() => agent.destroy())
type Sent = { method?: string; headers?: Record<string, string>; body?: string }
function open(host: string, path: string, { method = 'GET', headers = {}, body }: Sent = {}) {
  const { promise, resolve, reject } = Promise.withResolvers<{
    status: number
    text: string
    headers: Record<string, string>
  }>()
  const options = { agent, method, headers: { host, accept: 'text/html', ...headers } }
  const sent = request(`${world.url}${path}`, options, (response) => {
    const parts: Buffer[] = []
    response.on('data', (part) => parts.push(part))
    response.on('end', () =>
      resolve({
        status: response.statusCode ?? 0,
        text: Buffer.concat(parts).toString(),
        headers: response.headers as Record<string, string>,
      }),
    )
  })
  sent.on('error', reject).end(body)
  return promise
}
const canonicalOf = (text: string) => /<link rel="canonical" href="([^"]*)">/.exec(text)?.[1]

test('the home of a domain is the page of its commune, or of its group, with its own address', async () => {
  const town = await open('www.aubeterre.test', '/')
  expect(town.status).toBe(200)
  expect(town.text).toContain('<title>Aubeterre</title>')
  expect(canonicalOf(town.text)).toBe('https://www.aubeterre.test/')
  expect(town.text).toContain('<meta property="og:url" content="https://www.aubeterre.test/">')
  expect(town.text).not.toContain('Brumeville')
  const together = await open('clairval.test', '/')
  expect(together.text).toContain('<h1>CC du Clairval</h1>')
  // Each page leads to the bins of its members.
  const bins = '<li><a href="/groupes/cc-du-clairval/collectes">Mes bacs</a></li>'
  for (const path of ['/', '/recherche', '/groupes/cc-du-clairval/collectes'])
    expect((await open('clairval.test', path)).text, path).toContain(bins)
  expect(
    (await open('clairval.test', '/groupes/cc-du-clairval/collectes?adresse=brumeville')).headers.location,
  ).toBe('/communes/brumeville/collectes')
  expect(canonicalOf(together.text)).toBe('https://clairval.test/')
})

test('the case, a dot at the end and the port of a Host do not matter', async () => {
  for (const host of ['WWW.Aubeterre.TEST', 'www.aubeterre.test.', 'www.aubeterre.test:8443'])
    expect(canonicalOf((await open(host, '/')).text), host).toBe('https://www.aubeterre.test/')
})

test('X-Forwarded-Host chooses no domain', async () => {
  const { text } = await open('parvis.test', '/', { headers: { 'x-forwarded-host': 'www.aubeterre.test' } })
  expect(canonicalOf(text)).toBe('https://parvis.test/')
})

test('feeds, calendars, the sitemap, the manifest and robots.txt have the addresses and the name of the domain', async () => {
  const host = 'www.aubeterre.test'
  for (const path of [
    ...['/communes/aubeterre/publications.rss', '/communes/aubeterre/publications.json'],
    ...['/communes/aubeterre/publications.atom', '/communes/aubeterre/agenda.ics', '/sitemap.xml'],
    ...['/sitemap/publications.xml', '/robots.txt', '/donnees/publications.json'],
    ...['/.well-known/security.txt'],
  ]) {
    const { status, text } = await open(host, path)
    expect(status, path).toBe(200)
    expect(text, path).toContain(`//${host}/`)
    expect(text, path).not.toContain('//parvis.test')
    expect((await open('parvis.test', path)).text, path).not.toContain(host)
    const other = (await open('second.aubeterre.test', path)).text
    expect([other.includes('//second.aubeterre.test/'), other.includes(host)], path).toEqual([true, false])
  }
  expect((await open(host, '/communes/aubeterre/suivre')).text).toContain(`webcal://${host}/`)
  const manifest = JSON.parse((await open(host, '/manifest.webmanifest')).text)
  expect(manifest).toMatchObject({ name: 'Aubeterre', theme_color: '#7a1f3d' })
  expect((await open(host, '/favicon.svg')).text).toContain('#7a1f3d')
  expect((await open('parvis.test', '/favicon.svg')).text).toContain('#123456')
  expect((await open(host, '/site/notifications.js')).text).toContain('· Aubeterre')
})

test('the icons of the domain of a commune with arms are its arms', async () => {
  const form = formOf(await png('#a0a'), { alt: 'Armes' })
  const { id } = (await admin.post('/media', form)).body.data
  await admin.patch(`/admin/communes/${aubeterre.id}`, { blason: id })
  const leadsTo = async (path: string) => (await open('www.aubeterre.test', path)).headers.location
  await expect.poll(() => leadsTo('/favicon.svg')).toBe(`/media/${id}/icone-192.png`)
  expect(await leadsTo('/apple-touch-icon.png')).toBe(`/media/${id}/icone-180.png`)
  expect(await leadsTo('/icone-512.png')).toBe(`/media/${id}/icone-512.png`)
  for (const path of ['/', '/recherche', '/contact'])
    expect((await open('www.aubeterre.test', path)).text, path).toContain(
      `<link rel="apple-touch-icon" href="/media/${id}/icone-180.png">`,
    )
  expect((await open('www.aubeterre.test', '/manifest.webmanifest')).text).toContain(id)
  expect((await open('parvis.test', '/favicon.svg')).status).toBe(200)
  await admin.patch(`/admin/communes/${aubeterre.id}`, { blason: null })
  await expect.poll(() => leadsTo('/favicon.svg')).toBeUndefined()
})

test('a commune and a group are installed under their name, at the page of the secteur that was chosen', async () => {
  const manifestOf = async (host: string, path: string) => {
    const [, href = ''] = /<link rel="manifest" href="([^"]*)">/.exec((await open(host, path)).text) ?? []
    const { text, headers } = await open(host, href)
    expect(headers['content-type'], href).toMatch(/^application\/manifest\+json/)
    return JSON.parse(text)
  }
  const town = { name: 'Aubeterre', theme_color: '#7a1f3d', scope: '/' }
  const [id, secteur] = ['/communes/aubeterre', '?secteur=Nord']
  for (const path of [id, `${id}/agenda`, '/publications/fete-aubeterre'])
    expect(await manifestOf('parvis.test', path)).toMatchObject({ ...town, id, start_url: id })
  expect(await manifestOf('parvis.test', `${id}${secteur}`)).toMatchObject({
    id,
    start_url: `${id}${secteur}`,
  })
  expect(await manifestOf('www.aubeterre.test', `/${secteur}`)).toMatchObject({
    ...{ ...town, id: '/', start_url: `/${secteur}` },
  })
  expect(await manifestOf('parvis.test', '/groupes/cc-du-clairval')).toMatchObject({
    ...{ name: 'CC du Clairval', id: '/groupes/cc-du-clairval', start_url: '/groupes/cc-du-clairval' },
  })
  expect(await manifestOf('clairval.test', '/')).toMatchObject({ name: 'CC du Clairval', id: '/' })
  expect(await manifestOf('parvis.test', '/contact')).toMatchObject({ name: 'Parvis', id: '/' })
})

test('on the platform, a page of a place with a domain has its canonical address on the oldest one', async () => {
  const canonical = async (host: string, path: string) => canonicalOf((await open(host, path)).text)
  expect(await canonical('parvis.test', '/communes/aubeterre')).toBe('https://www.aubeterre.test/')
  expect(await canonical('second.aubeterre.test', '/')).toBe('https://www.aubeterre.test/')
  expect(await canonical('parvis.test', '/publications/fete-aubeterre')).toBe(
    'https://www.aubeterre.test/publications/fete-aubeterre',
  )
  expect(await canonical('parvis.test', '/groupes/cc-du-clairval/actes')).toBe(undefined)
  expect(await canonical('parvis.test', '/groupes/cc-du-clairval')).toBe('https://clairval.test/')
  expect(await canonical('clairval.test', '/communes/brumeville')).toBe('https://brumeville.test/')
})

test('the domain that administrators chose is canonical, in links, structured data and mails', async () => {
  const choose = (host: string | null) =>
    sql`update domains set is_primary = host = ${host ?? ''} where host like '%aubeterre.test'`.execute(db)
  const seen = async () => {
    const { text } = await open('parvis.test', '/communes/aubeterre')
    const originOfMails = await originFinder(db, world.config)
    const { rows } = await sql<{ id: string }>`select id from communes where slug = 'aubeterre'`.execute(db)
    return [
      canonicalOf(text),
      ...new Set(addressesIn(text).map((address) => new URL(address).origin)),
      originOfMails(rows.map(({ id }) => id)),
    ]
  }
  const all = (origin: string) => [`${origin}/`, origin, origin]
  expect(await seen()).toEqual(all('https://www.aubeterre.test'))
  await choose('second.aubeterre.test')
  await expect.poll(seen).toEqual(all('https://second.aubeterre.test'))
  expect(canonicalOf((await open('www.aubeterre.test', '/')).text)).toBe('https://second.aubeterre.test/')
  await choose(null)
  await expect.poll(seen).toEqual(all('https://www.aubeterre.test'))
})

/** The addresses that the structured data of a page has, its pictures aside. */
function addressesIn(text: string): string[] {
  const blocks = text.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/g)
  return [...blocks].flatMap(([, data = '']) =>
    [...data.matchAll(/"(?:url|item|@id|contentUrl|urlTemplate)":"([^"]*)"/g)].map(
      ([, address = '']) => address,
    ),
  )
}

test.each([
  ['parvis.test', '/communes/aubeterre'],
  ['parvis.test', '/communes/aubeterre/alertes'],
  ['parvis.test', '/publications/fete-aubeterre'],
  ['parvis.test', '/acteurs/mairie-aubeterre'],
  ['parvis.test', '/groupes/cc-du-clairval'],
  ['parvis.test', '/groupes/cc-du-clairval/collectes'],
  ['www.aubeterre.test', '/'],
  ['www.aubeterre.test', '/publications/fete-aubeterre'],
  ['second.aubeterre.test', '/'],
  ['second.aubeterre.test', '/communes/aubeterre/alertes'],
  ['clairval.test', '/'],
  ['clairval.test', '/communes/brumeville'],
  ['parvis.test', `/actes/${addressOf(act)}`],
  ['clairval.test', `/actes/${addressOf(act)}`],
])('the structured data of a page has the addresses of its canonical one: %s%s', async (host, path) => {
  const { text } = await open(host, path)
  const canonical = canonicalOf(text) ?? ''
  const found = addressesIn(text)
  expect(found).toContain(canonical)
  expect(new Set(found.map((address) => new URL(address).origin))).toEqual(
    new Set([new URL(canonical).origin]),
  )
})

test('a page of another place leads from a domain to the platform; what nobody has is 404', async () => {
  for (const path of ['/communes/brumeville', '/publications/fete-brumeville?a=1', '/communes/inconnue']) {
    const { status, headers } = await open('www.aubeterre.test', path)
    expect([status, headers.location]).toEqual([302, `https://parvis.test${path}`])
  }
  expect((await open('parvis.test', '/communes/inconnue')).status).toBe(404)
  const { status, text } = await open('www.aubeterre.test', '/inconnue')
  expect(status).toBe(404)
  expect(text).toContain('· Aubeterre</title>')
})

test('an urgent alerte of a commune stands on all pages of its domain at once, and on no other', async () => {
  const paths = [
    ...[
      '/',
      '/contact',
      '/defibrillateurs',
      '/recherche',
      '/recherche?q=eau',
      '/communes',
      '/autour?lat=45&lon=5',
    ],
    ...['/mentions-legales', '/confidentialite', '/accessibilite', '/regles', '/donnees', '/transparence'],
    ...['/publications/fete-aubeterre/signaler', '/acteurs/mairie-aubeterre/revendiquer', '/groupes'],
    ...['/communes/aubeterre/inconnue', '/inscrire'],
  ]
  const shownOn = async (host: string) => {
    const texts = await Promise.all(paths.map(async (path) => (await open(host, path)).text))
    return paths.filter((_path, at) => texts[at]?.includes('Crue de la Leysse'))
  }
  const hosts = ['www.aubeterre.test', 'brumeville.test', 'clairval.test', 'parvis.test']
  const shown = async () => Promise.all(hosts.map(shownOn))
  expect(await shown()).toEqual([[], [], [], []])
  const { id } = await db
    .insertInto('alertes')
    .values({
      ...{ id: uuidv7(), commune_id: aubeterre.id, niveau: 'urgence' },
      ...{ titre: 'Crue de la Leysse', message: 'M' },
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const ofThePlace = paths.filter((path) => path.includes('aubeterre'))
  await expect.poll(shown).toEqual([paths.filter((path) => path !== '/inscrire'), [], [], ofThePlace])
  await db.deleteFrom('alertes').where('id', '=', id).execute()
  await expect.poll(shown).toEqual([[], [], [], []])
})

test.each([
  ['/api/v1/communes', { 'x-app-source': 'public' }],
  ['/api/v1/communes/aubeterre', { 'x-app-source': 'public' }],
  ['/mcp', {}],
  ['/docs/openapi.json', {}],
])('%s returns 421 on a domain', async (path, headers) => {
  const { status, text } = await open('www.aubeterre.test', path, {
    headers: { ...headers, accept: 'application/json' },
  })
  expect([status, JSON.parse(text).error]).toEqual([421, 'misdirected'])
  // Nor is it sent from the cache.
  await open('parvis.test', path, { headers })
  await open('parvis.test', path, { headers })
  expect((await open('www.aubeterre.test', path, { headers })).status).toBe(421)
})

test('an unknown host returns 421, also for what is cached; names of machines and probes do not', async () => {
  for (const host of ['unproven.test', 'www.autre.test', 'brumeville.test.autre.test'])
    for (const path of ['/', '/', '/communes/aubeterre', '/favicon.svg', '/api/v1/communes'])
      expect((await open(host, path)).status, `${host}${path}`).toBe(421)
  for (const host of ['127.0.0.1', '[::1]:80', 'localhost:3000', 'parvis', 'autre.localhost'])
    expect((await open(host, '/')).status, host).toBe(200)
  expect((await open('10.0.0.1', '/readyz')).status).toBe(200)
  expect((await open('autre.test', '/healthz')).status).toBe(200)
})

test('without a public address, or without a proven domain, every host is the platform', async () => {
  const fresh = await openWorld({ env: { PUBLIC_URL: 'https://parvis.test' } })
  const local = await openWorld({ database: world.database })
  for (const { url } of [fresh, local]) {
    const { promise, resolve } = Promise.withResolvers<number | undefined>()
    request(url, { headers: { host: 'parvis.autre.test' } }, ({ statusCode }) => resolve(statusCode)).end()
    expect(await promise).toBe(200)
  }
})

test('GET /internal/domain-allowed returns 200 for a proven domain alone', async () => {
  const allowed = (domain: string) => open('127.0.0.1', `/internal/domain-allowed?domain=${domain}`)
  expect((await allowed('www.aubeterre.test')).status).toBe(200)
  for (const host of ['unproven.test', 'autre.test', 'parvis.test'])
    expect((await allowed(host)).status, host).toBe(404)
  expect((await open('127.0.0.1', '/internal/domain-allowed')).status).toBe(422)
  // The address at which Caddy asks.
  const [, asked] =
    /ask http:\/\/127\.0\.0\.1:3000(\S+)/.exec(readFileSync('docs/proxies/Caddyfile', 'utf8')) ?? []
  expect((await open('127.0.0.1:3000', `${asked}?domain=clairval.test`)).status).toBe(200)
})

test('a form is accepted from the domain itself, and from no other', async () => {
  const send = (origin: string, headers = {}) =>
    open('www.aubeterre.test', '/contact', {
      ...{ method: 'POST', body: 'moment=1' },
      headers: { origin, 'content-type': 'application/x-www-form-urlencoded', ...headers },
    })
  // The form is too old: it was read.
  expect((await send('https://www.aubeterre.test')).status).toBe(422)
  for (const origin of ['https://brumeville.test', 'https://parvis.test', 'https://second.aubeterre.test'])
    expect((await send(origin)).status, origin).toBe(403)
  const onPlatform = await open('parvis.test', '/contact', {
    ...{ method: 'POST', body: 'moment=1' },
    headers: { origin: 'https://www.aubeterre.test', 'content-type': 'application/x-www-form-urlencoded' },
  })
  expect(onPlatform.status).toBe(403)
})

test('a domain that is taken back is unknown at once, and its pages are the platform’s again', async () => {
  await insert('bientot.test', { commune_id: brumeville.id })
  await world.changes?.arrived()
  const answers = [await open('bientot.test', '/'), await open('bientot.test', '/')]
  expect(answers.map(({ status }) => status)).toEqual([200, 200])
  const [first] = (await admin.get('/admin/domains?per_page=100')).body.data.filter(
    ({ host }: { host: string }) => host === 'bientot.test',
  )
  expect((await admin.delete(`/admin/domains/${first.id}`)).status).toBe(200)
  expect((await open('bientot.test', '/')).status).toBe(421)
})

const paths = [
  ...['/', '/communes', '/communes/aubeterre', '/communes/brumeville', '/communes/brumeville/agenda'],
  ...['/communes/aubeterre/agenda', '/communes/aubeterre/publications.rss', '/groupes/cc-du-clairval'],
  ...['/communes/brumeville/agenda.ics', '/publications/fete-aubeterre', '/publications/fete-brumeville'],
  ...['/recherche?q=fete', '/mentions-legales', '/manifest.webmanifest', '/robots.txt', '/inconnue'],
]
/** The hosts, each with the words that its pages may not have: names and addresses of the others. */
const hosts: Record<string, RegExp> = {
  'parvis.test': /second\.aubeterre\.test/,
  'www.aubeterre.test': /brumeville|clairval|second\.aubeterre/i,
  'brumeville.test': /aubeterre/i,
  'clairval.test': /aubeterre/i,
}
const count = process.env.PARVIS_TEST_LONG ? 10_000 : 2_000

test('requests to the platform and three domains in random order never get what belongs to another', async () => {
  const expected = new Map<string, string>()
  let seed = 20_261_129
  const random = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31
    return Math.floor((seed / 2 ** 31) * below)
  }
  async function lane(): Promise<void> {
    while (sent < count) {
      sent++
      const [host = '', foreign = /^$/] = Object.entries(hosts)[random(4)] ?? []
      const path = paths[random(paths.length)] ?? '/'
      const { status, text, headers } = await open(host, path)
      const name = `${host}${path}`
      if (status === 302) expect(headers.location).toBe(`https://parvis.test${path}`)
      else expect(text.replaceAll(path, ''), name).not.toMatch(foreign)
      const answer = `${status} ${text}`
      expect(answer === (expected.get(name) ?? answer), name).toBe(true)
      expected.set(name, answer)
    }
  }
  let sent = 0
  await Promise.all(Array.from({ length: 8 }, lane))
  expect(expected.size).toBe(4 * paths.length)
  const { hits } = world.app.cache ?? { hits: 0 }
  expect(hits).toBeGreaterThan(count / 4)
})

test('the map of defibrillators begins at the place of a domain, and has its files and devices there', async () => {
  const place = { latitude: 45.27, longitude: 0.23 }
  await db.updateTable('communes').set(place).where('id', '=', aubeterre.id).execute()
  await world.changes?.arrived()
  const host = 'www.aubeterre.test'
  const { text } = await open(host, '/defibrillateurs')
  const [, map = ''] = /data-carte="([^"]+)"/.exec(text) ?? []
  expect(text).toContain('data-lat="45.27" data-lon="0.23"')
  const { status, text: script } = await open(host, map)
  expect(status).toBe(200)
  const { files, area } = JSON.parse(/^globalThis\.carte = (\{.*\})$/m.exec(script)?.[1] ?? '')
  for (const file of Object.values<string>(files))
    expect([file, (await open(host, file)).status]).toEqual([file, 200])
  const answer = await open(host, `${area}?lat=45.27&lon=0.23&rayon=1000`)
  expect(JSON.parse(answer.text).communes).toEqual([{ nom: 'Aubeterre', ...place }])
})
