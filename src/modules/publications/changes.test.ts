import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { fc } from '../../../test/support/fast-check.ts'
import { explain, gatherStatistics, readWhole, visitedBy, watch } from '../../../test/support/plans.ts'
import { openWorld, run } from '../../../test/support/world.ts'
import { writeCursor } from '../../platform/http/listing/cursor.ts'
import { deleteOldChanges, findLastScanned, listChanges, readSpan } from './changes.ts'
import { insertPublication, openAssociation } from './publications.test-kit.ts'

const world = await openWorld()
const { db, get, client, acteur, commune, as, pool, database } = world
const admin = await as('admin')
const towns = [await commune(), await commune(), await commune()]
await db
  .insertInto('app_sources')
  .values({ code: 'restricted', label: 'Two towns', commune_ids: towns.slice(0, 2).map(({ id }) => id) })
  .execute()
const restricted = client({ source: 'restricted' })

type Change = { id: string; change: 'published' | 'changed' | 'gone'; at: string }
type Reader = Pick<typeof restricted, 'get'>

/** Walks from a cursor to the end. */
async function walk(since: string, reader: Reader = { get }, perPage = 100) {
  const changes: Change[] = []
  for (let cursor = since; ; ) {
    const { status, body } = await reader.get(`/publications/changes?since=${cursor}&per_page=${perPage}`)
    expect(status).toBe(200)
    changes.push(...body.data)
    if (!body.meta.more) return { changes, next: body.meta.next as string }
    cursor = body.meta.next
  }
}
const here = async () => (await walk(new Date(Date.now() - 1_000).toISOString())).next
/** The changes of some publications since a cursor. */
async function since(cursor: string, ids: string[], reader?: Reader) {
  const { changes } = await walk(cursor, reader)
  return changes.filter(({ id }) => ids.includes(id)).map(({ id, change }) => [ids.indexOf(id), change])
}

test('GET /publications/changes returns 200 with additions, changes and removals, in order', async () => {
  const { asOwner, content, acteur } = await openAssociation(world, { can_publish: true })
  const cursor = await here()
  const { id } = (await asOwner.post('/publications', content)).body.data
  const other = (await asOwner.post('/publications', { ...content, title: 'Autre' })).body.data.id
  await asOwner.patch(`/publications/${id}`, { title: 'Fête de la poire' })
  await asOwner.delete(`/publications/${id}`)
  await admin.patch(`/admin/publications/${id}/restore`)
  await admin.patch(`/admin/publications/${id}/valide`, { valide: false })
  await admin.patch(`/admin/publications/${id}/valide`, { valide: true })
  await admin.patch(`/admin/acteurs/${acteur.id}/active`, { active: false })
  await admin.patch(`/admin/acteurs/${acteur.id}/active`, { active: true })
  await admin.delete(`/admin/acteurs/${acteur.id}`)
  const seen = await since(cursor, [id, other])
  expect(seen.slice(0, 7)).toEqual([
    [0, 'published'],
    [1, 'published'],
    [0, 'changed'],
    [0, 'gone'],
    [0, 'published'],
    [0, 'gone'],
    [0, 'published'],
  ])
  for (const change of ['gone', 'published', 'gone'])
    expect(seen.splice(7, 2).toSorted()).toEqual([
      [0, change],
      [1, change],
    ])
  expect(seen).toHaveLength(7)
  const { body } = await get(`/publications/changes?since=${cursor}&per_page=1`)
  expect(body).toEqual({
    data: [{ kind: 'publication', id, change: 'published', at: expect.stringMatching(/^\d{4}-.*Z$/) }],
    meta: { next: expect.any(String), more: true },
  })
})

test('the feed contains no pending publications and no non-public fields', async () => {
  const { asOwner, content } = await openAssociation(world)
  const cursor = await here()
  const { id } = (await asOwner.post('/publications', content)).body.data
  await asOwner.patch(`/publications/${id}`, { title: 'Encore' })
  expect(await since(cursor, [id])).toEqual([])
})

