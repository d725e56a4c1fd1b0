import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { untilWaiting } from '../../../test/support/locks.ts'
import { openMairie } from '../../../test/support/mairies.ts'
import { openWorld } from '../../../test/support/world.ts'
import { uuidv7 } from '../../platform/formats/uuid.ts'
import { getCommuneForUpdate } from '../communes/editing/queries.ts'
import { restrictedSource } from '../publications/publications.test-kit.ts'
import { groupsKit } from './groups.test-kit.ts'
import { mailOfHidingHandler } from './hiding-mails.ts'

const world = await openWorld({ env: { RATE_LIMIT_ALERT: '100000/hour', RATE_LIMIT_EDIT: '100000/hour' } })
const { db, get } = world
const { admin, openGroup } = await groupsKit(world)
const amont = await openMairie(world)
const aval = await openMairie(world)
const [upper, lower] = [amont.commune.id, aval.commune.id]
const both = [upper, lower].sort()

const listOf = (town: string) => `/mairie/communes/${town}/group-alertes`
const pathOf = (town: string, id: string) => `${listOf(town)}/${id}/hidden`
type Listed = { id: string }
const idsOf = ({ body }: { body: { data: Listed[] } }) => body.data.map(({ id }) => id)
async function shownIn(id: string): Promise<string[]> {
  const shown = await Promise.all(
    both.map(async (town) =>
      idsOf(await get(`/communes/${town}/alertes?per_page=100`)).includes(id) ? [town] : [],
    ),
  )
  return shown.flat()
}
const hidings = (id: string) =>
  db.selectFrom('alerte_hidings').selectAll().where('alerte_id', '=', id).execute()
const auditOf = async (id: string) => {
  const { rows } = await sql<{ action: string }>`
    select action, before, after, acteur_id from audit_log
    where entity_id = ${id} and action in ('alerte.hide_in_commune', 'alerte.show_in_commune') order by id`.execute(
    db,
  )
  return rows
}

test('a mairie hides an alert of a group in its commune alone, and shows it again', async () => {
  const group = await openGroup(both)
  const { id } = await group.alert()
  const [before] = (await amont.secretary.get(listOf(upper))).body.data
  expect(before).toMatchObject({
    ...{ id, titre: 'Eau', niveau: 'attention', fin: null, hidden_at: null, may_hide: true },
    acteur: { id: group.acteur.id, nom: group.acteur.nom },
  })
  const hidden = await amont.secretary.put(pathOf(upper, id))
  expect([hidden.status, hidden.body.data]).toEqual([200, { ...before, hidden_at: expect.any(String) }])
  expect(await shownIn(id)).toEqual([lower])
  const shown = await amont.secretary.delete(pathOf(upper, id))
  expect([shown.status, shown.body.data]).toEqual([200, before])
  expect(await shownIn(id)).toEqual(both)
})

test('hiding and showing are in the audit log once, whoever repeats them', async () => {
  const group = await openGroup(both)
  const { id } = await group.alert()
  const path = pathOf(lower, id)
  for (const by of [aval.secretary, aval.owner, admin]) expect((await by.put(path)).status).toBe(200)
  for (const by of [aval.owner, aval.secretary]) expect((await by.delete(path)).status).toBe(200)
  const at = { commune_id: lower }
  const { id: acteur_id } = group.acteur
  expect(await auditOf(id)).toEqual([
    { action: 'alerte.hide_in_commune', before: null, after: at, acteur_id },
    { action: 'alerte.show_in_commune', before: at, after: null, acteur_id },
  ])
})

