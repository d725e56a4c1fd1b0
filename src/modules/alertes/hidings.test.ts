import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { fc, propertyRuns } from '../../../test/support/fast-check.ts'
import { openWorld } from '../../../test/support/world.ts'
import { groupsKit } from './groups.test-kit.ts'
import { listAllAlertes } from './queries.ts'

const world = await openWorld({ env: { RATE_LIMIT_ALERT: '100000/hour' } })
const { db, get } = world
const { openGroup } = await groupsKit(world)
const towns = (await Promise.all(Array.from({ length: 3 }, () => world.commune()))).toSorted((one, other) =>
  one.id < other.id ? -1 : 1,
)
const ids = towns.map(({ id }) => id)
const [amont, aval, bourg] = ids as [string, string, string]

const hide = (alerte_id: string, commune_id: string) =>
  db.insertInto('alerte_hidings').values({ alerte_id, commune_id }).execute()
const show = (alerte_id: string, commune_id: string) =>
  db
    .deleteFrom('alerte_hidings')
    .where('alerte_id', '=', alerte_id)
    .where('commune_id', '=', commune_id)
    .execute()

/** The towns whose list of alerts contains it. */
async function shownIn(id: string): Promise<string[]> {
  const shown = await Promise.all(
    ids.map(async (town) => {
      const { body } = await get(`/communes/${town}/alertes?per_page=100`)
      return body.data.some((one: { id: string }) => one.id === id) ? [town] : []
    }),
  )
  return shown.flat()
}

/** What the feed says of an alert: where it was shown, and is. */
async function changesOf(id: string) {
  const { rows } = await sql<{ before: string[] | null; after: string[] | null }>`
    select communes_before as before, communes_after as after from alerte_changes
    where alerte_id = ${id} and not is_scheduled order by id`.execute(db)
  return rows.map(({ before, after }) => [before, after])
}

test('a commune that hides an alert of a group does not show it, others do, and the feed says so', async () => {
  const group = await openGroup(ids)
  const { id } = await group.alert()
  await hide(id, aval)
  expect(await shownIn(id)).toEqual([amont, bourg])
  await show(id, aval)
  expect(await shownIn(id)).toEqual(ids)
  const without = [amont, bourg]
  expect(await changesOf(id)).toEqual([
    [null, ids],
    [ids, without],
    [without, ids],
  ])
})

test('the feed says nothing of a change that concerns only a commune that hides the alert', async () => {
  const group = await openGroup([amont, aval])
  const { id } = await group.alert()
  await hide(id, aval)
  await group.change({ commune_ids: [amont] })
  await group.change({ commune_ids: [amont, aval] })
  expect(await shownIn(id)).toEqual([amont])
  await group.owner.patch(`${group.path}/${id}`, { titre: 'Eau potable' })
  await group.change({ commune_ids: [amont, aval, bourg] })
  expect(await changesOf(id)).toEqual([
    [null, [amont, aval]],
    [[amont, aval], [amont]],
    [[amont], [amont]],
    [[amont], [amont, bourg]],
  ])
})

test('the feed of an alert that begins later names no commune that hides it', async () => {
  const group = await openGroup([amont, aval])
  const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
  const { id } = await group.alert({ debut: day(1), fin: day(2) })
  await hide(id, aval)
  const { rows } = await sql`
    select communes_before as before, communes_after as after from alerte_changes
    where alerte_id = ${id} order by id`.execute(db)
  expect(rows).toEqual([
    { before: null, after: [amont] },
    { before: [amont], after: null },
  ])
})

test('a deleted alert leaves where it was shown, and a restored one is hidden where it was', async () => {
  const group = await openGroup([amont, aval])
  const { id } = await group.alert()
  await hide(id, aval)
  await group.owner.delete(`${group.path}/${id}`)
  const hidings = () => db.selectFrom('alerte_hidings').selectAll().where('alerte_id', '=', id).execute()
  expect(await hidings()).toEqual([])
  expect((await group.owner.patch(`${group.path}/${id}/restore`, {})).status).toBe(200)
  expect(await hidings()).toMatchObject([{ commune_id: aval }])
  expect(await shownIn(id)).toEqual([amont])
  expect((await changesOf(id)).slice(2)).toEqual([
    [[amont], null],
    [null, [amont]],
  ])
})

test('an alert is restored without a commune that was deleted meanwhile, and one of the version before without hidings', async () => {
  const lost = await world.commune()
  const group = await openGroup([amont, lost.id])
  const { id } = await group.alert()
  for (const town of [amont, lost.id]) await hide(id, town)
  await group.owner.delete(`${group.path}/${id}`)
  await db.deleteFrom('communes').where('id', '=', lost.id).execute()
  expect((await group.owner.patch(`${group.path}/${id}/restore`, {})).status).toBe(200)
  expect(await shownIn(id)).toEqual([])
  await group.owner.delete(`${group.path}/${id}`)
  await sql`update deleted_records set content = content - 'hidings' where id = ${id}`.execute(db)
  expect((await group.owner.patch(`${group.path}/${id}/restore`, {})).status).toBe(200)
  expect(await shownIn(id)).toEqual([amont])
})

