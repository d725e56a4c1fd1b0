import { createHmac } from 'node:crypto'
import type { Request } from './load/request.ts'
import { secret } from './service.ts'
import { rareWord, wordOf } from './words.ts'
import type { World } from './world.ts'

/** The goal of a scenario. */
export type Target =
  /** Requests per second as a ratio to a baseline, or to another scenario, in the same run. */
  | { atLeast: number; of: 'constant bytes' | 'by hand' | { scenario: string } }
  /** One client at a time, or a fixed rate. */
  | { p50Ms?: number; p99Ms?: number; rate?: number }
  /** One client at a time: a multiple of the median on a hundredth of the data, or of another scenario. */
  | { timesSmallSet: number }
  | { times: number; of: { scenario: string } }
  /** PostgreSQL time per request. */
  | { databaseMs: number }

export type Scenario = {
  name: string
  /** Called before each turn, because writes must be new. */
  requests: (world: World) => Request[]
  target: Target
  /** The cache answers; otherwise it is emptied before each turn, and a single request evades it. */
  warm?: boolean
  /** The client revalidates a response it already has. */
  revalidates?: boolean
  /** SQL that undoes the writes of the last turn. */
  before?: string
}

/** Returns the path of the request with this number: the same for all, or that of another record. */
type PathOf = (world: World, number: number) => string

/** Other than the opening view, these pages cannot be shared by concurrent requests. */
export const pendingPages = 'back-office, pages of what is pending'

/** More requests than a turn sends, so that none repeats. */
const aTurn = 20_000

/** Views of the back-office: the opening view, each single filter, each sort. */
const views: [name: string, query: PathOf][] = [
  ['opening view', () => 'moderation_status=pending'],
  ['everything', () => ''],
  ['moderation_status=rejected', () => 'moderation_status=rejected'],
  ['valide=false', () => 'valide=false'],
  ['visible=true', () => 'visible=true'],
  ['visible=false', () => 'visible=false'],
  ['en_avant=true', () => 'en_avant=true'],
  ['en_avant=false', () => 'en_avant=false'],
  ['reported=true', () => 'reported=true'],
  ['deleted=only', () => 'deleted=only'],
  ['duplicates=true', () => 'duplicates=true'],
  ['type_id', ({ typeId }) => `type_id=${typeId}`],
  ['commune_id', ({ smallCommune }) => `commune_id=${smallCommune}`],
  ['acteur_id', ({ smallActeur }) => `acteur_id=${smallActeur}`],
  ...['created_at', 'updated_at', 'publie_le', 'date_debut', 'titre'].flatMap((key) =>
    ['asc', 'desc'].map((way): [string, PathOf] => [`sort=${key}_${way}`, () => `sort=${key}_${way}`]),
  ),
]

