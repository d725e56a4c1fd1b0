import { execFile, spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { loadGroups } from '../src/loaders/groups/load.ts'
import { createRun } from '../src/loaders/run.ts'
import { escapeHtml } from '../src/platform/formats/text.ts'
import { insertHidden } from '../src/site/hidden.test-kit.ts'
import { cloneWithCommunes } from '../test/support/many/communes.ts'
import { openWorld } from '../test/support/world.ts'
import { readData } from './data.ts'
import { insertDemo } from './load.ts'

/** Follows every link and form of the demo's site, as a search engine would. */

const world = await openWorld({ database: await cloneWithCommunes() })
const { db, url, config } = world
await db.transaction().execute(async (tx) => {
  await loadGroups(tx, null, createRun())
  await insertDemo(tx, config.publicUrl)
})

const chambery = await db
  .selectFrom('communes')
  .select('id')
  .where('slug', '=', 'chambery')
  .executeTakeFirstOrThrow()
const day = new Date(Date.now() + 40 * 86_400_000).toISOString().slice(0, 10)
const hidden = await insertHidden(world, { commune_id: chambery.id, en_avant: true, date_debut: day })

/** Slugs of the communes whose pages are opened: those of the demo, and a few without content. */
const codes = (await readData<{ code: string }[]>('communes/communes.json')).map(({ code }) => code)
const opened = await db
  .selectFrom('communes')
  .select('slug')
  .where((eb) => eb.or([eb('code_insee', 'in', codes), eb('code_insee', 'in', ['73001', '97101'])]))
  .execute()
const isOpened = new Set(opened.map(({ slug }) => slug))

type Visit = { status: number; type: string; text: string; from: string }
const visits = new Map<string, Visit>()
/** Addresses found on pages, also those of communes that are not opened. */
const linked = new Set<string>(['/'])
const published = new URL(config.publicUrl)

await crawl('/')
const pages = [...visits].filter(([, { type }]) => type.startsWith('text/html'))
const sitemap = [...visits].flatMap(([path, { text }]) =>
  path.startsWith('/sitemap/') ? [...text.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, loc = '']) => loc) : [],
)

test('every link and every form leads to something', () => {
  const wrong = [...visits].filter(([, { status }]) => status !== 200)
  expect(wrong.map(([path, { status, from }]) => `${path}: ${status}, from ${from}`)).toEqual([])
  expect(pages.length).toBeGreaterThan(1_000)
})

test('every picture of the demo is a small file of the service', async () => {
  const { rows } = await sql<{ address: string }>`
    select distinct photo_url as address from elus where photo_url is not null`.execute(db)
  expect(rows.length).toBe(1)
  for (const { address } of rows) {
    const { origin, pathname } = new URL(address)
    const response = await fetch(`${url}${pathname}`)
    const type = response.headers.get('content-type')
    expect([address, origin, response.status, type]).toEqual([
      address,
      config.publicUrl,
      200,
      'image/svg+xml',
    ])
    expect((await response.arrayBuffer()).byteLength).toBeLessThan(20_000)
  }
  const covers = [...visits].filter(([path]) => path.startsWith('/media/'))
  expect(covers.length).toBeGreaterThan(50)
  const typeOf = (path: string) =>
    /\/icone-/.test(path) ? 'image/png' : /\.webp$/.test(path) ? 'image/webp' : 'image/jpeg'
  for (const [path, { type }] of covers) expect([path, type]).toEqual([path, typeOf(path)])
  const portraits = [...visits.values()].filter(({ text }) => text.includes('class="logo portrait"'))
  expect(portraits.length).toBeGreaterThan(1)
  expect((await fetch(`${url}/demo/none.svg`)).status).toBe(404)
})

