import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { untilWaiting } from '../../../test/support/locks.ts'
import { openWorld } from '../../../test/support/world.ts'
import type { Database } from '../../platform/database/connect.ts'
import { uuidv7 } from '../../platform/formats/uuid.ts'
import { deleteOldChanges } from './changes.ts'
import { insertPublication } from './publications.test-kit.ts'

const world = await openWorld()
const { db, get, client, acteur, commune, as } = world
const admin = await as('admin')

type Change = { kind: string; id: string; change: string; at: string; commune_ids?: string[] }
type Reader = Pick<typeof admin, 'get'>

/** Walks from a cursor to the end. */
async function walk(since: string, query = '', reader: Reader = { get }) {
  const changes: Change[] = []
  for (let cursor = since; ; ) {
    const { status, body } = await reader.get(`/publications/changes?since=${cursor}${query}`)
    expect(status).toBe(200)
    changes.push(...body.data)
    if (!body.meta.more) return { changes, next: body.meta.next as string }
    cursor = body.meta.next
  }
}
const here = async () => (await walk(new Date(Date.now() - 1_000).toISOString())).next

/** The changes of an alerte since a cursor, with the communes that they name. */
async function since(cursor: string, alerteId: string, reader?: Reader) {
  const { changes } = await walk(cursor, '', reader)
  return changes
    .filter(({ kind, id }) => kind === 'alerte' && id === alerteId)
    .map(({ change, commune_ids }) => [change, commune_ids])
}

const alerte = { titre: 'Coupure d’eau', message: 'Jeudi de 8 h à midi.', niveau: 'info' }
const insertAlerte = async (values: object, on: Database = db) => {
  const id = uuidv7()
  await on
    .insertInto('alertes')
    .values({ id, ...alerte, ...values })
    .execute()
  return id
}
/** A mairie with as many communes. */
async function openMairie(communes: number) {
  const { id } = await acteur({ type: 'mairie' })
  const ids: string[] = []
  for (let n = 0; n < communes; n++) ids.push((await commune({ mairie_actor_id: id })).id)
  return { id, communeIds: ids.toSorted() }
}
/** An application restricted to this commune. */
async function restrictedTo(communeId: string) {
  const code = `only-${communeId.slice(-8)}`
  await db
    .insertInto('app_sources')
    .values({ code, label: 'One commune', commune_ids: [communeId] })
    .execute()
  return client({ source: code })
}

test('GET /publications/changes returns an alerte when it is made, corrected, ended and withdrawn', async () => {
  const { id: communeId } = await commune()
  const cursor = await here()
  const path = `/mairie/communes/${communeId}/alertes`
  const { id, version } = (await admin.post(path, alerte)).body.data
  expect(version).toBe(1)
  await admin.patch(`/admin/alertes/${id}`, { titre: 'Coupure d’eau prolongée' })
  await admin.patch(`/admin/alertes/${id}`, { fin: new Date(Date.now() - 60_000).toISOString() })
  await admin.patch(`/admin/alertes/${id}`, { fin: null })
  await admin.delete(`/admin/alertes/${id}`)
  expect(await since(cursor, id)).toEqual([
    ['published', [communeId]],
    ['changed', [communeId]],
    ['gone', [communeId]],
    ['published', [communeId]],
    ['gone', [communeId]],
  ])
  expect((await get(`/publications/changes?since=${cursor}&per_page=1`)).body).toEqual({
    data: [
      {
        kind: 'alerte',
        id,
        change: 'published',
        at: expect.stringMatching(/^\d{4}-.*Z$/),
        commune_ids: [communeId],
      },
    ],
    meta: { next: expect.any(String), more: true },
  })
})