/** All scenarios, in order. A new row is one line. */
export const scenarios: Scenario[] = [
  ...cached(
    'communes list',
    (_world, n) => `/communes?page=${1 + (n % 2_000)}&per_page=${15 + Math.floor(n / 2_000)}`,
  ),
  ...cached('commune by slug', ({ communes }, n) => `/communes/${at(communes, n).slug}`),
  ...cached('infos of a commune', ({ communes }, n) => `/communes/${at(communes, n).id}/infos`),
  // There is one: nobody reads it from PostgreSQL twice.
  inMemory('publication types', () => '/publications/types'),
  ...cached("a commune's publications", ({ communes }, n) => `/communes/${at(communes, n).id}/publications`),
  ...cached('one publication', ({ publications }, n) => `/publications/${at(publications, n)}`),
  {
    name: 'one publication, 304',
    requests: (world) => [get(world, `/publications/${world.publications[0]}`)],
    // Equal to the cached response within measurement noise.
    target: { atLeast: 0.95, of: { scenario: 'one publication, from memory' } },
    warm: true,
    revalidates: true,
  },

  lists("an acteur's publications", ({ acteurs }, n) => `/acteurs/${at(acteurs, n)}/publications`, 0.6),
  lists('search, at most 50 matches', ({ count }, n) => `/publications?q=${rareWord(count, n)}`, 0.8, 8_000),

  ...firstPages('publications', () => '/publications'),
  ...firstPages(
    'publications of a large commune',
    ({ bigCommune }) => `/communes/${bigCommune}/publications`,
  ),
  ...firstPages(
    'publications of the largest acteur',
    ({ bigActeur }) => `/acteurs/${bigActeur}/publications`,
  ),
  ...firstPages('publications of a type', ({ typeId }) => `/publications?type_id=${typeId}`),
  timed('agenda, page 1', ({ day }) => `/publications?sort=date_debut_asc&date_fin_min=${day}`, {
    p50Ms: 10,
  }),
  ...firstPages('communes of a département', () => '/communes?departement=38'),
  ...firstPages('acteurs of a commune', ({ bigCommune }) => `/communes/${bigCommune}/acteurs`),

  fromMemory("site, a commune's page", ({ communeSlug }) => `/communes/${communeSlug}`),
  ofSite("site, a commune's page", ({ communeSlug }) => `/communes/${communeSlug}`, { p50Ms: 15 }),
  fromMemory("site, a commune's feed", ({ communeSlug }) => `/communes/${communeSlug}/publications.atom`),
  ofSite('site, calendar of a large commune', ({ communeSlug }) => `/communes/${communeSlug}/agenda.ics`, {
    p50Ms: 20,
  }),

  timed('search, 10 000 matches of a million', () => '/publications?q=loto%20m%C3%A9diath%C3%A8que', {
    p50Ms: 20,
  }),
  timed('search, a third of all', () => '/publications?q=dimanche', { p50Ms: 100 }),
  timed('search, a beginning of a word', () => `/publications?q=${wordOf(3_000).slice(0, 4)}`, { p50Ms: 50 }),

  ...views.map(([name, query]): Scenario => {
    const requests = (world: World) => [get(world, `/admin/publications?${query(world, 0)}`)]
    return {
      name: `back-office, ${name}`,
      requests,
      target: { timesSmallSet: name === 'reported=true' ? 1.5 : 2 },
    }
  }),
  {
    name: 'back-office, page 1 of each of these, 50 a second',
    requests: (world) => views.map(([, query]) => get(world, `/admin/publications?${query(world, 0)}`)),
    target: { p99Ms: 50, rate: 50 },
  },
  {
    name: pendingPages,
    requests: (world) =>
      times(200, (n) => get(world, `/admin/publications?moderation_status=pending&page=${n + 1}`)),
    target: { atLeast: 0.8, of: 'by hand' },
  },
  timed('back-office, three filters', threeFilters, { p50Ms: 50 }),
  timed('back-office, page 100', () => '/admin/publications?page=100', { p50Ms: 50 }),
  timed('back-office, last page', lastPage, { p50Ms: 50 }),
  timed('back-office, page 10 000 of the whole', ({ count }) => pageOf(Math.min(10_000, count / 50)), {
    p99Ms: 50,
  }),
  {
    name: 'back-office, everything with its total',
    requests: (world) => [get(world, '/admin/publications')],
    target: { atLeast: 10, of: 'by hand' },
  },
  {
    name: 'back-office, opening view with its total',
    requests: (world) => [get(world, '/admin/publications?moderation_status=pending')],
    target: { atLeast: 1.5, of: 'by hand' },
  },
  timed('search of all areas, one letter', () => '/admin/search?q=m', { p50Ms: 50 }),
  timed('search of all areas, a common word', () => '/admin/search?q=dimanche', { p50Ms: 50 }),
  timed('search of all areas, a mail address', () => '/admin/search?q=zoe%40example.org', { p50Ms: 50 }),
  timed('search of all areas, an INSEE code', () => '/admin/search?q=38185', { p50Ms: 50 }),
  timed('back-office, the longest reported first', () => '/admin/publications?sort=oldest_report_asc', {
    p50Ms: 50,
  }),
  timed(
    'back-office, a hundred unsettled duplicates',
    () => '/admin/publications?duplicates=true&unsettled=true&sort=created_at_asc&per_page=100',
    { p50Ms: 50 },
  ),
  timed('dashboard', () => '/admin/dashboard', { p50Ms: 5 }),
  {
    name: 'who am I, with a token',
    requests: (world) => [{ method: 'GET', path: '/api/v1/me', headers: asAdmin(world) }],
    target: { p50Ms: 5 },
    // The route has no parameter that could distinguish requests; its response is not cached.
    warm: true,
  },
  {
    name: 'who am I, with a session',
    requests: ({ session }) => [
      { method: 'GET', path: '/api/v1/me', headers: { cookie: `parvis_session=${session}` } },
    ],
    target: { atLeast: 0.9, of: { scenario: 'who am I, with a token' } },
    warm: true,
  },

  {
    name: 'create a publication',
    requests: newPublications,
    target: { atLeast: 0.5, of: 'by hand' },
  },
  { name: 'create a publication, in PostgreSQL', requests: newPublications, target: { databaseMs: 1 } },
  { name: 'moderate one', requests: moderations, target: { atLeast: 0.6, of: 'by hand' } },
  {
    name: 'moderate a hundred at once',
    requests: bulkModerations,
    target: { times: 8, of: { scenario: 'moderate one' } },
  },
  {
    name: 'claim an acteur',
    requests: claims,
    target: { atLeast: 0.6, of: 'by hand' },
    before: "delete from claims where nom = 'Bench'",
  },
  {
    name: 'report a publication',
    requests: reports,
    target: { atLeast: 0.6, of: 'by hand' },
    before: "delete from publication_reports where reason = 'bench'",
  },
  { name: 'webhook deliveries', requests: deliveries, target: { atLeast: 0.6, of: 'by hand' } },
]

