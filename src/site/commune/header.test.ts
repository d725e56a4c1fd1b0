import { expect, test } from 'vitest'
import { statementsAbout } from '../../../test/support/statements.ts'
import { openWorld } from '../../../test/support/world.ts'
import { insertPublication } from '../../modules/publications/publications.test-kit.ts'
import { uuidv7 } from '../../platform/formats/uuid.ts'

const world = await openWorld()
const { url, db } = world
const now = '2026-11-26T10:00:00.000Z'
world.setClock(now)
const commune = await world.commune({ nom: 'Chambéry', slug: 'chambery' })
const acteur = await world.acteur({ slug: 'club', commune_id: commune.id, valide: true })
await insertPublication(world, { slug: 'fete', title: 'Fête', commune_id: commune.id, acteur_id: acteur.id })

const inMenu = ['collectes', 'agenda', 'publications', 'alertes', 'acteurs', 'elus', 'defibrillateurs']
const subs = ['', ...inMenu.map((sub) => `/${sub}`), '/suivre', '/integrer', '/abonnement']
const pages = [...subs.map((sub) => `/communes/chambery${sub}`), ...['/publications/fete', '/acteurs/club']]
const embedded = ['publications', 'agenda', 'alertes', 'collectes'].map(
  (sub) => `/communes/chambery/${sub}?embed=1`,
)
const read = async (path: string, from = url) => (await fetch(`${from}${path}`)).text()
const headOf = (text: string) => text.slice(text.indexOf('<header'), text.indexOf('</header>'))

const alert = (titre: string, values: { niveau?: 'info' | 'attention' | 'urgence'; fin?: Date } = {}) =>
  db
    .insertInto('alertes')
    .values({ id: uuidv7(), commune_id: commune.id, titre, message: 'M', niveau: 'urgence', ...values })
    .execute()

test.each(pages)('%s has the commune as its head, and one menu that marks the page shown', async (path) => {
  const head = headOf(await read(path))
  expect(head.replaceAll(/<[^>]*>/g, ' ').trim()).toMatch(/^Chambéry/)
  expect([...head.matchAll(/href="\/communes\/chambery\/([a-z]+)"/g)].map(([, sub]) => sub)).toEqual([
    'recherche',
    ...inMenu,
  ])
  const marked = [...head.matchAll(/href="([^"]*)" aria-current="page"/g)].map(([, href]) => href)
  expect(marked).toEqual(inMenu.some((sub) => path.endsWith(`/${sub}`)) ? [path] : [])
})

test('links of the menu keep the secteur that was chosen', async () => {
  for (const path of ['/communes/chambery', '/communes/chambery/agenda']) {
    const head = headOf(await read(`${path}?secteur=Nord+%22A%22`))
    const links = [...head.matchAll(/href="\/communes\/chambery[^"]*"/g)].map(([href]) => href)
    expect(links.length).toBeGreaterThanOrEqual(inMenu.length)
    for (const link of links) expect(link).toContain('?secteur=Nord+%22A%22')
  }
})

test('an urgent alerte stands above every page, embedded ones too, until it ends', async () => {
  const banners = async () => {
    const texts = await Promise.all([...pages, ...embedded].map((path) => read(path)))
    return texts.map((text) => /<section class="urgences".*?<\/section>/s.exec(text)?.[0] ?? '')
  }
  await alert('Marché déplacé', { niveau: 'attention' })
  expect(new Set(await banners())).toEqual(new Set(['']))
  await alert('Crue <de> la Leysse', { fin: new Date('2026-11-26T12:00:00Z') })
  for (const banner of await banners()) {
    expect(banner).toContain('Urgence\u00a0: Crue &lt;de&gt; la Leysse')
    expect(banner).toContain('href="/communes/chambery/alertes"')
    expect(banner).not.toContain('Marché')
  }
  world.setClock('2026-11-26T12:00:01.000Z')
  expect(new Set(await banners())).toEqual(new Set(['']))
  world.setClock(now)
  await db.deleteFrom('alertes').execute()
})

test('a page has as many statements with ten urgent alertes as with none', async () => {
  const counts = async () => {
    const all = []
    for (const path of pages) all.push((await statementsAbout(/select/, () => read(path))).length)
    return all
  }
  const without = await counts()
  for (let n = 0; n < 10; n++) await alert(`Alerte ${n}`)
  expect(await counts()).toEqual(without)
  await db.deleteFrom('alertes').execute()
})

test('cached pages show an urgent alerte at once, and no longer than it stands', async () => {
  const cached = await openWorld({ keeps: true })
  const { id } = await cached.commune({ slug: 'cachee' })
  await insertPublication(cached, { slug: 'une', title: 'Une', commune_id: id })
  const paths = ['', '/elus', '/acteurs', '/publications', '/integrer', '/agenda?embed=1']
    .map((sub) => `/communes/cachee${sub}`)
    .concat('/publications/une')
  const shown = async () => {
    const texts = await Promise.all(paths.map((path) => read(path, cached.url)))
    return texts.map((text) => text.includes('Digue rompue'))
  }
  const all = (value: boolean) => paths.map(() => value)
  const hits = async () => {
    await shown()
    return cached.app.cache?.hits ?? 0
  }
  await expect.poll(hits).toBeGreaterThan(paths.length)
  const alerte = {
    id: uuidv7(),
    commune_id: id,
    titre: 'Digue rompue',
    message: 'M',
    niveau: 'urgence',
  } as const
  await cached.db.insertInto('alertes').values(alerte).execute()
  await expect.poll(shown).toEqual(all(true))
  await cached.db.deleteFrom('alertes').execute()
  await expect.poll(shown).toEqual(all(false))
})