test('a scheduled publication appears when it is due, not before, and not once it is unscheduled', async () => {
  const { asOwner, content } = await openAssociation(world)
  const make = async () => (await asOwner.post('/publications', content)).body.data.id as string
  const schedule = (id: string, publie_le: string | null) =>
    admin.patch(`/admin/publications/${id}/moderate`, { moderation_status: 'approved', publie_le })
  const cursor = await here()
  const [kept, dropped, moved] = [await make(), await make(), await make()]
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString()
  for (const id of [kept, dropped, moved]) expect((await schedule(id, tomorrow)).status).toBe(200)
  await asOwner.patch(`/publications/${kept}`, { title: 'Autrement' })
  expect(await since(cursor, [kept, dropped, moved])).toEqual([])
  expect((await schedule(dropped, null)).status).toBe(200)
  expect((await schedule(moved, '2098-01-01T00:00:00.000Z')).status).toBe(200)
  const soon = new Date(Date.now() + 3_000).toISOString()
  await schedule(kept, soon)
  await expect.poll(() => since(cursor, [kept, dropped, moved])).toEqual([[0, 'published']])
  const { changes } = await walk(cursor)
  expect(changes.find(({ id }) => id === kept)?.at).toBe(soon)
})

test('an application restricted to communes sees publications enter and leave its communes', async () => {
  const [one, two, three] = towns.map(({ id }) => id) as [string, string, string]
  const cursor = await here()
  const row = await insertPublication(world, { commune_id: three })
  const move = async (...ids: string[]) =>
    db.transaction().execute(async (tx) => {
      await tx.deleteFrom('publication_communes').where('publication_id', '=', row.id).execute()
      const links = ids.map((commune_id) => ({ publication_id: row.id, commune_id }))
      await tx.insertInto('publication_communes').values(links).execute()
      await tx
        .updateTable('publications')
        .set({ version: sql`version + 1` })
        .where('id', '=', row.id)
        .execute()
    })
  await move(one)
  await move(two)
  await move(two, three)
  await move(three)
  expect((await since(cursor, [row.id])).map(([, change]) => change)).toEqual([
    'published',
    // A separate transaction attaches it to its commune.
    'changed',
    ...Array(4).fill('changed'),
  ])
  expect((await since(cursor, [row.id], restricted)).map(([, change]) => change)).toEqual([
    'published',
    'changed',
    'changed',
    'gone',
  ])
})

test('a change that commits after a later one is not skipped', async () => {
  const cursor = await here()
  const late = await db.startTransaction().execute()
  const first = await insertPublication({ db: late } as never)
  const second = await insertPublication(world)
  // The feed waits for the transaction that is running.
  const before = await walk(cursor)
  expect(before.changes.map(({ id }) => id)).not.toContain(first.id)
  await late.commit().execute()
  const after = await walk(before.next)
  const seen = [...before.changes, ...after.changes].map(({ id }) => id)
  expect(seen.filter((id) => id === first.id || id === second.id)).toEqual([first.id, second.id])
})

test('a copy begun with the present time, or with a clock ahead, misses no change that was under way', async () => {
  const late = await db.startTransaction().execute()
  const { id } = await insertPublication({ db: late } as never)
  const later = (ms: number) => new Date(Date.now() + ms).toISOString()
  const cursors = [await walk(later(1_000)), await walk(later(3_600_000))].map(({ next }) => next)
  await late.commit().execute()
  for (const cursor of cursors) expect(await since(cursor, [id])).toEqual([[0, 'published']])
})

test('a rolled back transaction adds nothing to the feed and no longer delays it', async () => {
  const cursor = await here()
  const undone = await db.startTransaction().execute()
  const { id } = await insertPublication({ db: undone } as never)
  await undone.rollback().execute()
  const other = await insertPublication(world)
  expect(await since(cursor, [id, other.id])).toEqual([[1, 'published']])
})