test('who writes alerts of the group is told by mail, unless the mairie shows it again at once', async () => {
  const group = await openGroup(both)
  const join = async (membership: object, email_verified = true) => {
    const { id } = await world.user({ memberships: [{ acteur: group.acteur, ...membership }] })
    await db.updateTable('users').set({ email_verified }).where('id', '=', id).execute()
    return id
  }
  const told = [
    await join({ role: 'owner' }),
    await join({ permissions: ['manage_commune'] }),
    await join({ permissions: ['publish_publications'] }),
  ].toSorted()
  await join({ permissions: ['manage_publications'] })
  await join({ role: 'owner' }, false)
  const { id } = await group.alert()
  const mails = () =>
    db
      .selectFrom('alerte_hiding_mails')
      .select(['id', 'user_id', 'email_status'])
      .where('alerte_id', '=', id)
      .where('user_id', 'in', told)
      .orderBy('user_id')
      .execute()
  const count = async () =>
    (await db.selectFrom('alerte_hiding_mails').select('id').where('alerte_id', '=', id).execute()).length
  for (const by of [amont.secretary, amont.owner]) await by.put(pathOf(upper, id))
  const queued = await mails()
  expect(queued.map(({ user_id, email_status }) => [user_id, email_status])).toEqual(
    told.map((user_id) => [user_id, 'queued']),
  )
  const { rows } = await sql<{ name: string; held: number }>`
    select name, extract(epoch from start_after - created_on)::float as held from pgboss.job
    where data->>'mailId' = any(${queued.map(({ id }) => id)}::text[])`.execute(db)
  expect(rows.map(({ name }) => name)).toEqual(told.map(() => 'alertes.tell-of-hiding'))
  for (const { held } of rows) expect(held).toBeGreaterThan(25)
  const mailId = queued[0]?.id ?? ''
  const attempt = { id: 'job', attempt: 1, signal: new AbortController().signal }
  const sent: string[] = []
  const send = async ({ subject }: { subject: string }) => {
    sent.push(subject)
    return { status: 'sent' as const }
  }
  const mailer = { send, close: async () => {} }
  const { perform } = mailOfHidingHandler({ db, config: world.config, mailer })
  await perform({ mailId }, attempt)
  expect(sent).toEqual([`${amont.commune.nom} ne montre plus « Eau »`])
  expect((await mails())[0]?.email_status).toBe('sent')
  // Tells nobody who has left the team.
  const left = queued[1]
  await db
    .deleteFrom('actor_users')
    .where('user_id', '=', left?.user_id ?? '')
    .execute()
  await perform({ mailId: left?.id ?? '' }, attempt)
  expect(await mails()).toHaveLength(2)
  await amont.secretary.delete(pathOf(upper, id))
  expect(await count()).toBe(0)
  await perform({ mailId: queued[2]?.id ?? '' }, attempt)
  expect(sent).toHaveLength(1)
})

test('who manages the commune hides there, and nobody else', async () => {
  const group = await openGroup(both)
  const { id } = await group.alert()
  const path = pathOf(upper, id)
  for (const by of [amont.publisher, amont.editor]) {
    expect(await by.put(path)).toBeError(403, 'forbidden')
    expect(await by.delete(path)).toBeError(403, 'forbidden')
    expect((await by.get(listOf(upper))).body.data[0]).toMatchObject({ id, may_hide: false })
  }
  for (const by of [aval.owner, amont.clubOwner, group.owner]) {
    expect(await by.put(path)).toBeError(403, 'scope_violation')
    expect(await by.delete(path)).toBeError(403, 'scope_violation')
    expect(await by.get(listOf(upper))).toBeError(403, 'scope_violation')
  }
  const source = await restrictedSource(world, [lower])
  for (const answer of [
    await amont.owner.put(path, undefined, { source }),
    await amont.owner.delete(path, { source }),
    await amont.owner.get(listOf(upper), { source }),
  ])
    expect(answer).toBeError(403, 'scope_violation')
  expect(await hidings(id)).toEqual([])
  for (const by of [amont.owner, admin]) expect((await by.put(path)).status).toBe(200)
})

test('a mairie hides no alert of its own, of another commune, or of a group it is not in', async () => {
  const [elsewhere, some] = [await openGroup([lower]), await openGroup(both)]
  const text = { titre: 'Neige', message: 'Restez chez vous.', niveau: 'info' }
  const own = await amont.owner.post(`/mairie/communes/${upper}/alertes`, text)
  const ofHall = await amont.owner.post(`/mairie/acteurs/${amont.hall.id}/alertes`, text)
  const ids = [own.body.data.id, ofHall.body.data.id, (await elsewhere.alert()).id, uuidv7()]
  ids.push((await some.alert({ commune_ids: [lower] })).id)
  for (const id of ids)
    for (const call of ['put', 'delete'] as const)
      expect(await amont.owner[call](pathOf(upper, id))).toBeError(404, 'not_found')
  const listed = idsOf(await amont.owner.get(`${listOf(upper)}?per_page=100`))
  expect(ids.filter((id) => listed.includes(id))).toEqual([])
  expect(await admin.get(listOf(uuidv7()))).toBeError(404, 'not_found')
  await db.updateTable('acteurs').set({ active: false }).where('id', '=', some.acteur.id).execute()
  const { id } = await elsewhere.alert()
  expect((await aval.owner.get(listOf(lower))).body.data[0].id).toBe(id)
})

