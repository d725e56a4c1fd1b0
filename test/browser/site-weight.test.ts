import { gzipSync } from 'node:zlib'
import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { formOf, png } from '../../src/modules/media/media.test-kit.ts'
import { insertPublication } from '../../src/modules/publications/publications.test-kit.ts'
import { uuidv7 } from '../../src/platform/formats/uuid.ts'
import { openWorld } from '../support/world.ts'
import { openPage, overflowsSideways, story } from './browser.ts'

/** How heavy and how steady the pages of the public site are, with as much on each as it shows. */

const picture =
  '<svg xmlns="http://www.w3.org/2000/svg" width="1600" height="900"><rect width="1600" height="900" fill="teal"/></svg>'
const world = await openWorld({ env: { SITE_CONTACT: 'mairie@chambery.example' } })
const { url, db } = world
const commune = await world.commune({ nom: 'Chambéry', slug: 'chambery', departement: '73' })
const acteur = await world.acteur({
  ...{ nom: 'Les Croqueurs', slug: 'croqueurs', commune_id: commune.id, valide: true },
  ...{ description: 'Des pommes. '.repeat(40), telephone: '04 79 00 00 00', horaires: 'Mo-Fr 08:30-12:00' },
})
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
const words = (seed: number, count: number) =>
  Array.from({ length: count }, (_, at) => ((seed * 7919 + at * 104_729) % 1_679_616).toString(36)).join(' ')
const admin = await world.as('admin')
const file = await png('#4a7', { width: 1000, height: 600 })
const sent = (await admin.post('/media', formOf(file, { alt: words(7, 8) }))).body.data.id
/** A picture of its own for each publication, with the same bytes. */
const images = Array.from({ length: 120 }, () => uuidv7())
await db
  .insertInto('media')
  .columns(['id', 'kind', 'alt', 'width', 'height', 'bytes', 'sha256'])
  .expression(
    db
      .selectFrom('media')
      .select([
        sql<string>`unnest(${images}::uuid[])`.as('id'),
        'kind',
        'alt',
        'width',
        'height',
        'bytes',
        'sha256',
      ])
      .where('id', '=', sent),
  )
  .execute()
const coverOf = (n: number) => (n % 4 === 3 ? null : [images[n] ?? ''])
for (let n = 0; n < 120; n++)
  await insertPublication(world, {
    images: coverOf(n),
    ...{ slug: `fete-${n}`, title: `Fête ${words(n, 8)}`, body: `<p>${words(n, 300)}</p>`, en_avant: n < 10 },
    ...{ acteur_id: acteur.id, commune_id: commune.id, date_debut: inDays(n), heure_debut: '14:00' },
    ...{ image_url: 'https://croqueurs.example/pomme.svg', source_url: 'https://croqueurs.example/' },
    lieu: { nom: words(n, 3), adresse: words(n + 1, 6), latitude: 45.56, longitude: 5.92 },
  })
for (let n = 0; n < 40; n++) {
  await world.acteur({ nom: `Club ${words(n, 3)}`, slug: `club-${n}`, commune_id: commune.id, valide: true })
  await world.commune({ nom: `Saint-${words(n, 2)}`, departement: '73' })
}
await db
  .insertInto('alertes')
  .values({
    ...{ id: uuidv7(), commune_id: commune.id, titre: 'Eau coupée', message: words(1, 60) },
    niveau: 'urgence',
  })
  .execute()

const kinds = [
  ...[
    '/',
    '/communes',
    '/communes?departement=73',
    '/communes?q=saint',
    '/recherche?q=fete',
    '/communes/chambery/recherche?q=bacs+fete',
    '/donnees',
  ],
  ...['/publications/fete-3', '/publications/fete-3/signaler', '/acteurs/croqueurs', '/contact', '/rien'],
  ...['/acteurs/croqueurs/revendiquer', '/defibrillateurs?q=gare', '/mentions-legales', '/confidentialite'],
  '/regles',
  '/accessibilite',
  ...['', '/publications', '/agenda', '/collectes', '/alertes', '/elus', '/acteurs', '/defibrillateurs']
    .concat(['/suivre', '/integrer', '/abonnement', '/agenda?embed=1'])
    .map((sub) => `/communes/chambery${sub}`),
]
const maxBytes = 30_000

