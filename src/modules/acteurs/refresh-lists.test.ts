import { beforeEach, expect, test } from 'vitest'
import { openWorld } from '../../../test/support/world.ts'
import { listAddresses } from '../../platform/http/listing/addresses.ts'
import { copyPublication, insertPublication } from '../publications/publications.test-kit.ts'
import { addressesOfPublications } from '../publications/reading/queries.ts'
import { refreshHandler, refreshJob, refreshLists, resumeRefreshesHandler } from './refresh-lists.ts'

const world = await openWorld()
const { as, user, client, acteur, commune, db, get, pool, url } = world
const admin = await as('admin')
const { signal } = new AbortController()

/** More than the batch that a change does itself. */
const many = 1_200
const event = { title: 'Grande pétanque', date_debut: '2031-05-04' }
let club = ''
let town = { id: '', slug: '' }
let first = ''

beforeEach(async () => {
  town = await commune()
  club = (await acteur({ commune_id: town.id, valide: true, can_publish: true })).id
  first = (await insertPublication(world, { acteur_id: club, commune_id: town.id, ...event })).id
  await copyPublication(world, first, many - 1)
})

const decide = (active: boolean) => admin.patch(`/admin/acteurs/${club}/active`, { active })
const progress = async () => (await admin.get(`/admin/acteurs/${club}`)).body.data.refreshing

async function refreshId(): Promise<string | undefined> {
  const row = await db
    .selectFrom('listing_refreshes')
    .select('id')
    .where('acteur_id', '=', club)
    .executeTakeFirst()
  return row?.id
}

const perform = (refreshId: string | undefined) =>
  refreshHandler(world).perform({ refreshId }, { id: 'job', attempt: 1, signal })

/** The refreshes with a job, oldest first. */
async function enqueued(): Promise<string[]> {
  const { rows } = await pool.query<{ key: string }>(
    'select singleton_key as key from pgboss.job where name = $1 order by created_on, id',
    [refreshJob.name],
  )
  return rows.map(({ key }) => key)
}

const totalOf = async (path: string): Promise<number> => {
  const { status, body } = await get(path)
  return status === 404 ? 0 : body.meta.total
}
const rowsOf = async (path: string): Promise<number> => (await get(path)).body.data.length

/** How many publications of the acteur, at most twenty for lists, each reader sees. */
async function seen(): Promise<Record<string, number>> {
  const inTown = `/communes/${town.id}/publications`
  const sitemap = await listAddresses(db, await addressesOfPublications(db, [town.id]), null, 2 * many)
  const page = await (await fetch(`${url}/communes/${town.slug}`)).text()
  return {
    'its list': await totalOf(`/acteurs/${club}/publications`),
    'the country': await totalOf(`/publications?acteur_id=${club}`),
    'the commune': await totalOf(inTown),
    'the agenda': await totalOf(`${inTown}?sort=date_debut_asc`),
    'the agenda from a day on': await totalOf(`${inTown}?sort=date_debut_asc&date_debut_min=2031-05-04`),
    'what is not over': await totalOf(`${inTown}?sort=date_debut_asc&date_fin_min=2031-05-04`),
    'some days': await totalOf(`${inTown}?date_debut_min=2031-05-04&date_debut_max=2031-05-05`),
    'a walk': await totalOf(`${inTown}?updated_since=2000-01-01T00:00:00Z`),
    sitemap: sitemap.length,
    'the first page': (await rowsOf(`${inTown}?per_page=20`)) * (many / 20),
    'the first page of a walk':
      (await rowsOf(`${inTown}?updated_since=2000-01-01T00:00:00Z&per_page=20`)) * (many / 20),
    'a search': (await rowsOf(`${inTown}?q=petanque&per_page=20`)) * (many / 20),
    'by id': (await get(`/publications/${first}`)).status === 200 ? many : 0,
    'the site': page.includes(event.title) ? many : 0,
  }
}

async function expectSeen(count: number): Promise<void> {
  for (const [reader, found] of Object.entries(await seen())) expect(found, reader).toBe(count)
}

/** The rows of stored lists of the acteur: one for the country and one for the commune each. */
async function storedRows(): Promise<number> {
  const { rows } = await pool.query('select from publication_listings where acteur_id = $1', [club])
  return rows.length
}

test('every reader sees at once that an acteur with many publications is hidden or shown, before any job', async () => {
  await expectSeen(many)
  expect((await decide(false)).status).toBe(200)
  await expectSeen(0)
  expect(await progress()).toEqual({ total: many, done: 500 })
  expect(await storedRows()).toBe(2 * (many - 500))
  await perform(await refreshId())
  expect(await progress()).toBeNull()
  expect(await storedRows()).toBe(0)
  await expectSeen(0)

  expect((await decide(true)).status).toBe(200)
  await expectSeen(many)
  expect(await progress()).toEqual({ total: many, done: 500 })
  await perform(await refreshId())
  expect(await storedRows()).toBe(2 * many)
  await expectSeen(many)
})

