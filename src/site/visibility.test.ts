import { expect, test } from 'vitest'
import { openWorld } from '../../test/support/world.ts'
import { insertPublished } from '../modules/acts/acts.test-kit.ts'
import { addressOf } from '../modules/acts/open.ts'
import { hiddenStates, insertPublication } from '../modules/publications/publications.test-kit.ts'
import { cursorAfter } from '../modules/publications/reading/pages.ts'
import { uuidv7 } from '../platform/formats/uuid.ts'
import { noDomains } from '../platform/http/hosts.ts'
import { insertHidden } from './hidden.test-kit.ts'
import { allPages, createSite } from './routes.ts'

const world = await openWorld()
const { url, db, config, app } = world

const hall = await world.acteur({ slug: 'mairie', type: 'mairie', valide: true })
const here = await world.commune({ slug: 'ici', nom: 'Ici', mairie_actor_id: hall.id })
const elsewhere = await world.commune({ slug: 'ailleurs', nom: 'Ailleurs' })
const club = await world.acteur({ slug: 'club', nom: 'Club du pommeau', valide: true, commune_id: here.id })
const soon = new Date(Date.now() + 40 * 86_400_000).toISOString().slice(0, 10)
const month = soon.slice(0, 7)
const shared = {
  ...{ body: 'Un pommeau.', acteur_id: club.id, commune_id: here.id, en_avant: true },
  date_debut: soon,
}
await insertPublication(world, { ...shared, slug: 'temoin', title: 'Temoin' })

const syndicat = await world.acteur({ slug: 'syndicat', type: 'intercommunalite', valide: true })
const group = {
  id: uuidv7(),
  slug: 'groupe',
  nom: 'Temoin d’un groupe',
  kind: 'autre',
  acteur_id: syndicat.id,
}
await db.insertInto('groups').values(group).execute()
await db.insertInto('group_communes').values({ group_id: group.id, commune_id: here.id }).execute()

const act = await insertPublished(db, {
  acteur_id: hall.id,
  title: 'Temoin en pommeau',
  typed: 'Temoin de texte',
})

const page = { commune_id: here.id, body: '<p>Un pommeau.</p>', status: 'published' }
await db
  .insertInto('commune_pages')
  .values({ ...page, id: uuidv7(), slug: 'temoin', title: 'Temoin de page', position: 1 })
  .execute()

const hidden = await insertHidden(world, shared)
const ofGroup = { ...shared, acteur_id: syndicat.id, commune_id: null }
await insertPublication(world, { ...ofGroup, slug: 'du-groupe', title: 'Temoin du groupe' })
for (const [state, values] of Object.entries(hiddenStates)) {
  const word = hidden[state]?.word
  await insertPublication(world, { ...ofGroup, slug: `groupe-${word}`, title: `Secret ${word}`, ...values })
}
const states = Object.entries(hidden)