async function openSite(options: Partial<Parameters<typeof openPage>[0]> = {}) {
  const page = await openPage({ url, expects: /404/, ...options })
  await page.route('https://croqueurs.example/**', (route) =>
    route.fulfill({ contentType: 'image/svg+xml', body: picture }),
  )
  return page
}

story('a page of each kind weighs at most 30 kB, sets no cookie, and loads from nobody else', async () => {
  const page = await openSite()
  const heavy: string[] = []
  const elsewhere = new Set<string>()
  page.on('request', (request) => {
    if (!request.url().startsWith(url))
      elsewhere.add(`${request.resourceType()} ${new URL(request.url()).host}`)
  })
  for (const path of kinds) {
    const response = await page.goto(path)
    const text = (await response?.text()) ?? ''
    const [, css = ''] = /<link rel="stylesheet" href="([^"]+)">/.exec(text) ?? []
    const scripts = [...text.matchAll(/<script type="module" src="([^"]+)"/g)].map(([, path = '']) => path)
    const files = await Promise.all(
      [css, ...scripts].map(async (file) => (await fetch(`${url}${file}`)).text()),
    )
    const bytes = [text, ...files].reduce((sum, content) => sum + gzipSync(content).length, 0)
    if (bytes > maxBytes) heavy.push(`${path}: ${bytes}`)
    expect(response?.headers()['set-cookie'], path).toBeUndefined()
  }
  expect(heavy).toEqual([])
  expect([...elsewhere]).toEqual([])
  expect(await page.context().cookies()).toEqual([])
})

/** Sums the shifts that no user caused. */
const observing = `
  window.shifted = 0
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifted += entry.value
  }).observe({ type: 'layout-shift', buffered: true })`

/** Pictures below the first screen load when they come near. */
const loadPictures = `(async () => {
  for (const image of [...document.images].slice(0, 12)) {
    image.scrollIntoView()
    await image.decode().catch(() => {})
  }
})()`

const tallPictures = `[...document.querySelectorAll('.picture img')]
  .map(({ offsetWidth, offsetHeight }) => offsetHeight / offsetWidth).filter((ratio) => ratio > 0.57)`

story('nothing moves while a page loads slowly on a phone', async () => {
  const page = await openSite({ width: 360, height: 740 })
  await page.addInitScript(observing)
  const devTools = await page.context().newCDPSession(page)
  await devTools.send('Network.enable')
  await devTools.send('Network.emulateNetworkConditions', {
    ...{ offline: false, latency: 100, downloadThroughput: 200_000, uploadThroughput: 90_000 },
  })
  for (const path of kinds) {
    await page.goto(path, { waitUntil: 'load' })
    await page.evaluate(loadPictures)
    await page.evaluate('document.querySelector("footer")?.scrollIntoView()')
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
    expect({ path, shifted: await page.evaluate('window.shifted') }).toEqual({ path, shifted: 0 })
    expect({ path, tall: await page.evaluate(tallPictures) }).toEqual({ path, tall: [] })
  }
})

story('four times as large, and as narrow as 320 pixels, nothing is scrolled sideways', async () => {
  // 400 % of a window of 1280 pixels is a page of 320.
  const page = await openSite({ width: 320, height: 256 })
  for (const path of kinds) {
    await page.goto(path)
    expect({ path, overflows: await overflowsSideways(page) }).toEqual({ path, overflows: [] })
    expect({ path, reach: await reach(page) }).toEqual({ path, reach: 0 })
  }
})

/** How far the window can be scrolled sideways. */
const reach = (page: Page) => page.evaluate('(scrollTo(9999, 0), scrollX)')

story('printed, a page is its content', async () => {
  const page = await openSite()
  await page.goto('/communes/chambery/agenda')
  await page.emulateMedia({ media: 'print' })
  expect(await page.getByRole('heading', { level: 1 }).isVisible()).toBe(true)
  for (const hidden of ['.top nav', '.crumbs', '.foot', '.skip', '.months', '.find'])
    expect([hidden, await page.locator(hidden).isVisible()]).toEqual([hidden, false])
  expect((await page.pdf({ format: 'A4' })).length).toBeGreaterThan(5_000)
})
