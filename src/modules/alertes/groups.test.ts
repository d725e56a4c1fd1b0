import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { untilWaiting } from '../../../test/support/locks.ts'
import { statementsAbout } from '../../../test/support/statements.ts'
import { openWorld } from '../../../test/support/world.ts'
import { uuidv7 } from '../../platform/formats/uuid.ts'
import { groupsKit } from './groups.test-kit.ts'
import { findEndlessAlerte } from './remind.ts'

const world = await openWorld()
const { db, get } = world
const { admin, openGroup } = await groupsKit(world)
const towns = await Promise.all(Array.from({ length: 4 }, () => world.commune()))
const [amont, aval, bourg, ailleurs] = towns.map(({ id }) => id) as [string, string, string, string]
const water = { titre: 'Eau', message: 'Ne la buvez pas.', niveau: 'attention' }

const idsOf = async (path: string, client: { get: typeof get } = { get }): Promise<string[]> =>
  (await client.get(path)).body.data.map(({ id }: { id: string }) => id)

/** The towns that show an alert. */
async function shownIn(id: string): Promise<string[]> {
  const shown = await Promise.all(
    towns.map(async (town) => ((await idsOf(`/communes/${town.id}/alertes`)).includes(id) ? [town.id] : [])),
  )
  return shown.flat()
}

/** What the feed says of an alert: where it was shown, and is. */
async function changesOf(id: string) {
  const { rows } = await sql<{ before: string[] | null; after: string[] | null }>`
    select communes_before as before, communes_after as after from alerte_changes
    where alerte_id = ${id} order by id`.execute(db)
  return rows.map(({ before, after }) => [before, after])
}

test('an alert of a group is in force in all its members, or in some, and names the group', async () => {
  const { id: group_id, slug, nom, acteur, ...group } = await openGroup([amont, aval, bourg])
  const ofAll = await group.alert()
  const ofSome = await group.alert({ commune_ids: [bourg, amont, amont] })
  expect([ofAll.commune_ids, ofSome.commune_ids]).toEqual([[], [amont, bourg].sort()])
  expect(await shownIn(ofAll.id)).toEqual([amont, aval, bourg])
  expect(await shownIn(ofSome.id)).toEqual([amont, bourg])
  const { body } = await get(`/communes/${aval}/alertes`)
  expect(body.data.find(({ id }: { id: string }) => id === ofAll.id)).toMatchObject({
    ...{ ...water, commune_id: null, acteur_id: acteur.id, commune_ids: [] },
    group: { id: group_id, slug, nom },
  })
  for (const [query, found] of [
    [`group_id=${group_id}`, [ofSome.id, ofAll.id]],
    [`group_id=${group_id}&commune_id=${aval}`, [ofAll.id]],
    [`group_id=${group_id}&commune_id=${ailleurs}`, []],
    [`group_id=${uuidv7()}`, []],
  ] as const)
    expect(await idsOf(`/admin/alertes?${query}`, admin), query).toEqual(found)
})

test('a group alerts in none but its members, and a mairie in none but its commune', async () => {
  const group = await openGroup([amont, aval])
  for (const commune_ids of [[amont, ailleurs], [uuidv7()]])
    expect(await group.owner.post(group.path, { ...water, commune_ids })).toBeError(403, 'scope_violation')
  const { id } = await group.alert({ commune_ids: [amont] })
  const moved = await group.owner.patch(`${group.path}/${id}`, { commune_ids: [ailleurs] })
  expect(moved).toBeError(403, 'scope_violation')
  expect(await shownIn(id)).toEqual([amont])
  const hall = await world.acteur({ type: 'mairie' })
  await world.commune({ mairie_actor_id: hall.id })
  const { token } = await world.user({ memberships: [{ acteur: hall, role: 'owner' }] })
  const mayor = world.client({ source: 'mairie', token })
  const path = `/mairie/acteurs/${hall.id}/alertes`
  expect(await mayor.post(path, { ...water, commune_ids: [amont] })).toBeError(403, 'scope_violation')
  const ofCommune = `/mairie/communes/${amont}/alertes`
  const named = await admin.post(ofCommune, { ...water, commune_ids: [amont] })
  expect(named).toBeError(422, 'validation_failed')
})

test('owners and who may publish write the alerts of a group; other members read them', async () => {
  const group = await openGroup([amont])
  const { id } = await group.alert()
  const editor = await group.member(['publish_publications'])
  expect((await editor.post(group.path, water)).status).toBe(201)
  expect((await editor.patch(`${group.path}/${id}`, { titre: 'Eau potable' })).status).toBe(200)
  const reader = await group.member(['manage_publications'])
  expect(await reader.post(group.path, water)).toBeError(403, 'forbidden')
  const { body } = await reader.get(`${group.path}/${id}`)
  expect(body.data).toMatchObject({ titre: 'Eau potable', can: [] })
  const other = await openGroup([amont])
  expect(await other.owner.post(group.path, water)).toBeError(403, 'scope_violation')
  const { body: page } = await group.owner.get(`/me/acteurs/${group.acteur.id}`)
  expect(page.data.can).toContain('alertes')
  const club = await world.acteur({ type: 'intercommunalite', valide: true })
  const { token } = await world.user({ memberships: [{ acteur: club, role: 'owner' }] })
  const alone = world.client({ source: 'mairie', token })
  expect(await alone.post(`/mairie/acteurs/${club.id}/alertes`, water)).toBeError(403, 'scope_violation')
})