/** The addresses of all pages: each route with each value of its parameters, and with its parameters of the query. */
const values: Record<string, string[]> = {
  '/communes/ici/pages/:page': ['temoin'],
  '/communes/:slug': ['ici'],
  '/publications/:slug': ['temoin'],
  '/acteurs/:idOrSlug': ['club'],
  '/acteurs/:slug': ['club'],
  '/groupes/:idOrSlug': ['groupe'],
  '/groupes/:slug': ['groupe'],
  '/actes/:act': [addressOf(act)],
  '/actes/:id': [act.id],
  '/donnees/:file': [
    ...['communes', 'publications', 'agenda', 'alertes', 'collectes', 'infos', 'elus', 'annuaire'],
    'deliberations',
    'defibrillateurs',
  ].flatMap((name) => [`${name}.csv`, `${name}.json`]),
  '/sitemap/:name': [
    'communes.xml',
    'acteurs.xml',
    'publications.xml',
    'actes.xml',
    'groupes.xml',
    'pages.xml',
  ],
}
/** The cursor of the first row that is not featured. */
const top = cursorAfter({ publie_le: new Date('9000-01-01'), id: here.id, en_avant: false })
const queries: Record<string, string[]> = {
  '/communes': ['?q=ici', '?q=pommeau', '?q=secret', '?departement=01'],
  '/groupes': ['?q=temoin', '?q=syndicat', '?departement=99'],
  '/autour': ['?lat=45&lon=5'],
  '/defibrillateurs/carte.json': ['?lat=45&lon=5&rayon=50000'],
  '/communes/:slug/recherche': ['?q=pommeau', '?q=secret'],
  '/recherche': ['?q=pommeau', '?q=secret', '?q=pommeau&dans=publications', '?q=pommeau&dans=acteurs'],
  '/communes/:slug/publications': ['?q=pommeau', `?after=${top}`, '?embed=1'],
  '/communes/:slug/agenda': [`?mois=${month}`, '?embed=1'],
  '/communes/:slug/alertes': ['?embed=1'],
  '/communes/:slug/collectes': ['?annee=1'],
  '/groupes/:idOrSlug/collectes': ['?adresse=secret'],
  '/groupes/:idOrSlug/publications': ['?q=pommeau', `?after=${top}`, '?embed=1'],
  '/groupes/:idOrSlug/agenda': [`?mois=${month}`, '?embed=1'],
  '/groupes/:idOrSlug/alertes': ['?embed=1'],
  '/communes/:slug/actes': ['?q=pommeau', '?type=deliberation'],
  '/communes/:slug/acteurs': ['?type=association', '?q=clubb', '?page=2'],
  '/acteurs/:idOrSlug': ['?page=2'],
}
/** What has no meaning without its query. */
const onlyAsked = ['/defibrillateurs/carte.json']
const routes: string[] = []
const recorder = {
  get: (route: string) => routes.push(route.replace(':slug/pages/:page', 'ici/pages/:page')),
  post() {},
  addContentTypeParser() {},
  register: (within: (scope: object) => void) => within(recorder),
}
const clock = () => new Date()
const hosts = { domains: async () => noDomains }
const jobs = { enqueue: async () => null }
const { site } = createSite({ config, hosts, clock, db, reads: db, lists: db, jobs })
const limits = { countClient: async () => {}, countKey: async () => {} }
for (const register of allPages) register(recorder as unknown as typeof app.server, { ...site, limits })
// The pages of one person have a secret address.
const publicRoutes = routes.filter((route) => !/^[/](?:abonnement|reclamation|signalement)[/]/.test(route))
const pages = publicRoutes.flatMap((route) => {
  const start = Object.keys(values).find((one) => route === one || route.startsWith(`${one}/`))
  const filled = start === undefined ? [route] : (values[start] ?? [])
  const paths =
    start === undefined
      ? filled
      : filled.map((value) => `${start.slice(0, start.lastIndexOf(':'))}${value}${route.slice(start.length)}`)
  return paths.flatMap((path) =>
    [...(onlyAsked.includes(route) ? [] : ['']), ...(queries[route] ?? [])].map((query) => `${path}${query}`),
  )
})

async function open(path: string) {
  const response = await fetch(`${url}${path}`, { headers: { accept: 'text/html' }, redirect: 'manual' })
  return { status: response.status, text: await response.text(), location: response.headers.get('location') }
}
const shown = new Map<string, Awaited<ReturnType<typeof open>>>()
for (const path of pages) shown.set(path, await open(path))
const withWord = (word: string) => pages.filter((path) => shown.get(path)?.text.includes(word))

const redirected = ['/inscrire', '/compte/signalements', '/autour', '/communes?q=ici']