test('one cursor reads publications and alertes in the order of time; kind selects one of them', async () => {
  const { id: commune_id } = await commune()
  const cursor = await here()
  const first = await insertPublication(world, { commune_id })
  const second = await insertAlerte({ commune_id })
  const third = await insertPublication(world)
  const ids = async (query: string) => {
    const { changes } = await walk(cursor, query)
    return [...new Set(changes.map(({ id }) => id))]
  }
  expect(await ids('')).toEqual([first.id, second, third.id])
  expect(await ids('&per_page=1')).toEqual([first.id, second, third.id])
  expect(await ids('&kind=publication')).toEqual([first.id, third.id])
  expect(await ids('&kind=alerte')).toEqual([second])
  const refused = await get(`/publications/changes?kind=acteur`)
  expect(refused).toBeError(422, 'validation_failed')
  const { changes } = await walk(cursor)
  expect(changes.filter(({ kind }) => kind === 'publication').every((one) => !('commune_ids' in one))).toBe(
    true,
  )
})

test('changes of the same time are all returned, whatever the page size', async () => {
  const { id: commune_id } = await commune()
  const at = new Date(Date.now() - 3_600_000)
  const ids = [
    (await insertPublication(world)).id,
    await insertAlerte({ commune_id }),
    (await insertPublication(world)).id,
  ]
  await db.updateTable('publication_changes').set({ at }).where('publication_id', 'in', ids).execute()
  await db.updateTable('alerte_changes').set({ at }).where('alerte_id', 'in', ids).execute()
  const { changes } = await walk(new Date(at.getTime() - 1).toISOString(), '&per_page=1')
  expect(changes.map(({ id }) => id).filter((id) => ids.includes(id))).toEqual(ids)
})

test('an alerte appears when it begins and disappears when it ends, without a request', async () => {
  const { id: commune_id } = await commune()
  const cursor = await here()
  const soon = (ms: number) => new Date(Date.now() + ms)
  const debut = soon(1_500)
  const fin = soon(3_000)
  const id = await insertAlerte({ commune_id, debut, fin })
  const moved = await insertAlerte({ commune_id, debut, fin })
  await db
    .updateTable('alertes')
    .set({ debut: soon(3_600_000), fin: null })
    .where('id', '=', moved)
    .execute()
  expect(await since(cursor, id)).toEqual([])
  await expect
    .poll(() => since(cursor, id), { timeout: 10_000 })
    .toEqual([
      ['published', [commune_id]],
      ['gone', [commune_id]],
    ])
  const { changes } = await walk(cursor)
  expect(changes.filter((one) => one.id === id).map(({ at }) => at)).toEqual([
    debut.toISOString(),
    fin.toISOString(),
  ])
  expect(changes.map((one) => one.id)).not.toContain(moved)
})

test('a reminder by mail, and an alerte that has ended, add nothing to the feed', async () => {
  const { id: commune_id } = await commune()
  const cursor = await here()
  const past = new Date(Date.now() - 60_000)
  const ended = await insertAlerte({ commune_id, fin: past })
  await db.updateTable('alertes').set({ titre: 'Autre' }).where('id', '=', ended).execute()
  await db.deleteFrom('alertes').where('id', '=', ended).execute()
  expect(await since(cursor, ended)).toEqual([])
  const id = await insertAlerte({ commune_id })
  const values = { email_status: 'queued', email_status_at: past }
  await db.updateTable('alertes').set(values).where('id', '=', id).execute()
  expect(await since(cursor, id)).toEqual([['published', [commune_id]]])
})

