import sharp from 'sharp'
import { expect, test } from 'vitest'
import { openWorld } from '../../test/support/world.ts'
import { modules } from '../app.ts'
import { insertPublication } from '../modules/publications/publications.test-kit.ts'
import { cursorAfter } from '../modules/publications/reading/pages.ts'
import { readConfig } from '../platform/config/config.ts'
import { slugify } from '../platform/formats/text.ts'
import { uuidv7 } from '../platform/formats/uuid.ts'

const world = await openWorld()
const { url, db } = world
const chambery = await world.commune({
  nom: 'Chambéry',
  slug: 'chambery',
  codes_postaux: ['73000'],
  code_insee: '73065',
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

const bal = await insertPublication(world, {
  slug: 'bal',
  title: 'Bal',
  ...{ acteur_id: croqueurs.id, commune_id: chambery.id },
  // The agenda shows twelve months.
  date_debut: new Date(Date.now() + 7 * 86_400_000).toISOString().slice(0, 10),
  lieu: { nom: 'Salle <i>Rose</i>', adresse: '1 rue "B"', latitude: 45.5646, longitude: -5.9 },
})

const open = async (path: string, headers: Record<string, string> = { accept: 'text/html' }) => {
  const response = await fetch(`${url}${path}`, { headers, redirect: 'manual' })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

const pagesOfCommune = [
  ...['', '/publications', '/agenda', '/collectes', '/alertes'],
  ...['/elus', '/acteurs', '/defibrillateurs', '/integrer', '/suivre', '/pages'],
]
const allPages = [
  ...[
    '/',
    '/communes',
    '/communes?departement=73',
    '/communes?q=xyzzy',
    '/recherche',
    '/recherche?q=pressage',
    '/defibrillateurs',
  ],
  ...[
    '/defibrillateurs?q=mairie',
    '/mentions-legales',
    '/regles',
    '/transparence',
    '/confidentialite',
    '/accessibilite',
    '/donnees',
  ],
  ...['/publications/fete-de-la-pomme', '/acteurs/croqueurs'],
  ...['chambery', 'vide'].flatMap((slug) => pagesOfCommune.map((sub) => `/communes/${slug}${sub}`)),
]

test.each(allPages)('%s is a page with one heading, a strict policy and no cookie', async (path) => {
  const { status, headers, text } = await open(path)
  expect(status).toBe(200)
  expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(headers.get('set-cookie')).toBeNull()
  const hasScript =
    ['/', '/defibrillateurs'].includes(path.replace(/\?.*/, '')) ||
    /^\/communes\/\w+(?:\/collectes|\/defibrillateurs)?$/.test(path)
  const script = hasScript ? "script-src 'self'; worker-src 'self'; connect-src 'self'; " : ''
  expect(headers.get('content-security-policy')).toBe(
    `default-src 'none'; style-src 'self'; img-src 'self' data:; font-src 'self'; form-action 'self'; base-uri 'none'; manifest-src 'self'; ${script}frame-ancestors 'none'`,
  )
  expect(text.match(/<h1/g)).toHaveLength(1)
  expect(text).not.toMatch(/undefined|\[object|NaN/)
  const scripts = text
    .replaceAll(/<script type="application\/ld\+json">[^<]*<\/script>/g, '')
    .match(/<script/g)
  expect(scripts?.length ?? 0).toBe(!hasScript ? 0 : /\/defibrillateurs(?:\?|$)/.test(path) ? 2 : 1)
})

test('text is escaped wherever it stands, and ends no structured data', async () => {
  const { text } = await open('/publications/fete-de-la-pomme')
  expect(text).not.toContain('<script>alert')
  expect(text).toContain('Fête &lt;/script&gt;')
  expect(text).toContain('<p>Pressage &lt;ici&gt;.</p>')
  const [, data = ''] = /ld\+json">([^<]*)<\/script>/.exec(text) ?? []
  expect(JSON.parse(data)).toMatchObject({
    '@type': 'Event',
    name: fete.title,
    startDate: '2099-10-04T14:00',
  })
  expect((await open('/acteurs/croqueurs')).text).toContain(
    '<h1>Les Croqueurs &lt;b&gt;de&lt;/b&gt; pommes</h1>',
  )
})

test('an event shows its place in words, on a map and as structured data', async () => {
  const { text } = await open('/publications/bal')
  expect(text).toContain('Lieu : Salle &lt;i&gt;Rose&lt;/i&gt;, 1 rue &quot;B&quot;')
  expect(text).toContain('<a href="geo:45.5646,-5.9">Ouvrir dans une carte</a>')
  // Most computers open no `geo:` address.
  expect(text).toContain(
    '<a href="https://www.openstreetmap.org/directions?to=45.5646%2C-5.9">Itinéraire</a>',
  )
  const [, data = ''] = /ld\+json">([^<]*)<\/script>/.exec(text) ?? []
  expect(JSON.parse(data).location).toEqual({
    '@type': 'Place',
    name: 'Salle <i>Rose</i>',
    address: '1 rue "B"',
    geo: { '@type': 'GeoCoordinates', latitude: 45.5646, longitude: -5.9 },
  })
  for (const path of ['', '/agenda', '/publications'].map((sub) => `/communes/chambery${sub}`))
    expect((await open(path)).text, path).toContain('Salle &lt;i&gt;Rose&lt;/i&gt;')
  expect((await open('/recherche?q=rose')).text).toContain(bal.title)
})

test('a page names no picture of another site', async () => {
  const image_url = 'https://a.example/pomme.jpg'
  const { slug } = await insertPublication(world, { image_url, commune_id: chambery.id })
  expect((await open(`/publications/${slug}`)).text).not.toContain('a.example')
})

const dataOf = (text: string) =>
  [...text.matchAll(/ld\+json">([^<]*)<\/script>/g)].map(([, data = '']) => JSON.parse(data))

test('every kind of page describes itself to search engines', async () => {
  const origin = 'http://localhost:3000'
  const address = '1 place de la Mairie'
  await world.acteur({ nom: 'Épicerie', slug: 'epicerie', type: 'commerce', adresse: address, valide: true })
  const common = { acteur_id: croqueurs.id, commune_id: chambery.id }
  await insertPublication(world, { slug: 'avis', title: 'Avis', ...common })
  const day = '2099-10-04'
  const times = { date_debut: day, heure_debut: '20:00', heure_fin: '00:00' }
  await insertPublication(world, { slug: 'veillee', title: 'Veillée', ...common, ...times })
  await insertPublication(world, { slug: 'sortie', title: 'Annulé : Sortie', ...common, ...times })
  const alerte = { commune_id: chambery.id, titre: 'Eau coupée', message: 'De 8 h à midi', niveau: 'info' }
  await db
    .insertInto('alertes')
    .values({ id: uuidv7(), ...alerte, fin: new Date('2099-01-01T00:00:00Z') })
    .execute()
  const organiser = { '@type': 'Organization', name: croqueurs.nom, url: `${origin}/acteurs/croqueurs` }
  const expected: Record<string, object> = {
    '/': {
      '@type': 'WebSite',
      potentialAction: {
        target: { '@type': 'EntryPoint', urlTemplate: `${origin}/recherche?q={q}` },
        'query-input': 'required name=q',
      },
    },
    '/communes/chambery': { '@type': 'GovernmentOffice', name: 'Mairie de Chambéry' },
    '/communes/chambery/alertes': {
      '@type': 'SpecialAnnouncement',
      name: 'Eau coupée',
      datePosted: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      expires: '2099-01-01T00:00:00.000Z',
      spatialCoverage: [{ '@type': 'AdministrativeArea', name: 'Chambéry' }],
    },
    '/publications/avis': {
      '@type': 'Article',
      headline: 'Avis',
      datePublished: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      author: organiser,
    },
    '/publications/veillee': {
      '@type': 'Event',
      startDate: `${day}T20:00`,
      endDate: '2099-10-05T00:00',
      eventStatus: 'https://schema.org/EventScheduled',
      location: { '@type': 'Place', name: 'Chambéry', address: 'Chambéry' },
      organizer: organiser,
    },
    '/publications/sortie': { '@type': 'Event', eventStatus: 'https://schema.org/EventCancelled' },
    '/acteurs/epicerie': { '@type': 'LocalBusiness', name: 'Épicerie', address },
    '/acteurs/croqueurs': { '@type': 'Organization', name: croqueurs.nom },
  }
  for (const [path, data] of Object.entries(expected)) {
    const found = dataOf((await open(path)).text)
    expect(found, path).toContainEqual(expect.objectContaining({ '@context': 'https://schema.org' }))
    expect(found[0], path).toMatchObject(data)
  }
  expect(dataOf((await open('/publications/avis')).text)[1]).toEqual({
    '@context': 'https://schema.org',
    '@type': 'BreadcrumbList',
    itemListElement: [
      { '@type': 'ListItem', position: 1, name: 'Chambéry', item: `${origin}/communes/chambery` },
      { '@type': 'ListItem', position: 2, name: 'Avis', item: `${origin}/publications/avis` },
    ],
  })
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

test.each(['Chambéry', 'chambery', '73000', '73065'])(
  'a search that names a commune in full leads to it: %s',
  async (q) => {
    const { status, headers } = await open(`/communes?q=${q}`)
    expect([status, headers.get('location')]).toEqual([302, '/communes/chambery'])
    expect((await open('/communes/chambery')).text).toContain('<a href="/communes">Autre commune ?</a>')
  },
)

test.each(['chamb', 'Chambery le vieux', 'Chanbery'])(
  'a search that may mean another commune lists what it finds: %s',
  async (q) => {
    const { status, headers } = await open(`/communes?q=${q}`)
    expect([status, headers.get('location')]).toEqual([200, null])
  },
)

test('a row shows the code that was typed', async () => {
  const codes_postaux = ['38100', '38000']
  for (const nom of ['Grenoble', 'Autre'])
    await world.commune({
      nom,
      slug: nom.toLowerCase(),
      code_insee: nom === 'Autre' ? '38420' : '38185',
      codes_postaux,
    })
  const shown = async (q: string) =>
    [...(await open(`/communes?q=${q}`)).text.matchAll(/<p class="meta">([^<]*)</g)].map(([, code]) => code)
  expect(await shown('38000')).toEqual(['38000', '38000'])
  expect(await shown('3810')).toEqual(['38100', '38100'])
  expect(await shown('grenob')).toEqual(['38100'])
  expect(await shown('3818')).toEqual(['38100 (code INSEE 38185)'])
})

test('a commune shows what is published, and one without anything says whom to ask', async () => {
  const { text } = await open('/communes/chambery')
  expect(text).toContain('Fête &lt;/script&gt;')
  expect(text).toContain('Dimanche 4 octobre 2099 à 14 h')
  const nothing = await open(`/communes/${empty.slug}`)
  expect(nothing.text).toContain('adressez-vous à la mairie')
  expect(nothing.text).not.toContain('Dernières publications')
})

const end = cursorAfter({ publie_le: new Date('2000-01-01'), id: croqueurs.id, en_avant: false })
test.each([
  ...[`/communes/chambery/publications?after=${end}`, '/communes/chambery/acteurs?page=900'],
  ...['/acteurs/croqueurs?page=900', '/recherche?q=pressage&dans=publications&page=900'],
])('%s, past the end, is empty and leads back', async (path) => {
  const { status, text } = await open(path)
  expect(status).toBe(200)
  expect(text).toContain('au-delà de la dernière')
  expect(text).toContain('Revenir à la première page')
  expect(text).toContain('noindex')
})

test('an acteur without commune has a page, without a way up to a directory', async () => {
  await world.acteur({ nom: 'Itinérant', slug: 'itinerant', valide: true })
  const { status, text } = await open('/acteurs/itinerant')
  expect(status).toBe(200)
  expect(text).not.toContain('class="crumbs"')
  expect(text).toContain('/acteurs/itinerant/revendiquer')
})

test('a publication in five communes is on the page of each, and names them', async () => {
  const communes = []
  for (const nom of ['Aix', 'Barby', 'Cognin', 'Détrier', 'Épersy'])
    communes.push(await world.commune({ nom, slug: `cinq-${slugify(nom)}` }))
  const [first, ...others] = communes
  const commune_ids = communes.map(({ id }) => id)
  await insertPublication(world, { slug: 'en-commun', commune_id: first?.id ?? null, commune_ids })
  for (const { slug } of communes)
    for (const sub of ['', '/publications'])
      expect((await open(`/communes/${slug}${sub}`)).text).toContain('/publications/en-commun"')
  const { text } = await open('/publications/en-commun')
  const [, list = ''] = /Communes : (.*)<\/p>/.exec(text) ?? []
  expect(list.replaceAll(/<[^>]*>/g, '')).toBe('Aix, Barby, Cognin, Détrier, Épersy')
  const shown = others.slice(0, 2)
  const restrict = (commune_ids: string[] | null) =>
    db.updateTable('app_sources').set({ commune_ids }).where('code', '=', 'site').execute()
  await restrict(shown.map(({ id }) => id))
  try {
    const { status, text } = await open('/publications/en-commun')
    expect(status).toBe(200)
    expect(text.match(/\/communes\/cinq-/g)?.length).toBeGreaterThanOrEqual(2)
    expect(text).not.toContain('Détrier')
    expect(text).toMatch(/<a class="brand" href="\/communes\/cinq-barby">.*Barby<\/a>/)
  } finally {
    await restrict(null)
  }
})

test('a title of 200 characters without a space stands whole, and may be broken anywhere', async () => {
  const title = 'É'.repeat(200)
  await insertPublication(world, { slug: 'long', title, commune_id: chambery.id })
  for (const path of ['/publications/long', '/communes/chambery', '/communes/chambery/publications'])
    expect((await open(path)).text).toContain(title)
  const { text } = await open('/')
  const [, css = ''] = /<link rel="stylesheet" href="([^"]+)">/.exec(text) ?? []
  expect((await open(css)).text).toContain('overflow-wrap: anywhere')
})

test('with PUBLIC_SITE_URL elsewhere, canonical addresses lead there, and links stay here', async () => {
  const env = { PUBLIC_URL: 'https://api.example.org', PUBLIC_SITE_URL: 'https://ville.example.org' }
  const other = await openWorld({ env })
  await other.commune({ slug: 'ici' })
  const read = async (path: string) => (await fetch(`${other.url}${path}`)).text()
  const page = await read('/communes/ici')
  expect(page).toContain('<link rel="canonical" href="https://ville.example.org/communes/ici">')
  expect(page).toContain('href="/communes/ici/alertes"')
  expect(await read('/robots.txt')).toContain('Sitemap: https://ville.example.org/sitemap.xml')
  expect(await read('/sitemap.xml')).toContain('<loc>https://ville.example.org/sitemap/communes.xml</loc>')
  expect(await read('/sitemap/communes.xml')).toContain('<loc>https://ville.example.org/communes/ici</loc>')
  for (const text of [page, await read('/'), await read('/sitemap.xml')])
    expect(text).not.toContain('api.example.org')
})

test('a phone installs the site with icons in its colour', async () => {
  const manifest = JSON.parse((await open('/manifest.webmanifest')).text)
  expect(manifest).toMatchObject({ id: '/', display: 'standalone', start_url: '/' })
  const icons = manifest.icons.filter(({ type }: { type: string }) => type === 'image/png')
  expect(icons.map(({ sizes }: { sizes: string }) => sizes)).toEqual(['192x192', '512x512'])
  const paths = icons.map(({ src }: { src: string }) => src)
  expect((await open('/')).text).toContain('rel="apple-touch-icon" href="/apple-touch-icon.png"')
  for (const path of ['/apple-touch-icon.png', ...paths]) {
    const response = await fetch(`${url}${path}`)
    const image = sharp(Buffer.from(await response.arrayBuffer()))
    const { format, width, height, hasAlpha } = await image.metadata()
    expect([format, width, hasAlpha]).toEqual(['png', height, false])
    expect(path).toMatch(path.startsWith('/apple') ? /icon/ : new RegExp(`${width}`))
    const pixels = await image.raw().toBuffer()
    const at = (x: number, y: number) => {
      const start = 3 * (Math.floor((y / 32) * height) * width + Math.floor((x / 32) * width))
      return [...pixels.subarray(start, start + 3)]
    }
    // The ground, the roof, the door.
    expect([at(1, 1), at(16, 10), at(16, 21)]).toEqual([
      [0x1d, 0x4f, 0x91],
      [255, 255, 255],
      [0x1d, 0x4f, 0x91],
    ])
  }
})

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
    expect(headers.get('set-cookie')).toBeNull()
    expect(text).not.toContain('<form')
    expect(text).not.toContain('<header')
    expect(text).toContain('<base target="_top">')
  }
})

test('the stylesheet is cacheable for ever, and has a digest in its name', async () => {
  const { text } = await open('/')
  const [, path = ''] = /<link rel="stylesheet" href="(\/site\/[\w-]{20}\.css)">/.exec(text) ?? []
  const css = await open(path)
  expect(css.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  expect(css.text).toContain('--fill:#1d4f91')
})

test('restricted to one commune by an administrator, the home is its page; inactive, every page is a 404', async () => {
  const admin = await world.as('admin')
  const set = async (body: object) =>
    expect((await admin.patch('/admin/app-sources/site', body)).status).toBe(200)
  await set({ commune_ids: [empty.id] })
  try {
    const home = await open('/')
    expect(home.status).toBe(200)
    expect(home.text).toContain('<h1>Vide</h1>')
    expect(home.text).toContain('/communes/vide">')
    expect(dataOf(home.text).map((data) => data['@type'])).toEqual(['GovernmentOffice', 'WebSite'])
    expect(dataOf((await open('/communes/vide')).text)).toHaveLength(1)
    expect((await open('/recherche?q=pressage')).text).toContain('Rien ne correspond')
    await set({ active: false })
    for (const path of ['/', '/communes/vide', '/recherche']) expect((await open(path)).status).toBe(404)
  } finally {
    await set({ active: true, commune_ids: null })
  }
})

test('all communes are reached by département, those of a restricted site by one list', async () => {
  const read = async (path: string) => (await open(path)).text
  expect(await read('/')).toContain('<a href="/communes?departement=73">Savoie</a>')
  expect(await read('/communes')).toContain('<a href="/communes?departement=73">Savoie</a>')
  const savoie = await read('/communes?departement=73')
  expect(savoie).toContain('<h1>Communes\u00a0: Savoie (73)</h1>')
  expect(savoie).toContain('<a href="/communes/chambery">Chambéry</a>')
  expect(savoie).not.toContain('/communes/vide')
  expect(await read('/communes?departement=01')).toContain('Aucune commune')
  expect((await open('/communes?departement=96')).status).toBe(404)
  for (let n = 0; n < 31; n++) await world.commune({ nom: `Saint-${n}`, departement: '73' })
  const few = await db.selectFrom('communes').select('id').where('nom', 'like', 'Saint-2%').execute()
  const commune_ids = few.map(({ id }) => id)
  const restrict = (commune_ids: string[] | null) =>
    db.updateTable('app_sources').set({ commune_ids }).where('code', '=', 'site').execute()
  await restrict(commune_ids)
  try {
    for (const path of ['/', '/communes', '/communes?departement=73', '/communes?q=saint']) {
      const text = await read(path)
      expect(text.match(/>Saint-2\d?</g), path).toHaveLength(11)
      expect(text, path).not.toMatch(/Saint-3|chambery/)
    }
    expect((await open('/communes?departement=01')).status).toBe(404)
  } finally {
    await restrict(null)
  }
})

test('legal pages say what the law asks, and plainly what the operator has not set', async () => {
  const env = {
    ...{ SITE_OWNER: 'Commune de Chambéry', SITE_DIRECTOR: 'Odile Vauquelin, maire' },
    ...{ SITE_HOST: 'Hébergeur <SA>, 1 rue du Serveur', SITE_CONTACT: 'mairie@chambery.example' },
  }
  const complete = await openWorld({ env })
  const read = async (origin: string, path: string) => (await fetch(`${origin}${path}`)).text()
  const notice = await read(complete.url, '/mentions-legales')
  for (const words of [
    env.SITE_OWNER,
    env.SITE_DIRECTOR,
    'Hébergeur &lt;SA&gt;',
    'mailto:mairie@chambery.example',
  ])
    expect(notice).toContain(words)
  expect(notice).not.toContain('pas encore indiqué')
  expect((await read(url, '/mentions-legales')).match(/pas encore indiqué/g)).toHaveLength(4)
  const declaration = await read(complete.url, '/accessibilite')
  for (const words of ['Commune de Chambéry s’engage', 'Libre réponse 71120', 'axe-core'])
    expect(declaration).toContain(words)
  expect(await read(complete.url, '/confidentialite')).toContain('RGPD')
})

test.each([
  ['/communes/chambery', '/communes/chambery'],
  ['/communes/chambery/abonnement', '/communes/chambery/abonnement'],
  ['/communes/chambery/agenda?mois=2099-10', '/communes/chambery/agenda'],
  ['/communes?q=chamb', '/communes'],
  ['/rien', null],
])('%s says what it is when it is shared', async (path, address) => {
  const { text } = await open(path)
  for (const name of ['title', 'description', 'site_name', 'type', 'locale'])
    expect(text).toMatch(new RegExp(`<meta property="og:${name}" content="[^"]+">`))
  const url = address && `http://localhost:3000${address}`
  expect(/<meta property="og:url" content="([^"]*)">/.exec(text)?.[1] ?? null).toBe(url)
})

test('the accessibility declaration claims nothing without an audit', async () => {
  const { text } = await open('/accessibilite')
  expect(text).toContain('Ce site est non conforme')
  expect(text).not.toMatch(/partiellement conforme|pas encore indiqué|20\d\d<|établie le/)
  expect(text).toContain('<a href="/contact">par le formulaire de contact</a>')
  for (const path of ['/', '/communes/chambery', '/rien'])
    expect((await open(path)).text).toContain('Accessibilité : non conforme</a>')
})

test.each([
  [
    '2026-10-01; Cabinet <Durand>; 78,5 %; https://www.example.org/audit?a=1&b',
    'partiellement conforme',
    '78,5 %',
  ],
  ['2026-10-01;Cabinet Durand;100;https://www.example.org/', 'totalement conforme', '100 %'],
  ['2026-10-01;Cabinet Durand;49.99;https://www.example.org/', 'non conforme', '49,99 %'],
])('the accessibility declaration states an audit: %s', async (ACCESSIBILITY_AUDIT, state, rate) => {
  const audited = await openWorld({ env: { ACCESSIBILITY_AUDIT } })
  const declaration = await (await fetch(`${audited.url}/accessibilite`)).text()
  expect(declaration).toContain(`Ce site est ${state}`)
  expect(declaration).toContain(`Accessibilité : ${state}</a>`)
  expect(declaration).toMatch(
    /L’audit réalisé par Cabinet (&lt;Durand&gt;|Durand) le 1er octobre 2026 révèle/,
  )
  expect(declaration).toContain(rate)
  expect(declaration).toContain('href="https://www.example.org/')
})

test.each([
  '2026-10-01',
  '2026-02-30;A;78;https://a.example',
  '2026-10-01;A;101;https://a.example',
  '2026-10-01;A;78;a.example',
])('the start refuses an incomplete audit: %s', (ACCESSIBILITY_AUDIT) => {
  expect(() => readConfig(modules, { ACCESSIBILITY_AUDIT })).toThrow('ACCESSIBILITY_AUDIT must be')
})

test('links to calendars and feeds say what they open', async () => {
  const { text } = await open('/communes/chambery/suivre')
  const named = '<span class="unseen">\u00a0: Agenda de Chambéry</span></a>'
  const file = 'localhost:3000/communes/chambery/agenda.ics'
  for (const button of [
    `<a href="webcal://${file}">Apple, Outlook${named}`,
    `<a href="https://calendar.google.com/calendar/render?cid=${encodeURIComponent(`webcal://${file}`)}">Google Agenda${named}`,
    `<a href="http://${file}">Fichier${named}`,
  ])
    expect(text).toContain(button)
  expect(text).toMatch(/publications.rss" type="application\/rss\+xml">Actualités de Chambéry \(flux RSS\)</)
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