test('the pages of all kinds are found', () => {
  const kinds = new Set(
    [...visits.keys()].map((path) =>
      path
        .replace(/\?.*/, '')
        .replace(/^\/(communes|groupes|publications|acteurs|site|sitemap|donnees)\/[^/.]+/, '/$1/x'),
    ),
  )
  const ofCommune = ['publications', 'agenda', 'collectes', 'alertes', 'elus', 'acteurs', 'defibrillateurs']
  const feeds = ['publications', 'alertes'].flatMap((name) =>
    ['rss', 'atom', 'json'].map((format) => `${name}.${format}`),
  )
  const subs = ['', ...ofCommune, 'suivre', 'integrer', 'abonnement', ...feeds, 'agenda.ics', 'collectes.ics']
  expect(subs.filter((sub) => !kinds.has(`/communes/x${sub && `/${sub}`}`))).toEqual([])
  for (const kind of [
    ...[
      '/communes',
      '/recherche',
      '/defibrillateurs',
      '/groupes',
      '/groupes/x',
      '/contact',
      '/donnees',
      '/donnees/x.csv',
      '/sitemap.xml',
    ],
    ...['/publications/x', '/publications/x/signaler', '/acteurs/x', '/acteurs/x/revendiquer', '/site/x.css'],
    ...['/mentions-legales', '/confidentialite', '/accessibilite', '/favicon.svg', '/manifest.webmanifest'],
  ])
    expect([...kinds]).toContain(kind)
})

test('no address of the sitemap is an orphan', () => {
  expect(sitemap.length).toBeGreaterThan(35_000)
  const orphans = sitemap
    .map((address) => pathOf(address))
    .filter((path) => path !== null && !linked.has(path))
  expect(orphans).toEqual([])
})

test('no page, feed, calendar or file shows anything that is hidden', async () => {
  const rows = await sql<{ title: string }>`
    with shown as (
      select p.title, p.body from publications p left join acteurs a on a.id = p.acteur_id
      where p.valide and p.moderation_status in ('approved', 'published') and p.deleted_at is null
        and p.publie_le <= now() and coalesce(a.active and a.deleted_at is null, true)
    )
    select distinct p.title from publications p
    where not exists (select from shown s where strpos(concat_ws(' ', s.title, s.body), p.title) > 0)`.execute(
    db,
  )
  const titles = rows.rows.map(({ title }) => title)
  expect(titles.length).toBeGreaterThan(20)
  const words = [...Object.values(hidden).map(({ word }) => word), ...titles]
  const forms = [
    ...new Set(words.flatMap((word) => [word, escapeHtml(word), JSON.stringify(word).slice(1, -1)])),
  ]
  const found = [...visits].flatMap(([path, { text }]) =>
    forms.filter((form) => text.includes(form)).map((form) => `${path}: ${form}`),
  )
  expect(found).toEqual([])
})

const hasJava = spawnSync('java', ['-version']).error === undefined
if (!hasJava) process.stderr.write('SKIPPED: Java is not installed; the Nu HTML checker reads no page.\n')

// A thousand pages take Java a minute on two busy processors.
test.runIf(hasJava)(
  'the Nu HTML checker finds no error and no warning on any page',
  { timeout: 600_000 },
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'parvis-pages-'))
    try {
      const planted = '<!doctype html><html lang="fr"><title>T</title><h1>T</h1><section><p>T</p></section>'
      const texts = [...pages.map(([, { text }]) => text), planted]
      await Promise.all(texts.map((text, at) => writeFile(join(folder, `${at}.html`), text)))
      const jar = 'node_modules/vnu-jar/build/dist/vnu.jar'
      const options = ['--format', 'json', '--stdout', '--exit-zero-always', '--skip-non-html']
      const { stdout } = await promisify(execFile)('java', ['-jar', jar, ...options, folder], {
        maxBuffer: 2 ** 26,
      })
      const { messages } = JSON.parse(stdout) as {
        messages: { type: string; subType?: string; url?: string; message: string; extract?: string }[]
      }
      const faults = messages.filter(({ type, subType }) => type !== 'info' || subType === 'warning')
      const found = faults.map(({ url = '', message, extract }) => {
        const at = Number(/(\d+)\.html$/.exec(url)?.[1])
        return `${pages[at]?.[0] ?? 'planted'}: ${message} ${extract ?? ''}`
      })
      expect(found).toEqual([expect.stringMatching(/^planted: Section lacks heading/)])
    } finally {
      await rm(folder, { recursive: true })
    }
  },
)