test('the list says what a commune hides, also what is over or to come, and after the commune has left the group', async () => {
  const town = await openMairie(world)
  const group = await openGroup([town.commune.id])
  const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
  const old = await group.alert({ debut: day(1), fin: day(2) })
  const recent = await group.alert()
  await db
    .updateTable('alertes')
    .set({ debut: day(-2), fin: day(-1) })
    .where('id', '=', recent.id)
    .execute()
  const read = async (query = '') => idsOf(await town.secretary.get(`${listOf(town.commune.id)}${query}`))
  expect(await read()).toEqual([recent.id, old.id])
  await town.secretary.put(pathOf(town.commune.id, old.id))
  expect([await read('?hidden=true'), await read('?hidden=false')]).toEqual([[old.id], [recent.id]])
  await group.change({ commune_ids: [] })
  expect(await read()).toEqual([old.id])
  expect((await town.secretary.delete(pathOf(town.commune.id, old.id))).status).toBe(200)
  expect(await read()).toEqual([])
})

test('the team of the group and administrators read where an alert is hidden; the public does not', async () => {
  const group = await openGroup(both)
  const { id } = await group.alert()
  const readers = [
    async () => (await group.owner.get(group.path)).body.data[0],
    async () => (await group.owner.get(`${group.path}/${id}`)).body.data,
    async () => (await admin.get(`/admin/alertes?ids=${id}`)).body.data[0],
    async () => (await admin.get(`/admin/alertes/${id}`)).body.data,
  ]
  const { slug, nom } = amont.commune
  for (const read of readers) expect((await read()).hidden_in).toEqual([])
  await amont.secretary.put(pathOf(upper, id))
  for (const read of readers) expect((await read()).hidden_in).toEqual([{ id: upper, slug, nom }])
  expect((await get(`/communes/${lower}/alertes`)).body.data[0]).not.toHaveProperty('hidden_in')
})

test('of two colleagues who hide at once, one is in the audit log', async () => {
  const group = await openGroup(both)
  const { id } = await group.alert()
  const path = pathOf(upper, id)
  const { answers } = await db.transaction().execute(async (tx) => {
    await sql`select from alertes where id = ${id} for no key update`.execute(tx)
    const answers = Promise.all([amont.secretary.put(path), amont.owner.put(path)])
    await untilWaiting(db, 2)
    return { answers }
  })
  const [first, second] = await answers
  expect([first.status, second.status]).toEqual([200, 200])
  expect(first.body.data.hidden_at).toBe(second.body.data.hidden_at)
  expect(await auditOf(id)).toHaveLength(1)
})

test('an alert that is deleted while it is hidden is answered as one that is gone', async () => {
  const group = await openGroup(both)
  const { id } = await group.alert()
  const { hidden } = await db.transaction().execute(async (tx) => {
    await sql`delete from alertes where id = ${id}`.execute(tx)
    const hidden = amont.owner.put(pathOf(upper, id))
    await untilWaiting(db)
    return { hidden }
  })
  expect(await hidden).toBeError(404, 'not_found')
})

test('a mairie that loses its commune meanwhile hides nothing', async () => {
  const town = await openMairie(world)
  const group = await openGroup([town.commune.id])
  const { id } = await group.alert()
  const { hidden } = await db.transaction().execute(async (tx) => {
    await getCommuneForUpdate(tx, town.commune.id)
    const hidden = town.owner.put(pathOf(town.commune.id, id))
    await untilWaiting(db)
    await sql`update communes set mairie_actor_id = null where id = ${town.commune.id}`.execute(tx)
    return { hidden }
  })
  expect(await hidden).toBeError(403, 'scope_violation')
  expect(await hidings(id)).toEqual([])
})

test('an inactive mairie hides nothing; an administrator does so for its commune', async () => {
  const town = await openMairie(world)
  const group = await openGroup([town.commune.id])
  const { id } = await group.alert()
  await db.updateTable('acteurs').set({ active: false }).where('id', '=', town.hall.id).execute()
  const path = pathOf(town.commune.id, id)
  for (const call of ['put', 'delete'] as const)
    expect(await town.owner[call](path)).toBeError(403, 'scope_violation')
  expect((await admin.put(path)).status).toBe(200)
})

test('hiding holds when the alert and the members change at the same time', async () => {
  const group = await openGroup(both)
  for (let round = 0; round < 4; round++) {
    const { id } = await group.alert()
    const [hidden] = await Promise.all([
      amont.owner.put(pathOf(upper, id)),
      group.owner.patch(`${group.path}/${id}`, { commune_ids: round % 2 === 0 ? [lower] : [upper] }),
      group.change({ commune_ids: [...both].reverse() }),
    ])
    expect([200, 404]).toContain(hidden.status)
    await group.owner.patch(`${group.path}/${id}`, { commune_ids: [] })
    expect(await shownIn(id)).toEqual(hidden.status === 200 ? [lower] : both)
    const { rows } = await sql<{ after: string[] }>`
      select communes_after as after from alerte_changes where alerte_id = ${id} order by id desc limit 1`.execute(
      db,
    )
    expect(rows[0]?.after).toEqual(await shownIn(id))
  }
})
