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
const admin = await world.as('admin')
await admin.patch(`/admin/communes/${commune.id}`, {
  elus: [{ prenom: 'Odile', nom: 'Vauquelin', fonction: 'Maire' }],
  collectes: [
    { type_dechet: 'verre', libelle: 'Verre', mode: 'porte_a_porte', jours: ['lundi'], secteur: 'Nord' },
  ],
})

const inMenu = ['collectes', 'agenda', 'publications', 'alertes', 'acteurs', 'elus']
const subs = [
  '',
  ...[...inMenu, 'defibrillateurs'].map((sub) => `/${sub}`),
  '/suivre',
  '/integrer',
  '/abonnement',
]
const below = [
  '/publications/fete',
  '/publications/fete/signaler',
  '/acteurs/club',
  '/acteurs/club/revendiquer',
]
const missing = ['/inconnue', '/pages/inconnue', '/inconnue/encore', '/publications?after=x']
const pages = [...subs.concat(missing).map((sub) => `/communes/chambery${sub}`), ...below]
const embedded = ['publications', 'agenda', 'alertes', 'collectes'].map(
  (sub) => `/communes/chambery/${sub}?embed=1`,
)
const home = '/communes/chambery'
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
  expect(marked).toEqual(path === home || inMenu.some((sub) => path.endsWith(`/${sub}`)) ? [path] : [])
})