/** Opens everything that can be reached from a path, eight at a time. */
async function crawl(start: string): Promise<void> {
  const waiting: { path: string; from: string }[] = []
  const add = (path: string, from: string) => {
    const [, slug] = /^\/communes\/([^/?.]+)/.exec(path) ?? []
    if (/^\/groupes\/(?!ca-du-grand-chambery)/.test(path)) return
    if (visits.has(path) || (slug !== undefined && !isOpened.has(slug))) return
    // The same pages for each month and in a frame: one commune shows whether they work.
    if (slug !== 'chambery' && /[?&](mois|embed)=/.test(path)) return
    visits.set(path, { status: 0, type: '', text: '', from })
    waiting.push({ path, from })
  }
  for (const path of [start, '/robots.txt']) add(path, '')
  while (waiting.length > 0) {
    const level = waiting.splice(0)
    const work = async () => {
      for (let next = level.pop(); next !== undefined; next = level.pop()) await visit(next)
    }
    // The service sends two files at a time to an address, and a third has to wait for its turn.
    await Promise.all(Array.from({ length: 2 }, work))
  }

  async function visit({ path, from }: { path: string; from: string }) {
    const response = await fetch(`${url}${path}`, { headers: { accept: 'text/html,*/*' } })
    const type = response.headers.get('content-type') ?? ''
    const text = await response.text()
    visits.set(path, { status: response.status, type, text, from })
    const { pathname, search } = new URL(response.url)
    for (const target of targetsOf(type, text, `${pathname}${search}`)) {
      if (!path.startsWith('/sitemap')) linked.add(target)
      add(target, path)
    }
  }
}

/** Returns the paths of this site to which a document leads. */
function targetsOf(type: string, text: string, here: string): string[] {
  const addresses: string[] = []
  const all = (pattern: RegExp) => [...text.matchAll(pattern)].map(([, address = '']) => unescaped(address))
  if (type.startsWith('text/html')) {
    addresses.push(...all(/<(?:a|link)\b[^>]* href="([^"]*)"/g), ...all(/<img\b[^>]* src="([^"]*)"/g))
    addresses.push(...all(/&lt;iframe src="([^"]*)"/g))
    for (const [, attributes = '', fields = ''] of text.matchAll(/<form([^>]*)>(.*?)<\/form>/gs))
      if (!attributes.includes('method="post"')) addresses.push(...answersOf(attributes, fields))
  } else addresses.push(...all(/<(?:loc|link|guid[^>]*)>([^<]*)</g), ...all(/^Sitemap: (.*)$/gm))
  if (type.includes('json') && !here.startsWith('/donnees'))
    addresses.push(...all(/"(?:url|home_page_url|feed_url|src|start_url)":\s*"([^"]*)"/g))
  if (type.startsWith('text/calendar'))
    addresses.push(
      ...[...text.replaceAll(/\r\n[ \t]/g, '').matchAll(/^URL[^:]*:(.*)$/gm)].map(([, one = '']) =>
        one.trim(),
      ),
    )
  return addresses.flatMap((address) => pathOf(address, here) ?? [])
}

/** A form as it stands, and with a word in its field. */
function answersOf(attributes: string, fields: string): string[] {
  const [, action = ''] = /action="([^"]*)"/.exec(attributes) ?? []
  const [, name = 'q'] = /<input[^>]* name="([^"]*)"/.exec(fields) ?? []
  return [`${action}?${name}=`, `${action}?${name}=marche`]
}

/** The path of an address of this site; null elsewhere, and for the application of the back-office. */
function pathOf(address: string, here = '/'): string | null {
  const { protocol, host, pathname, search } = new URL(
    address.replace(/^webcal:/, published.protocol),
    `${published.origin}${here}`,
  )
  if (!protocol.startsWith('http') || host !== published.host) return null
  return pathname.startsWith('/backoffice') ? null : `${pathname}${search}`
}

function unescaped(text: string): string {
  const signs = { quot: '"', '#39': "'", lt: '<', gt: '>', amp: '&' }
  return text.replaceAll(/&(quot|#39|lt|gt|amp);/g, (_all, name: keyof typeof signs) => signs[name])
}