test('an alert follows the members and the acteur of its group, and so does the feed', async () => {
  const group = await openGroup([amont])
  const ofAll = await group.alert()
  const ofOne = await group.alert({ commune_ids: [amont] })
  const another = await world.acteur({ type: 'intercommunalite', valide: true })
  for (const [change, all, one] of [
    [{ commune_ids: [amont, bourg] }, [amont, bourg], [amont]],
    [{ commune_ids: [bourg] }, [bourg], []],
    [{ acteur_id: another.id }, [], []],
    [{ commune_ids: [aval, amont] }, [], []],
    [{ acteur_id: group.acteur.id }, [amont, aval], [amont]],
  ] as const) {
    expect((await group.change(change)).status).toBe(200)
    expect([await shownIn(ofAll.id), await shownIn(ofOne.id)]).toEqual([all, one])
  }
  const setActive = (active: boolean) =>
    db.updateTable('acteurs').set({ active }).where('id', '=', group.acteur.id).execute()
  await setActive(false)
  expect(await shownIn(ofAll.id)).toEqual([])
  await setActive(true)
  await admin.delete(`/admin/groups/${group.id}`)
  expect([await shownIn(ofAll.id), await shownIn(ofOne.id)]).toEqual([[], []])
  const [both, last] = [[amont, bourg].sort(), [amont, aval].sort()]
  expect(await changesOf(ofAll.id)).toEqual([
    ...[
      [null, [amont]],
      [[amont], both],
      [both, [bourg]],
      [[bourg], null],
      [null, last],
    ],
    ...[
      [last, null],
      [null, last],
      [last, null],
    ],
  ])
  expect(await changesOf(ofOne.id)).toEqual([
    ...[
      [null, [amont]],
      [[amont], null],
      [null, [amont]],
    ],
    ...[
      [[amont], null],
      [null, [amont]],
      [[amont], null],
    ],
  ])
})

test('other communes, or all, are named in the feed and in the audit log', async () => {
  const group = await openGroup([amont, aval, bourg])
  const { id } = await group.alert({ commune_ids: [amont] })
  for (const commune_ids of [[aval], []])
    expect((await group.owner.patch(`${group.path}/${id}`, { commune_ids })).body.data).toMatchObject({
      commune_ids,
    })
  expect(await changesOf(id)).toEqual([
    ...[
      [null, [amont]],
      [[amont], [aval]],
    ],
    ...[[[aval], [amont, aval, bourg].sort()]],
  ])
  const { rows } = await sql`
    select before, after, acteur_id from audit_log
    where entity_id = ${id} and action = 'alerte.update' order by id limit 1`.execute(db)
  expect(rows).toEqual([
    { before: { commune_ids: [amont] }, after: { commune_ids: [aval] }, acteur_id: group.acteur.id },
  ])
})

test('a commune in two groups of one acteur shows an alert once', async () => {
  const group = await openGroup([amont, aval])
  const body = { nom: 'Eaux', kind: 'syndicat', acteur_id: group.acteur.id, commune_ids: [aval, bourg] }
  const second = (await admin.post('/admin/groups', body)).body.data
  const { id } = await group.alert()
  expect(await shownIn(id)).toEqual([amont, aval, bourg])
  const { body: list } = await get(`/communes/${aval}/alertes`)
  expect(list.data.filter((one: { id: string }) => one.id === id)).toHaveLength(1)
  await admin.patch(`/admin/groups/${second.id}`, { commune_ids: [bourg] })
  await group.change({ commune_ids: [amont] })
  expect(await changesOf(id)).toEqual([
    [null, [amont, aval, bourg].sort()],
    [[amont, aval, bourg].sort(), [amont, bourg].sort()],
  ])
})

test('an alert that names a commune waits for a change of the members', async () => {
  const group = await openGroup([amont, aval])
  const answer = await db.transaction().execute(async (tx) => {
    await sql`delete from group_communes where group_id = ${group.id} and commune_id = ${aval}`.execute(tx)
    const answer = group.owner.post(group.path, { ...water, commune_ids: [aval] })
    await untilWaiting(db)
    return { answer }
  })
  expect(await answer.answer).toBeError(403, 'scope_violation')
})

test('a deleted alert of a group is restored with its communes, also one that the version before deleted', async () => {
  const group = await openGroup([amont, aval])
  const { id } = await group.alert({ commune_ids: [aval] })
  await group.owner.delete(`${group.path}/${id}`)
  expect(await shownIn(id)).toEqual([])
  await group.owner.patch(`${group.path}/${id}/restore`, {})
  expect(await shownIn(id)).toEqual([aval])
  await group.owner.delete(`${group.path}/${id}`)
  await sql`update deleted_records set content = content #- '{row,commune_ids}' where id = ${id}`.execute(db)
  const { body } = await group.owner.patch(`${group.path}/${id}/restore`, {})
  expect(body.data.commune_ids).toEqual([])
})

test('the team of a group is reminded of an alert without an end', async () => {
  const group = await openGroup([amont])
  await sql`update acteurs set email = 'eaux@example.org' where id = ${group.acteur.id}`.execute(db)
  const { id } = await group.alert()
  expect(await findEndlessAlerte(db, id)).toMatchObject({ address: 'eaux@example.org' })
  await group.change({ acteur_id: null })
  expect(await findEndlessAlerte(db, id)).toMatchObject({ address: null })
})

test('the alerts of a commune take as many statements in many groups as in none', async () => {
  const statements = () => statementsAbout(/alertes/, () => get(`/communes/${ailleurs}/alertes`))
  const before = await statements()
  for (let count = 0; count < 5; count++) await (await openGroup([ailleurs])).alert()
  expect(await shownIn((await idsOf(`/communes/${ailleurs}/alertes`))[0] ?? '')).toEqual([ailleurs])
  expect(await statements()).toHaveLength(before.length)
})