test('a commune or an acteur that is deleted takes the hidings along', async () => {
  const lost = await world.commune()
  const group = await openGroup([amont, lost.id])
  const { id } = await group.alert()
  for (const town of [amont, lost.id]) await hide(id, town)
  await db.deleteFrom('communes').where('id', '=', lost.id).execute()
  expect(
    await db.selectFrom('alerte_hidings').selectAll().where('alerte_id', '=', id).execute(),
  ).toHaveLength(1)
  await db.deleteFrom('alertes').where('id', '=', id).execute()
  expect(await db.selectFrom('alerte_hidings').selectAll().where('alerte_id', '=', id).execute()).toEqual([])
})

const some = fc.subarray([0, 1, 2])
const group = fc.nat(1)
const step = fc.oneof(
  fc.record({ kind: fc.constant('members' as const), group, towns: some }),
  fc.record({ kind: fc.constant('state' as const), group, active: fc.boolean(), deleted: fc.boolean() }),
  fc.record({ kind: fc.constant('alert' as const), group, towns: some, period: fc.nat(3) }),
  fc.record({ kind: fc.constant('move' as const), which: fc.nat(9), towns: some, period: fc.nat(3) }),
  fc.record({ kind: fc.constant('hide' as const), which: fc.nat(9), town: fc.nat(2) }),
  fc.record({ kind: fc.constant('show' as const), which: fc.nat(9), town: fc.nat(2) }),
)
/** Days from now: in force with and without an end, to come, over. */
const periods = [
  [null, null],
  [-1, 1],
  [1, 2],
  [-2, -1],
] as const
type Made = { id: string; group: number; towns: number[]; period: number; hidden: Set<number> }

test('whatever states, groups and hidings, each commune shows the alerts in force of its groups, without what it hides', async () => {
  const groups = [await openGroup([]), await openGroup([])] as const
  const idsOf = (which: readonly number[]) => which.map((at) => ids[at] ?? '').toSorted()
  const atDay = (days: number | null) => (days === null ? null : new Date(Date.now() + days * 86_400_000))
  const setState = (at: number, active: boolean, deleted: boolean) =>
    db
      .updateTable('acteurs')
      .set({ active, deleted_at: deleted ? new Date() : null })
      .where('id', '=', groups[at as 0].acteur.id)
      .execute()
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 14 }), async (steps) => {
      await db.deleteFrom('alertes').execute()
      await db.deleteFrom('alerte_changes').execute()
      const members: number[][] = [[], []]
      const isShown = [true, true]
      const made: Made[] = []
      for (const [at, one] of groups.entries()) {
        await one.change({ commune_ids: [] })
        await setState(at, true, false)
      }
      for (const one of steps) {
        const chosen = 'which' in one ? made[one.which % Math.max(1, made.length)] : undefined
        if (one.kind === 'members') {
          members[one.group] = one.towns
          await groups[one.group as 0].change({ commune_ids: idsOf(one.towns) })
        } else if (one.kind === 'state') {
          isShown[one.group] = one.active && !one.deleted
          await setState(one.group, one.active, one.deleted)
        } else if (one.kind === 'alert') {
          const [debut, fin] = (periods[one.period] ?? periods[0]).map(atDay)
          const values = { titre: 'Eau', message: 'Ne la buvez pas.', niveau: 'attention', debut, fin }
          const { id } = await db
            .insertInto('alertes')
            .values({
              ...{ id: crypto.randomUUID(), ...values, commune_ids: idsOf(one.towns) },
              acteur_id: groups[one.group as 0].acteur.id,
            })
            .returning('id')
            .executeTakeFirstOrThrow()
          made.push({ id, group: one.group, towns: one.towns, period: one.period, hidden: new Set() })
        } else if (chosen === undefined) continue
        else if (one.kind === 'move') {
          const [debut, fin] = (periods[one.period] ?? periods[0]).map(atDay)
          await db
            .updateTable('alertes')
            .set({ debut, fin, commune_ids: idsOf(one.towns) })
            .where('id', '=', chosen.id)
            .execute()
          Object.assign(chosen, { towns: one.towns, period: one.period })
        } else if (one.kind === 'hide' && !chosen.hidden.has(one.town)) {
          await hide(chosen.id, ids[one.town] ?? '')
          chosen.hidden.add(one.town)
        } else if (one.kind === 'show') {
          await show(chosen.id, ids[one.town] ?? '')
          chosen.hidden.delete(one.town)
        }
      }
      const now = new Date()
      const all = { communeIds: null, after: '00000000-0000-0000-0000-000000000000', limit: 100 }
      const listed = await listAllAlertes(db, { since: now, now }, all)
      for (const { id, group, towns: named, period, hidden } of made) {
        const present = isShown[group] ? (members[group] ?? []) : []
        const places = present.filter(
          (town) => (named.length === 0 || named.includes(town)) && !hidden.has(town),
        )
        const inForce = period < 2 ? idsOf(places) : []
        expect(await shownIn(id)).toEqual(inForce)
        const codes = towns.filter(({ id }) => inForce.includes(id)).map(({ code_insee }) => code_insee)
        expect(listed.find((one) => one.id === id)?.codes_insee ?? []).toEqual(codes.toSorted())
        const changes = await changesOf(id)
        expect(changes.at(-1)?.[1] ?? []).toEqual(inForce)
        // Each entry of the feed begins where the one before it ended.
        for (const [at, [before]] of changes.entries())
          expect(before ?? []).toEqual(changes[at - 1]?.[1] ?? [])
      }
    }),
    { numRuns: propertyRuns(1 / 2), endOnFailure: true },
  )
})