export function scenarioNamed(name: string): Scenario {
  const found = scenarios.find((each) => each.name === name)
  if (found === undefined) throw new Error(`no scenario ${name}`)
  return found
}

/** Run after a national sync has filled the catalogue. */
export const defibrillateurScenarios: Scenario[] = [
  {
    name: 'nearest defibrillators',
    requests: (world) => [get(world, '/defibrillateurs?lat=45.19&lon=5.72')],
    target: { atLeast: 0.7, of: 'by hand' },
  },
  {
    name: 'search in the catalogue',
    requests: (world) => [get(world, '/defibrillateurs?q=gymnase%201234')],
    target: { atLeast: 0.7, of: 'by hand' },
  },
  timed('map of all defibrillators', () => '/admin/defibrillateurs-france/map?bbox=-5.5,41,10,51.5&zoom=5', {
    p50Ms: 50,
  }),
]

/** Compares a cached read with constant bytes, and reads of other records, uncached, with the hand-written baseline. */
function cached(name: string, path: PathOf): Scenario[] {
  return [inMemory(name, path), lists(name, path, 0.8)]
}

function inMemory(name: string, path: PathOf): Scenario {
  const requests = (world: World) => [get(world, path(world, 0))]
  return {
    name: `${name}, from memory`,
    requests,
    target: { atLeast: 0.6, of: 'constant bytes' },
    warm: true,
  }
}

/** A page, feed or calendar of the public site, read by a browser. */
function ofSite(name: string, path: PathOf, target: Target): Scenario {
  const headers = { accept: 'text/html' }
  return { name, requests: (world) => [{ method: 'GET', path: path(world, 0), headers }], target }
}

function fromMemory(name: string, path: PathOf): Scenario {
  const target = { atLeast: 0.6, of: 'constant bytes' } as const
  return { ...ofSite(`${name}, from memory`, path, target), warm: true }
}

/** Reads of as many records as a turn asks for, so that the cache answers none of them. */
function lists(name: string, path: PathOf, atLeast: number, count = aTurn): Scenario {
  const requests = (world: World) => times(count, (n) => get(world, path(world, n)))
  return { name, requests, target: { atLeast, of: 'by hand' } }
}

function firstPages(name: string, path: PathOf): Scenario[] {
  return [timed(`${name}, page 1`, path, { p50Ms: 3, p99Ms: 15 })]
}

function timed(name: string, path: PathOf, target: { p50Ms?: number; p99Ms?: number }): Scenario {
  return { name, requests: (world) => [get(world, path(world, 0))], target }
}