test('a client polling during ten concurrent writers ends with the complete list, restricted or not', async () => {
  const start = await here()
  const copies = [new Set<string>(), new Set<string>()]
  const readers: Reader[] = [{ get }, restricted]
  const cursors = [start, start]
  async function poll() {
    for (const [n, reader] of readers.entries()) {
      const { changes, next } = await walk(cursors[n] ?? '', reader, 7)
      for (const { id, change } of changes) {
        if (change === 'gone') copies[n]?.delete(id)
        else copies[n]?.add(id)
      }
      cursors[n] = next
    }
  }
  const acteurs = await Promise.all(Array.from({ length: 3 }, () => acteur()))
  const ids: string[] = []
  const random = fc.sample(fc.nat(1_000), 400)
  const pick = <T>(from: readonly T[]) => from[(random.pop() ?? 0) % from.length] as T
  let isWriting = true
  async function write() {
    for (let n = 0; n < 12; n++) {
      const tx = await db.startTransaction().execute()
      const kind = pick(['insert', 'insert', 'edit', 'hide', 'show', 'acteur', 'schedule'])
      const id = ids.length === 0 ? null : pick(ids)
      if (kind === 'insert' || id === null) {
        const made = { acteur_id: pick(acteurs).id, commune_id: pick(towns).id }
        ids.push((await insertPublication({ db: tx } as never, made)).id)
      } else if (kind === 'acteur') {
        const { id } = pick(acteurs)
        await tx.updateTable('acteurs').set({ active: sql`not active` }).where('id', '=', id).execute()
      } else {
        const values = {
          edit: { title: `Titre ${n}` },
          hide: { valide: false },
          show: { valide: true },
          schedule: { publie_le: sql<Date>`clock_timestamp() + interval '300 ms'` },
        }[kind as 'edit']
        await tx.updateTable('publications').set(values).where('id', '=', id).execute()
      }
      await new Promise((resolve) => setTimeout(resolve, pick([0, 1, 5, 20])))
      await tx.commit().execute()
    }
  }
  const reading = (async () => {
    while (isWriting) await poll()
  })()
  // Writers that lock in any order may deadlock; real ones would retry.
  await Promise.all(Array.from({ length: 10 }, () => write().catch(() => {})))
  isWriting = false
  await reading
  expect(ids.length).toBeGreaterThan(20)
  const shown = async (reader: Reader) => {
    const shownIds = []
    for (let page = 1; ; page++) {
      const { body } = await reader.get(`/publications?per_page=100&page=${page}`)
      shownIds.push(...body.data.map(({ id }: { id: string }) => id))
      if (page >= body.meta.last_page) return shownIds.filter((id) => ids.includes(id)).sort()
    }
  }
  // Compared at the same moment, because scheduled ones may appear in both meanwhile.
  for (const [n, reader] of readers.entries()) {
    const difference = async () => {
      await poll()
      const copy = [...(copies[n] ?? [])].filter((id) => ids.includes(id)).sort()
      const list = await shown(reader)
      return [copy.filter((id) => !list.includes(id)), list.filter((id) => !copy.includes(id))]
    }
    await expect.poll(difference).toEqual([[], []])
  }
  // Scheduled publications appear before the next test begins.
  const scheduled = sql`
    select from publication_changes where at between clock_timestamp() and clock_timestamp() + interval '1 second'`
  await expect.poll(async () => (await scheduled.execute(db)).rows).toEqual([])
}, 60_000)

test.each([
  'nonsense',
  '',
  writeCursor({ at: '2026-13-45T00:00:00.000000Z', id: '1' }),
  '2026-02-31T00:00:00Z',
  '2026-11-20T08:30:00-16:00',
  writeCursor({ at: '2026-11-20T08:30:00+16:00', id: '1' }),
])('GET /publications/changes returns 422 for the cursor %j', async (cursor) => {
  const answer = await get(`/publications/changes?since=${cursor}`)
  expect(answer).toBeError(422, 'validation_failed')
  expect(answer.body.details[0].field).toBe('since')
})