test('links of the menu keep the secteur that was chosen', async () => {
  for (const path of ['/communes/chambery', '/communes/chambery/agenda']) {
    const head = headOf(await read(`${path}?secteur=Nord+%22A%22`))
    const links = [...head.matchAll(/href="\/communes\/chambery[^"]*"/g)].map(([href]) => href)
    expect(links.length).toBeGreaterThanOrEqual(inMenu.length)
    for (const link of links) expect(link).toContain('?secteur=Nord+%22A%22')
  }
})

test('what a resident opens from the home, the collections and the subscription keeps the secteur', async () => {
  await alert('Vent', { niveau: 'attention' })
  for (const sub of ['', '/alertes', '/collectes', '/abonnement', '/abonnement?envoye=1']) {
    const text = await read(`/communes/chambery${sub}${sub.includes('?') ? '&' : '?'}secteur=Nord`)
    const body = text.slice(text.indexOf('<main'), text.indexOf('</main>'))
    const links = [
      ...body.matchAll(/(?:href|action)="(\/communes\/chambery\/(?!integrer|collectes")[a-z]+)([^".]*)"/g),
    ]
    for (const [, path, search] of links) expect(search, `${sub} ${path}`).toContain('secteur=Nord')
  }
  await db.deleteFrom('alertes').execute()
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

test('a secteur is kept through publications, acteurs, written pages, filters and pagers', async () => {
  const { id: acteur_id } = await world.acteur({ slug: 'garde', commune_id: commune.id, valide: true })
  for (let n = 0; n < 25; n++)
    await insertPublication(world, { slug: `garde-${n}`, commune_id: commune.id, acteur_id })
  const row = {
    id: uuidv7(),
    commune_id: commune.id,
    slug: 'vie',
    title: 'Vie',
    status: 'published',
    position: 9,
  }
  await db
    .insertInto('commune_pages')
    .values({ ...row, body: '<p><a href="/communes/chambery/elus">É</a></p>' })
    .execute()
  const secteur = 'secteur=Nord+%26+%22A%22'
  const own =
    /^(?:\/communes\/chambery\/(?!collectes)[^.]+|\/(?:publications|acteurs)\/[^/.]+(?:\/signaler|\/revendiquer)?)$/
  const [home] = ['/communes/chambery']
  for (const [path, ...kept] of [
    [home, '/publications/garde-24'],
    [`${home}/publications`, '/publications/garde-24', `${home}/publications?after=`],
    [`${home}/agenda`, `${home}/agenda?quand=week-end`],
    [`${home}/acteurs`, '/acteurs/garde', `${home}/acteurs?type=association`],
    [`${home}/pages`, `${home}/pages/vie`],
    [`${home}/pages/vie`, `${home}/elus`],
    ['/publications/garde-1', '/acteurs/garde', '/publications/garde-1/signaler'],
    ['/acteurs/garde', '/publications/garde-24', '/acteurs/garde?page=2', '/acteurs/garde/revendiquer'],
    ['/publications/garde-1/signaler', '/publications/garde-1'],
    ['/acteurs/garde/revendiquer', '/acteurs/garde'],
    [`${home}/inscrire`, `${home}/acteurs`],
  ] as const) {
    const isOutside = !path.startsWith(home)
    const text = await read(`${path}?${secteur}${isOutside ? '&commune=chambery' : ''}`)
    const main = text.slice(text.indexOf('<main'), text.indexOf('</main>'))
    const links = [...main.matchAll(/<a href="([^"?#]*)([^"#]*)/g)].filter(([, to = '']) => own.test(to))
    for (const [, to, search] of links)
      expect(search, `${path} ${to}`).toMatch(
        to?.startsWith(home)
          ? /[?;]secteur=Nord\+%26\+%22A%22$/
          : /[?;]secteur=Nord\+%26\+%22A%22&amp;commune=chambery$/,
      )
    for (const one of kept)
      expect(
        links.some(([link]) => link.includes(`"${one}`)),
        `${path} ${one}`,
      ).toBe(true)
    const searches = [...main.matchAll(/<form class="search".*?<\/form>/gs)].map(([form]) => form)
    for (const form of searches)
      expect(form.match(/name="secteur" value="Nord &amp; &quot;A&quot;"/g), path).toHaveLength(1)
    expect(/<link rel="canonical"[^>]*>/.exec(text)?.[0] ?? '', path).not.toContain('secteur')
    expect(await read(path)).not.toContain('secteur=')
  }
  expect(await read(`${home}/publications?q=fete&${secteur}`)).toContain('name="secteur"')
})

test('a form that is sent, refused or missing keeps the secteur of the resident', async () => {
  const form = { moment: 'too early', message: 'M' }
  for (const [path, search] of [
    ['/communes/chambery/inscrire', '?secteur=Nord'],
    ['/acteurs/club/revendiquer', '?secteur=Nord&commune=chambery'],
    ['/publications/fete/signaler', '?secteur=Nord&commune=chambery'],
  ] as const) {
    const action = `action="${path}${search.replace('&', '&amp;')}"`
    expect(await read(`${path}${search}`)).toContain(action)
    const refused = await fetch(`${url}${path}${search}`, { method: 'POST', body: new URLSearchParams(form) })
    expect(refused.status).toBe(422)
    const trapped = new URLSearchParams({ ...form, adresse_du_site: 'x' })
    const sent = await fetch(`${url}${path}${search}`, {
      ...{ method: 'POST', body: trapped, redirect: 'manual' },
    })
    expect(sent.headers.get('location')).toBe(`${path}?envoye=1${search.replace('?', '&')}`)
    for (const text of [await refused.text(), await read(sent.headers.get('location') ?? '')])
      expect(headOf(text), path).toContain('href="/communes/chambery/agenda?secteur=Nord"')
  }
  for (const path of ['/communes/chambery/inconnue', '/communes/chambery/pages/inconnue'])
    expect(headOf(await read(`${path}?secteur=Nord`)), path).toContain(
      'href="/communes/chambery/agenda?secteur=Nord"',
    )
})

test('what belongs to another commune shows no secteur of the one that it was opened from', async () => {
  const other = await world.commune({ nom: 'Barberaz', slug: 'barberaz' })
  const { id: acteur_id } = await world.acteur({ slug: 'fanfare', commune_id: other.id, valide: true })
  await insertPublication(world, {
    ...{ slug: 'bal', title: 'Bal', acteur_id, commune_id: other.id },
    commune_ids: [other.id, commune.id],
  })
  const secteur = 'secteur=Nord&commune=chambery'
  const opened = await read('/communes/chambery/publications?secteur=Nord')
  expect(opened).toContain(`href="/publications/bal?${secteur.replace('&', '&amp;')}"`)
  for (const path of ['/publications/bal', '/acteurs/fanfare']) {
    const text = await read(`${path}?${secteur}`)
    expect(text, path).toContain('href="/communes/barberaz/alertes"')
    expect(text.slice(text.indexOf('<body')), path).not.toContain('secteur')
    expect(await read(`${path}?secteur=Nord`), path).toContain('href="/communes/barberaz/alertes"')
    expect(await read(`${path}?secteur=Nord&commune=barberaz`), path).toContain(
      'href="/communes/barberaz/alertes?secteur=Nord"',
    )
  }
})
