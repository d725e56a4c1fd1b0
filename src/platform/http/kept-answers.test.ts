import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { statementsAbout } from '../../../test/support/statements.ts'
import { openWorld } from '../../../test/support/world.ts'
import { watchChanges } from '../cache/changes.ts'
import { openSilenceableNetwork } from '../database/network.test-kit.ts'

const world = await openWorld({ keeps: true })
const { get, url, db, as, commune, acteur, database, changes } = world
const other = await openWorld({ keeps: true, database })
const admin = await as('admin')
const patience = { timeout: 30_000, interval: 10 }

/** Its name as it is answered, after what was written by SQL has been heard. */
const nameOf = async (id: string, of = world) => (await of.get(`/communes/${id}`)).body.data.nom
const heard = () => Promise.all([changes?.heard(), other.changes?.heard()])

/** Asked for until it is kept: the first time it is not yet. */
async function keep(path: string, call = {}) {
  await heard()
  await vi.waitFor(async () => {
    const made = await statementsAbout(/select/, () => get(path, call))
    expect(made).toEqual([])
  }, patience)
}

test('what is kept is answered without a statement: the same bytes, headers and ETag, an id of its own', async () => {
  const { id } = await commune({ nom: 'Attignat' })
  await heard()
  const first = await get(`/communes/${id}`)
  await keep(`/communes/${id}`)
  const again = await get(`/communes/${id}`)
  expect(again.text).toBe(first.text)
  const own = ({ headers }: typeof first) =>
    Object.fromEntries([...headers].filter(([name]) => name !== 'x-request-id' && name !== 'date'))
  expect(own(again)).toEqual(own(first))
  expect(again.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
  expect(again.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'))
  const etag = first.headers.get('etag') ?? ''
  const known = await get(`/communes/${id}`, { headers: { 'if-none-match': etag } })
  expect([known.status, known.text, known.headers.get('etag')]).toEqual([304, '', etag])
  expect(known.headers.get('content-type')).toBeNull()
})

test('what anything else is asked of is decided anew: HEAD, another origin, no application, no host', async () => {
  const { id } = await commune()
  await keep(`/communes/${id}`)
  const head = await fetch(`${url}/api/v1/communes/${id}`, {
    method: 'HEAD',
    headers: { 'x-app-source': 'public' },
  })
  expect([head.status, await head.text()]).toEqual([200, ''])
  expect((await get(`/communes/${id}`, { source: null })).status).toBe(400)
  const { headers } = await get(`/communes/${id}`, { headers: { origin: 'https://elsewhere.example.org' } })
  expect(headers.get('x-request-id')).not.toBeNull()
})

test('whoever changes something reads it changed at once, on the instance that answered; others within 250 ms', async () => {
  const { id } = await commune({ nom: 'Bény' })
  for (let turn = 0; turn < 10; turn++) {
    await keep(`/communes/${id}`)
    await nameOf(id, other)
    expect((await admin.patch(`/admin/communes/${id}`, { nom: `Bény ${turn}` })).status).toBe(200)
    const since = performance.now()
    expect(await nameOf(id)).toBe(`Bény ${turn}`)
    await vi.waitFor(async () => expect(await nameOf(id, other)).toBe(`Bény ${turn}`), patience)
    if (process.env.PARVIS_TEST_LONG) expect(performance.now() - since).toBeLessThan(250)
  }
})

test('what is read while it changes is never kept as it was', async () => {
  const { id } = await commune({ nom: 'Curtafond' })
  for (let turn = 0; turn < 20; turn++) {
    const reads = Array.from({ length: 8 }, () => nameOf(id))
    await admin.patch(`/admin/communes/${id}`, { nom: `Curtafond ${turn}` })
    await Promise.all(reads)
    expect(await nameOf(id)).toBe(`Curtafond ${turn}`)
  }
})

test('a restricted application has answers of its own, and one that is switched off none', async () => {
  const [inside, outside] = [await commune(), await commune()]
  const { id: acteur_id } = await acteur({ commune_id: inside.id, can_publish: true, valide: true })
  const body = { title: 'Un', body: 'Deux', acteur_id, commune_id: inside.id }
  expect((await admin.post('/publications', body)).status).toBe(201)
  const restrict = (communes: string[]) =>
    sql`insert into app_sources (code, label, commune_ids) values ('bresse', 'Bresse', ${communes})
      on conflict (code) do update set commune_ids = excluded.commune_ids`.execute(db)
  await restrict([inside.id])
  const total = async (source: string) =>
    (await get(`/publications?acteur_id=${acteur_id}`, { source })).body.meta.total
  await keep(`/publications?acteur_id=${acteur_id}`)
  await keep(`/publications?acteur_id=${acteur_id}`, { source: 'bresse' })
  expect([await total('public'), await total('bresse'), await total('BRESSE')]).toEqual([1, 1, 1])
  await restrict([outside.id])
  await heard()
  expect([await total('public'), await total('bresse')]).toEqual([1, 0])
  await sql`update app_sources set active = false where code = 'bresse'`.execute(db)
  await heard()
  expect(await get(`/publications?acteur_id=${acteur_id}`, { source: 'bresse' })).toBeError(
    403,
    'scope_violation',
  )
})

test('a publication appears when it is due, and is featured no longer when that ends, though nobody writes', async () => {
  const { id: acteur_id } = await acteur({ can_publish: true, valide: true })
  const soon = () => new Date(Date.now() + 1_500).toISOString()
  const post = async (values: object) =>
    (await admin.post('/publications', { title: 'Un', body: 'Deux', acteur_id, ...values })).body.data.id
  const featured = await post({})
  await admin.patch(`/admin/publications/${featured}/feature`, { en_avant: true, featured_until: soon() })
  const due = await post({ publie_le: soon() })
  const path = `/publications?acteur_id=${acteur_id}`
  const list = async () => {
    const { data, meta } = (await get(path)).body
    return [meta.total, data.find(({ id }: { id: string }) => id === featured)?.en_avant]
  }
  expect(await list()).toEqual([1, true])
  await vi.waitFor(async () => expect(await list()).toEqual([2, false]), { timeout: 30_000, interval: 50 })
  expect((await get(`/publications/${due}`)).status).toBe(200)
})

test('when the connection that hears is lost nothing is answered from memory, until it is back', async () => {
  const { id } = await commune({ nom: 'Dompierre' })
  await keep(`/communes/${id}`)
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = 'parvis-changes' and datname = current_database()`.execute(db)
  await vi.waitFor(() => expect(changes?.generationOf([])).toBeNull(), { timeout: 30_000, interval: 1 })
  await sql`update communes set nom = 'Dompierre-sur-Veyle' where id = ${id}`.execute(db)
  expect(await nameOf(id)).toBe('Dompierre-sur-Veyle')
  await vi.waitFor(() => expect(changes?.generationOf([])).not.toBeNull(), patience)
  expect(await nameOf(id)).toBe('Dompierre-sur-Veyle')
  await keep(`/communes/${id}`)
})

test('one that goes silent is noticed, and left', async () => {
  const { connection, fallSilent, speak } = await openSilenceableNetwork(database.service)
  const watched = watchChanges(connection, { warn: () => {} }, { askEveryMs: 20, answerMs: 300, retryMs: 20 })
  const hears = () => watched.generationOf([]) !== null
  await vi.waitFor(() => expect(hears()).toBe(true), patience)
  const before = watched.generationOf([]) ?? 0
  fallSilent()
  await vi.waitFor(() => expect(hears()).toBe(false), patience)
  // Nobody waits for long that what is written is heard.
  await watched.heard()
  speak()
  await vi.waitFor(() => expect(hears()).toBe(true), patience)
  expect(watched.generationOf([])).toBeGreaterThan(before)
  await watched.close()
  await sleep(1)
  expect(hears()).toBe(false)
})