test('each page has an address here, and what is visible is where it belongs', () => {
  expect(pages.filter((path) => path.includes(':'))).toEqual([])
  const statuses = pages.map((path) => [path, shown.get(path)?.status])
  expect(
    statuses.filter(([path, status]) => status !== (redirected.includes(`${path}`) ? 302 : 200)),
  ).toEqual([])
  expect(withWord('Temoin')).toEqual(
    expect.arrayContaining([
      ...['/', '/communes/ici', '/communes/ici/publications', '/communes/ici/publications?q=pommeau'],
      ...[
        '/communes/ici/agenda',
        `/communes/ici/agenda?mois=${month}`,
        '/publications/temoin',
        '/acteurs/club',
      ],
      ...['/recherche?q=pommeau', '/recherche?q=pommeau&dans=publications'],
      ...[
        '/communes/ici/actes',
        '/communes/ici/actes?q=pommeau',
        '/communes/ici/actes.rss',
        `/actes/${addressOf(act)}`,
        `/actes/${act.id}/texte.txt`,
      ],
      ...['/communes/ici/pages', '/communes/ici/pages/temoin', '/communes/ici/recherche?q=pommeau'],
    ]),
  )
  expect(withWord('/publications/temoin')).toContain('/sitemap/publications.xml')
  expect(withWord(`/actes/${addressOf(act)}`)).toContain('/sitemap/actes.xml')
  expect(withWord('/communes/ici/pages/temoin')).toContain('/sitemap/pages.xml')
  expect(withWord('/groupes/groupe')).toEqual(
    expect.arrayContaining([
      ...['/sitemap/groupes.xml', '/communes/ici', '/groupes/groupe', '/groupes/groupe/actes'],
      '/groupes/groupe/collectes',
      ...['/groupes', '/groupes?q=temoin', '/groupes?departement=99'],
    ]),
  )
  expect(withWord('Temoin du groupe')).toEqual(
    expect.arrayContaining([
      ...['', '/publications', '/publications?q=pommeau', '/agenda', `/agenda?mois=${month}`].map(
        (sub) => `/groupes/groupe${sub}`,
      ),
      ...['publications.rss', 'publications.atom', 'publications.json', 'agenda.ics'].map(
        (file) => `/groupes/groupe/${file}`,
      ),
      '/communes/ici',
      '/communes/ici/publications',
      '/communes/ici/agenda',
    ]),
  )
  expect(withWord('/acteurs/club')).toEqual(
    expect.arrayContaining(['/sitemap/acteurs.xml', '/communes/ici/acteurs', '/recherche?q=pommeau']),
  )
})

test.each(states)('no page shows what is hidden: %s', (_state, { word }) => {
  expect(withWord(word)).toEqual([])
})

const addresses = states.flatMap(([state, { address }]) =>
  address ? [[state, address.path, address.id] as const] : [],
)
test.each(addresses)(
  'no address of what is hidden differs from one that does not exist: %s',
  async (_state, path, id) => {
    const [, kind = ''] = path.split('/')
    const unknown = await open(`/${kind}/inconnu`)
    const unknownHere = await open('/communes/ici/inconnu')
    const form = kind === 'acteurs' ? 'revendiquer' : 'signaler'
    for (const one of [path, `/${kind}/${id}`, `${path}/${form}`, `/${kind}/${id}/${form}`, `${path}?page=2`])
      expect(await open(one)).toEqual({
        ...(one.startsWith('/communes/ici/') ? unknownHere : unknown),
        status: 404,
      })
  },
)

const set = (values: { commune_ids?: string[] | null; active?: boolean }) =>
  db.updateTable('app_sources').set(values).where('code', '=', 'site').execute()

test('restricted to another commune, no page shows what belongs to this one', async () => {
  await set({ commune_ids: [elsewhere.id] })
  try {
    for (const path of pages) {
      const { text, status } = await open(path)
      expect(text, path).not.toMatch(/Temoin|\/publications\/temoin|\/acteurs\/club"|\/acteurs\/club</)
      if (/^\/(communes\/ici|publications|acteurs|actes\/(?!racines)|groupes\/)/.test(path))
        expect(status, path).toBe(404)
    }
  } finally {
    await set({ commune_ids: null })
  }
})

test('switched off, each page is a 404', async () => {
  await set({ active: false })
  try {
    for (const path of pages) expect((await open(path)).status, path).toBe(404)
  } finally {
    await set({ active: true })
  }
})