test('a deletion and its reversal do the same', async () => {
  expect((await admin.delete(`/admin/acteurs/${club}`)).status).toBe(200)
  await expectSeen(0)
  expect(await enqueued()).toContain(await refreshId())
  expect((await admin.delete(`/admin/acteurs/${club}/restore`)).status).toBe(200)
  await expectSeen(many)
  expect(await enqueued()).toContain(await refreshId())
})

test('a decision on several acteurs enqueues the job of each that needs one', async () => {
  const small = await acteur()
  const ids = [small.id, club]
  const before = (await enqueued()).length
  expect((await admin.patch('/admin/acteurs/bulk', { ids, active: false })).status).toBe(200)
  await expectSeen(0)
  expect((await enqueued()).slice(before)).toEqual([await refreshId()])
})

test('two decisions in a row end right, whichever job comes first', async () => {
  await decide(false)
  const earlier = await refreshId()
  await refreshLists(db, club, signalAfter(1)).catch(() => undefined)
  await decide(true)
  expect(await refreshId()).not.toBe(earlier)
  await expectSeen(many)
  // The job of the former decision finds nothing to do.
  await perform(earlier)
  expect(await progress()).toEqual({ total: many, done: 500 })
  await perform(await refreshId())
  expect(await storedRows()).toBe(2 * many)
  await expectSeen(many)
  // The feed never said `gone` of the publications that the first job had not reached.
  const { rows } = await pool.query(
    `select count(*) filter (where communes_after is null)::int as gone,
       count(*) filter (where communes_before is null)::int as published
     from publication_changes where publication_id in (select id from publications where acteur_id = $1)`,
    [club],
  )
  expect(rows).toEqual([{ gone: 1_000, published: many + 1_000 }])
})

test('publications created, edited and moved during the job are in the lists they belong to', async () => {
  const owner = await user({ memberships: [{ acteur: { id: club }, role: 'owner' }] })
  const author = client({ source: 'public', token: owner.token })
  await decide(false)
  await decide(true)
  const content = { title: 'Grande pétanque du soir', body: 'Sur la place.', acteur_id: club }
  const created = await author.post('/publications', { ...content, commune_id: town.id })
  expect(created.status).toBe(201)
  expect(await totalOf(`/acteurs/${club}/publications`)).toBe(many + 1)
  const other = await acteur({ valide: true })
  await db.updateTable('publications').set({ acteur_id: other.id }).where('id', '=', first).execute()
  expect(await totalOf(`/acteurs/${club}/publications`)).toBe(many)
  expect(await totalOf(`/acteurs/${other.id}/publications`)).toBe(1)
  const { id: createdId } = created.body.data
  expect((await author.patch(`/publications/${createdId}`, { title: 'Grande pétanque' })).status).toBe(200)
  await perform(await refreshId())
  expect(await totalOf(`/acteurs/${club}/publications`)).toBe(many)
  expect(await storedRows()).toBe(2 * many)
})

test('a job that fails or is lost leaves the readers right, and the sweep brings another', async () => {
  await decide(false)
  await pool.query('delete from pgboss.job where name = $1', [refreshJob.name])
  await resumeRefreshesHandler(world).perform({}, { id: 'job', attempt: 1, signal })
  expect(await enqueued()).toContain(await refreshId())
  await expectSeen(0)
})

test('decisions, jobs and writes that run concurrently leave what the last decision says', async () => {
  const rounds = process.env.PARVIS_TEST_LONG ? 20 : 3
  for (let round = 0; round < rounds; round++) {
    const work = () => refreshLists(db, club, signal, 100)
    await Promise.all([
      ...[decide(false), work(), decide(true), work(), decide(false), work(), decide(round % 2 === 0)],
      ...Array.from({ length: 5 }, () =>
        insertPublication(world, { acteur_id: club, commune_id: town.id, ...event }),
      ),
      pool.query(
        `with picked as (select id from publications where acteur_id = $1 order by id limit 5 for no key update)
         update publications set epingle = not epingle where id in (select id from picked)`,
        [club],
      ),
    ])
    const isActive = (await admin.get(`/admin/acteurs/${club}`)).body.data.active
    const all = many + 5 * (round + 1)
    expect(await totalOf(`/publications?acteur_id=${club}`)).toBe(isActive ? all : 0)
    await work()
    expect(await progress()).toBeNull()
    expect(await storedRows()).toBe(isActive ? 2 * all : 0)
    expect(await totalOf(`/publications?acteur_id=${club}`)).toBe(isActive ? all : 0)
    if (!isActive) await decide(true)
    await work()
  }
})

/** Lets this many batches pass, then aborts. */
function signalAfter(batches: number): AbortSignal {
  let begun = 0
  const throwIfAborted = () => {
    if (begun++ >= batches) throw new Error('killed')
  }
  return { throwIfAborted } as AbortSignal
}