test('the alertes of a mairie follow its communes and its visibility, for each application', async () => {
  const { id: acteur_id, communeIds } = await openMairie(2)
  const [first = '', second = ''] = communeIds
  const other = await openMairie(0)
  const readers = [await restrictedTo(first), await restrictedTo(second)] as const
  const cursor = await here()
  const id = await insertAlerte({ acteur_id })
  const move = (communeId: string, mairie_actor_id: string | null) =>
    db.updateTable('communes').set({ mairie_actor_id }).where('id', '=', communeId).execute()
  await move(second, null)
  await move(second, acteur_id)
  await move(second, other.id)
  await admin.patch(`/admin/acteurs/${acteur_id}/active`, { active: false })
  await move(first, null)
  await move(first, acteur_id)
  await admin.patch(`/admin/acteurs/${acteur_id}/active`, { active: true })
  expect(await since(cursor, id)).toEqual([
    ['published', communeIds],
    ['changed', communeIds],
    ['changed', communeIds],
    ['changed', communeIds],
    ['gone', [first]],
    ['published', [first]],
  ])
  expect(await since(cursor, id, readers[0])).toEqual([
    ['published', [first]],
    ['changed', [first]],
    ['changed', [first]],
    ['changed', [first]],
    ['gone', [first]],
    ['published', [first]],
  ])
  expect(await since(cursor, id, readers[1])).toEqual([
    ['published', [second]],
    ['gone', [second]],
    ['published', [second]],
    ['gone', [second]],
  ])
})

test('the alertes of a merged mairie stay in the feed of its communes', async () => {
  const from = await openMairie(1)
  const into = await openMairie(0)
  const id = await insertAlerte({ acteur_id: from.id })
  const reader = await restrictedTo(from.communeIds[0] ?? '')
  const cursor = await here()
  expect((await admin.post(`/admin/acteurs/${from.id}/merge`, { into: into.id })).status).toBeLessThan(300)
  const shown = (await get(`/communes/${from.communeIds[0]}/alertes`)).body.data
  expect(shown.map((one: { id: string }) => one.id)).toEqual([id])
  const last = (await since(cursor, id, reader)).at(-1)
  expect(last?.[0]).toMatch(/published|changed/)
})

test('an alerte that commits after a later publication is not skipped', async () => {
  const { id: commune_id } = await commune()
  const cursor = await here()
  const late = await db.startTransaction().execute()
  const first = await insertAlerte({ commune_id }, late)
  const second = await insertPublication(world)
  const before = await walk(cursor)
  expect(before.changes.map(({ id }) => id)).not.toContain(first)
  await late.commit().execute()
  const after = await walk(before.next)
  const seen = [...before.changes, ...after.changes].map(({ id }) => id)
  expect(seen.filter((id) => id === first || id === second.id)).toEqual([first, second.id])
})

/** Runs one change in an open transaction, starts the other one, which must wait, and commits. */
async function race(first: (on: Database) => Promise<unknown>, second: (on: Database) => Promise<unknown>) {
  const tx = await db.startTransaction().execute()
  await first(tx)
  const waiting = second(db)
  await untilWaiting(db)
  await tx.commit().execute()
  await waiting
}

test.each(['alerte', 'commune'])(
  'a commune learns of an alerte that is made while it changes its mairie (%s first)',
  async (which) => {
    const { id: acteur_id } = await openMairie(0)
    const { id: communeId } = await commune()
    const reader = await restrictedTo(communeId)
    const cursor = await here()
    let id = ''
    const make = async (on: Database) => {
      id = await insertAlerte({ acteur_id }, on)
    }
    const join = (on: Database) =>
      on.updateTable('communes').set({ mairie_actor_id: acteur_id }).where('id', '=', communeId).execute()
    await (which === 'alerte' ? race(make, join) : race(join, make))
    expect(await since(cursor, id, reader)).toEqual([['published', [communeId]]])
    let later = ''
    const makeLater = async (on: Database) => {
      later = await insertAlerte({ acteur_id }, on)
    }
    const leave = (on: Database) =>
      on.updateTable('communes').set({ mairie_actor_id: null }).where('id', '=', communeId).execute()
    const next = await here()
    await (which === 'alerte' ? race(makeLater, leave) : race(leave, makeLater))
    const expected = which === 'alerte' ? ['published', 'gone'] : []
    expect((await since(next, later, reader)).map(([change]) => change)).toEqual(expected)
  },
)