test('GET /publications/changes returns 422 for a cursor older than 30 days (changes are deleted)', async () => {
  const { id } = await insertPublication(world)
  const ago = (days: number) => new Date(Date.now() - days * 86_400_000)
  await db
    .updateTable('publication_changes')
    .set({ at: ago(31) })
    .where('publication_id', '=', id)
    .execute()
  const answer = await get(`/publications/changes?since=${ago(30.1).toISOString()}`)
  expect(answer).toBeError(422, 'validation_failed')
  expect(answer.body.details).toEqual([
    { field: 'since', message: 'is older than 30 days: copy the lists again' },
  ])
  expect((await get(`/publications/changes?since=${ago(29.9).toISOString()}`)).status).toBe(200)
  const first = await get('/publications/changes?per_page=1')
  expect(first.body.data[0].id).not.toBe(id)
  expect(await deleteOldChanges(db, 100)).toBe(1)
  expect(await deleteOldChanges(db, 100)).toBe(0)
})

test('at the end the response is the same until a change; the cursor advances after an idle day', async () => {
  const { next } = await walk(await here())
  const path = `/publications/changes?since=${next}`
  const answer = await get(path)
  expect(answer.body).toEqual({ data: [], meta: { next, more: false } })
  const headers = { 'if-none-match': answer.headers.get('etag') ?? '' }
  expect((await get(path, { headers })).status).toBe(304)
  await insertPublication(world)
  expect((await get(path, { headers })).status).toBe(200)
  // The feed is empty, as if nothing had happened since.
  await run(database.owner, 'truncate publication_changes')
  const old = writeCursor({ at: new Date(Date.now() - 25 * 3_600_000).toISOString(), id: '7' })
  const moved = (await get(`/publications/changes?since=${old}`)).body.meta.next
  const [at = ''] = Buffer.from(moved, 'base64url').toString().split(' ')
  expect(Date.parse(at)).toBeGreaterThan(Date.now() - 2 * 3_600_000)
  const { id } = await insertPublication(world)
  expect(await since(moved, [id])).toEqual([[0, 'published']])
})

test('a response reads a limited part of the feed by its index, however many changes it skips', async () => {
  await run(
    database.owner,
    `insert into publication_changes (publication_id, at, communes_after, began_at)
     select gen_random_uuid(), now() - interval '20 days' + n * interval '1 second', '{}', now() + n * interval '1 ms'
     from generate_series(1, 20000) n;
     insert into alerte_changes (alerte_id, at, communes_after)
     select gen_random_uuid(), now() - interval '20 days' + n * interval '1 second', '{}'
     from generate_series(1, 20000) n`,
  )
  await gatherStatistics(database, ['publication_changes', 'alerte_changes'])
  const { db: watched, statements } = watch(pool)
  const { oldest, horizon } = await readSpan(watched, null)
  const from = { at: oldest, id: '0' }
  const communeIds = towns.slice(0, 1).map(({ id }) => id)
  await listChanges(watched, { from, horizon, communeIds }, 100)
  await listChanges(watched, { from, horizon, communeIds: null }, 100)
  for (const kind of [undefined, 'publication', 'alerte'] as const)
    expect(await findLastScanned(watched, { from, horizon, kind })).not.toBe(null)
  const reads = statements.filter(({ sql }) => /_changes"\s/.test(sql))
  expect(reads).toHaveLength(5)
  for (const statement of reads) {
    const steps = await explain(pool, statement)
    expect(readWhole(steps)).toEqual([])
    expect(Math.max(...steps.map(visitedBy))).toBeLessThanOrEqual(5_001)
  }
  await insertPublication(world, { commune_id: towns[0]?.id ?? '' })
  const { changes } = await walk(new Date(Date.now() - 25 * 86_400_000).toISOString(), restricted)
  expect(changes.length).toBeGreaterThan(0)
})