function threeFilters({ typeId, bigCommune }: World): string {
  return `/admin/publications?type_id=${typeId}&commune_id=${bigCommune}&visible=true&sort=titre_asc`
}
function lastPage({ count }: World): string {
  // Some publications are deleted.
  return pageOf(Math.floor((count * 0.975) / 25))
}
/** Pages end with row 50 000. */
const pageOf = (page: number) => `/admin/publications?page=${Math.min(2_000, Math.max(1, Math.floor(page)))}`

const plain = { 'x-app-source': 'public' }

function get({ token }: World, path: string): Request {
  const isAdmin = path.startsWith('/admin')
  const headers = isAdmin ? { 'x-app-source': 'backoffice', authorization: `Bearer ${token}` } : plain
  return { method: 'GET', path: `/api/v1${path}`, headers }
}

function write(
  method: 'POST' | 'PATCH',
  path: string,
  body: object,
  headers: Record<string, string>,
): Request {
  const json = { 'content-type': 'application/json' }
  return { method, path: `/api/v1${path}`, headers: { ...headers, ...json }, body: JSON.stringify(body) }
}

const asAdmin = ({ token }: World) => ({ 'x-app-source': 'backoffice', authorization: `Bearer ${token}` })
const times = <T>(count: number, make: (at: number) => T) =>
  Array.from({ length: count }, (_, at) => make(at))
function at<T>(values: T[], number: number): T {
  const value = values[number % values.length]
  if (value === undefined) throw new Error('the data lacks what the scenario needs')
  return value
}

function newPublications(world: World): Request[] {
  return times(aTurn, () => {
    const number = world.next()
    const acteur_id = at(world.publishing, number)
    const said =
      'Rendez-vous samedi à partir de dix heures devant la mairie, avec buvette et restauration sur place.'
    const body = {
      acteur_id,
      title: `Fête du village ${number}`,
      body: `${said} ${said}`,
      commune_id: world.smallCommune,
    }
    return write('POST', '/publications', body, asAdmin(world))
  })
}

/** Rejects a group of publications, publishes it again, then takes the next group. */
function moderations(world: World): Request[] {
  const group = 500
  return times(aTurn, (n) => {
    const id = at(world.moderated, Math.floor(n / (2 * group)) * group + (n % group))
    const moderation_status = Math.floor(n / group) % 2 === 0 ? 'rejected' : 'published'
    return write('PATCH', `/admin/publications/${id}/moderate`, { moderation_status }, asAdmin(world))
  })
}

function bulkModerations(world: World): Request[] {
  return times(400, (n) => {
    const first = (Math.floor(n / 2) * 100) % Math.max(100, world.moderated.length - 100)
    const ids = world.moderated.slice(first, first + 100)
    const moderation_status = n % 2 === 0 ? 'rejected' : 'published'
    return write('PATCH', '/admin/publications/bulk/moderate', { ids, moderation_status }, asAdmin(world))
  })
}

function claims({ unclaimed }: World): Request[] {
  const body = { message: 'Je préside l’association.', nom: 'Bench', email: 'bench@example.org' }
  return unclaimed.map((acteur_id) => write('POST', '/claims', { acteur_id, ...body }, plain))
}

function reports({ publications }: World): Request[] {
  const body = { category: 'spam', reason: 'bench' }
  return publications.map((id) => write('POST', `/publications/${id}/report`, body, plain))
}

function deliveries(world: World): Request[] {
  const seconds = Math.floor(Date.now() / 1_000)
  return times(aTurn, () => {
    const number = world.next()
    const object = {
      id: `sub_${number % 5_000}`,
      customer: `cus_${number % 5_000}`,
      status: 'active',
      items: {
        data: [
          { price: { id: 'price_1' }, current_period_start: seconds, current_period_end: seconds + 86_400 },
        ],
      },
      metadata: { acteur_id: at(world.publishing, number % 5_000) },
    }
    const event = {
      id: `evt_${seconds}_${number}`,
      type: 'customer.subscription.updated',
      created: seconds,
      data: { object },
    }
    const signature = createHmac('sha256', secret)
      .update(`${seconds}.${JSON.stringify(event)}`)
      .digest('hex')
    return write('POST', '/webhooks/payment', event, { 'payment-signature': `t=${seconds},v1=${signature}` })
  })
}