test('a client polling during concurrent writers ends with the alertes in force, restricted or not', async () => {
  const mairies = [await openMairie(2), await openMairie(1)]
  const towns = mairies.flatMap(({ communeIds }) => communeIds)
  const start = await here()
  const readers = [{ get }, await restrictedTo(towns[0] ?? '')]
  const scopes = [towns, towns.slice(0, 1)]
  const copies = readers.map(() => new Set<string>())
  const cursors = readers.map(() => start)
  async function poll() {
    for (const [n, reader] of readers.entries()) {
      const { changes, next } = await walk(cursors[n] ?? '', '&per_page=7', reader)
      for (const { kind, id, change } of changes.filter((one) => one.kind === 'alerte')) {
        expect(kind).toBe('alerte')
        if (change === 'gone') copies[n]?.delete(id)
        else copies[n]?.add(id)
      }
      cursors[n] = next
    }
  }
  const made: string[] = []
  const pick = <T>(from: readonly T[]) => from[Math.floor(Math.random() * from.length)] as T
  let isWriting = true
  async function writeOnce(tx: Database, n: number) {
    const id = made.length === 0 ? null : pick(made)
    const kind = pick(['make', 'make', 'edit', 'end', 'schedule', 'delete', 'move', 'hide'])
    const soon = sql<Date>`clock_timestamp() + interval '300 ms'`
    if (kind === 'make' || id === null)
      made.push(await insertAlerte(pick([{ acteur_id: pick(mairies).id }, { commune_id: pick(towns) }]), tx))
    else if (kind === 'move')
      await tx
        .updateTable('communes')
        .set({ mairie_actor_id: pick(mairies).id })
        .where('id', '=', pick(towns))
        .execute()
    else if (kind === 'hide')
      await tx
        .updateTable('acteurs')
        .set({ active: sql`not active` })
        .where('id', '=', pick(mairies).id)
        .execute()
    else if (kind === 'delete') await tx.deleteFrom('alertes').where('id', '=', id).execute()
    else
      await tx
        .updateTable('alertes')
        .set({
          ...(kind === 'edit' && { titre: `Titre ${n}`, fin: null }),
          ...(kind === 'end' && { fin: soon }),
          ...(kind === 'schedule' && { debut: soon, fin: null }),
        })
        .where('id', '=', id)
        .execute()
    await insertPublication({ db: tx } as never)
  }
  async function write() {
    for (let n = 0; n < 12; n++)
      // Writers that lock in any order may deadlock: that change is lost, as its client learns by a 503.
      await db
        .transaction()
        .execute((tx) => writeOnce(tx, n))
        .catch((error) => expect(error).toMatchObject({ cause: { code: '40P01' } }))
  }
  const reading = (async () => {
    while (isWriting) await poll()
  })()
  await Promise.all(Array.from({ length: 8 }, write))
  isWriting = false
  await reading
  expect(made.length).toBeGreaterThan(10)
  const inForce = async (communeIds: string[]) => {
    const pages = communeIds.map((id) => get(`/communes/${id}/alertes?per_page=100`))
    const rows = (await Promise.all(pages)).flatMap(({ body }) => body.data)
    return [...new Set(rows.map(({ id }: { id: string }) => id))].toSorted()
  }
  for (const [n, communeIds] of scopes.entries()) {
    const difference = async () => {
      await poll()
      const shown = await inForce(communeIds)
      const copy = [...(copies[n] ?? [])].filter((id) => made.includes(id))
      return [copy.filter((id) => !shown.includes(id)), shown.filter((id) => !copy.includes(id as string))]
    }
    await expect.poll(difference).toEqual([[], []])
  }
}, 60_000)

test('changes of alertes are deleted after 30 days', async () => {
  const { id: commune_id } = await commune()
  const id = await insertAlerte({ commune_id })
  const at = new Date(Date.now() - 31 * 86_400_000)
  await db.updateTable('alerte_changes').set({ at }).where('alerte_id', '=', id).execute()
  expect(await deleteOldChanges(db, 100)).toBe(1)
  expect(await deleteOldChanges(db, 100)).toBe(0)
})
