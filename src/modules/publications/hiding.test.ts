import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { fc, propertyRuns } from '../../../test/support/fast-check.ts'
import { untilWaiting } from '../../../test/support/locks.ts'
import { openMairie } from '../../../test/support/mairies.ts'
import { openWorld } from '../../../test/support/world.ts'
import { uuidv7 } from '../../platform/formats/uuid.ts'
import { getCommuneForUpdate } from '../communes/editing/queries.ts'
import { authorMails } from './notify.ts'
import {
  auditedValues,
  hiddenStates,
  insertPublication,
  insertPublications,
  restrictedSource,
} from './publications.test-kit.ts'

const world = await openWorld()
const { db, get, client } = world
const admin = await world.as('admin')
const amont = await openMairie(world)
const aval = await openMairie(world)
const bourg = await openMairie(world)
const towns = [amont.commune.id, aval.commune.id, bourg.commune.id]

let number = 0
async function openGroup(commune_ids: string[]) {
  const acteur = await world.acteur({ type: 'intercommunalite', valide: true, can_publish: true })
  const owner = await world.user({ email_verified: true, memberships: [{ acteur, role: 'owner' }] })
  const body = { nom: `Syndicat ${++number}`, kind: 'syndicat', acteur_id: acteur.id, commune_ids }
  const { id } = (await admin.post('/admin/groups', body)).body.data
  return { id, acteur, owner, asOwner: client({ token: owner.token }) }
}
type Group = Awaited<ReturnType<typeof openGroup>>
const publish = ({ acteur }: Group, values: object = {}) =>
  insertPublication(world, { acteur_id: acteur.id, title: 'Collecte reportée', ...values })

const listOf = (town: string) => `/mairie/communes/${town}/group-publications`
const pathOf = (town: string, id: string) => `${listOf(town)}/${id}/hidden`
type Asked = { id: string }
const idsOf = ({ body }: { body: { data: Asked[] } }) => body.data.map(({ id }) => id)
async function shownIn(id: string): Promise<string[]> {
  const shown = await Promise.all(
    towns.map(async (town) =>
      idsOf(await get(`/publications?commune_id=${town}`)).includes(id) ? [town] : [],
    ),
  )
  return shown.flat()
}
const hidings = async (id: string) =>
  (
    await db
      .selectFrom('publication_hidings')
      .select('commune_id')
      .where('publication_id', '=', id)
      .orderBy('commune_id')
      .execute()
  ).map(({ commune_id }) => commune_id)
const mailsOf = (id: string) =>
  db.selectFrom('publication_mails').selectAll().where('publication_id', '=', id).orderBy('id').execute()
async function differences() {
  const { rows } = await sql`
    (select * from publication_listings except select * from listed_publications)
    union all (select * from listed_publications except select * from publication_listings)`.execute(db)
  return rows
}

test('a mairie hides a publication of a group in its commune alone, and shows it again', async () => {
  const group = await openGroup(towns)
  const { id } = await publish(group, { date_debut: '2099-01-05', body: 'La neige.' })
  const before = await amont.secretary.get(listOf(amont.commune.id))
  expect(before.body.data[0]).toMatchObject({
    id,
    acteur: { id: group.acteur.id },
    hidden_at: null,
    may_hide: true,
  })
  const hidden = await amont.secretary.put(pathOf(amont.commune.id, id))
  expect([hidden.status, hidden.body.data]).toEqual([
    200,
    { ...before.body.data[0], hidden_at: expect.any(String) },
  ])
  expect(await shownIn(id)).toEqual([aval.commune.id, bourg.commune.id])
  const restricted = await restrictedSource(world, [amont.commune.id])
  const both = await restrictedSource(world, [amont.commune.id, aval.commune.id])
  const town = amont.commune.id
  const lists: [string, string | undefined][] = [
    [`/publications?commune_id=${town}`, undefined],
    [`/publications?commune_id=${town}&q=neige`, undefined],
    [`/publications?commune_id=${town}&acteur_id=${group.acteur.id}`, undefined],
    [`/publications?commune_id=${town}&group_id=${group.id}`, undefined],
    [`/publications?commune_id=${town}&sort=date_debut_asc&date_fin_min=2099-01-01`, undefined],
    [`/publications?commune_id=${town}&updated_since=2020-01-01T00:00:00Z`, undefined],
    [`/communes/${town}/publications`, undefined],
    ['/publications', restricted],
    ['/publications?q=neige', restricted],
    [`/publications?group_id=${group.id}`, restricted],
  ]
  for (const [path, source] of lists)
    expect(idsOf(await get(path, source ? { source } : {})), path).not.toContain(id)
  expect(await get(`/publications/${id}`, { source: restricted })).toBeError(403, 'scope_violation')
  for (const [path, source] of [
    ['/publications', undefined],
    [`/publications?group_id=${group.id}`, undefined],
    [`/publications?acteur_id=${group.acteur.id}`, undefined],
    [`/publications?commune_id=${aval.commune.id}&q=neige`, undefined],
    ['/publications?q=neige', both],
    ['/publications', both],
  ] as const)
    expect(idsOf(await get(path, source ? { source } : {})), path).toContain(id)
  expect((await get(`/publications/${id}`, { source: both })).status).toBe(200)

  const shown = await amont.secretary.delete(pathOf(amont.commune.id, id))
  expect([shown.status, shown.body.data]).toEqual([200, before.body.data[0]])
  expect(await shownIn(id)).toEqual(towns)
  for (const [path, source] of lists)
    expect(idsOf(await get(path, source ? { source } : {})), path).toContain(id)
  expect(await differences()).toEqual([])
})

test('hiding and showing are in the audit log once, whoever repeats them', async () => {
  const group = await openGroup(towns)
  const { id } = await publish(group)
  const path = pathOf(aval.commune.id, id)
  for (const by of [aval.secretary, aval.owner, admin]) expect((await by.put(path)).status).toBe(200)
  for (const by of [aval.owner, aval.secretary]) expect((await by.delete(path)).status).toBe(200)
  const commune_id = aval.commune.id
  expect(await auditedValues(world, id)).toMatchObject([
    {
      action: 'publication.hide_in_commune',
      before: null,
      after: { commune_id },
      acteur_id: group.acteur.id,
    },
    { action: 'publication.show_in_commune', before: { commune_id }, after: null },
  ])
})

test('who manages the commune hides there, and nobody else', async () => {
  const group = await openGroup([amont.commune.id])
  const { id } = await publish(group)
  const path = pathOf(amont.commune.id, id)
  for (const by of [amont.publisher, amont.editor]) {
    expect(await by.put(path)).toBeError(403, 'forbidden')
    expect(await by.delete(path)).toBeError(403, 'forbidden')
    expect((await by.get(listOf(amont.commune.id))).body.data[0]).toMatchObject({ id, may_hide: false })
  }
  for (const by of [aval.owner, amont.clubOwner, group.asOwner]) {
    expect(await by.put(path)).toBeError(403, 'scope_violation')
    expect(await by.get(listOf(amont.commune.id))).toBeError(403, 'scope_violation')
  }
  const elsewhere = await restrictedSource(world, [aval.commune.id])
  for (const answer of [
    await amont.owner.put(path, undefined, { source: elsewhere }),
    await amont.owner.delete(path, { source: elsewhere }),
    await amont.owner.get(listOf(amont.commune.id), { source: elsewhere }),
  ])
    expect(answer).toBeError(403, 'scope_violation')
  expect(await hidings(id)).toEqual([])
})

test('a mairie hides nothing but what the public sees of groups in its commune', async () => {
  const group = await openGroup([amont.commune.id])
  const other = await openGroup([aval.commune.id])
  const ofClub = await insertPublication(world, {
    acteur_id: amont.club.id,
    commune_id: amont.commune.id,
  })
  const others = [await publish(other), ofClub, { id: uuidv7() }]
  for (const values of Object.values(hiddenStates)) others.push(await publish(group, values))
  for (const { id } of others)
    for (const method of ['put', 'delete'] as const)
      expect(await amont.owner[method](pathOf(amont.commune.id, id))).toBeError(404, 'not_found')
  const listed = idsOf(await amont.owner.get(`${listOf(amont.commune.id)}?per_page=100`))
  expect(others.filter(({ id }) => listed.includes(id))).toEqual([])
  expect(await admin.get(listOf(uuidv7()))).toBeError(404, 'not_found')
})

test('the list says what a commune hides, and goes on saying it when the commune has left the group', async () => {
  const town = await openMairie(world)
  const group = await openGroup([town.commune.id])
  const [old, recent] = await insertPublications(
    world,
    [2, 1].map((hours) => ({
      acteur_id: group.acteur.id,
      publie_le: sql<Date>`now() - make_interval(hours => ${hours})`,
    })),
  )
  const read = async (query = '') => idsOf(await town.secretary.get(`${listOf(town.commune.id)}${query}`))
  expect(await read()).toEqual([recent?.id, old?.id])
  await town.secretary.put(pathOf(town.commune.id, `${old?.id}`))
  expect(await read()).toEqual([recent?.id, old?.id])
  expect([await read('?hidden=true'), await read('?hidden=false')]).toEqual([[old?.id], [recent?.id]])
  await admin.patch(`/admin/groups/${group.id}`, { commune_ids: [] })
  expect(await read()).toEqual([old?.id])
  const commune = `/publications?commune_id=${town.commune.id}`
  await admin.patch(`/admin/groups/${group.id}`, { commune_ids: [town.commune.id] })
  expect(idsOf(await get(commune))).toEqual([recent?.id])
  await town.secretary.delete(pathOf(town.commune.id, `${old?.id}`))
  expect(idsOf(await get(commune))).toEqual([recent?.id, old?.id])
})

test('a publication of a group for some members is hidden there too', async () => {
  const group = await openGroup(towns)
  const [first, second] = towns as [string, string]
  const { id } = await publish(group, { commune_id: first, commune_ids: [first, second] })
  await amont.owner.put(pathOf(first, id))
  expect(await shownIn(id)).toEqual([second])
  await group.asOwner.patch(`/publications/${id}`, { commune_ids: [first] })
  expect(await shownIn(id)).toEqual([])
  await amont.owner.delete(pathOf(first, id))
  expect(await shownIn(id)).toEqual([first])
})

test('the team of the group reads where it is hidden, and its owners are told by mail unless it is shown at once', async () => {
  const group = await openGroup(towns)
  const { id } = await publish(group)
  const path = pathOf(bourg.commune.id, id)
  const mine = async () => (await group.asOwner.get(`/me/publications/${id}`)).body.data.hidden_in
  expect(await mine()).toEqual([])
  await bourg.secretary.put(path)
  expect(await mine()).toMatchObject([
    { id: bourg.commune.id, slug: bourg.commune.slug, nom: bourg.commune.nom },
  ])
  const [listed] = (await group.asOwner.get('/me/publications')).body.data
  expect(listed.hidden_in).toHaveLength(1)
  const [mail, ...more] = await mailsOf(id)
  expect(more).toEqual([])
  expect(mail).toMatchObject({ kind: 'hidden_in_commune', user_id: group.owner.id, email_status: 'queued' })
  expect(await authorMails.find(db, `${mail?.id}`)).toMatchObject({
    ...{ commune: bourg.commune.nom, total: 1, decided: null },
    subjects: [{ publication_id: id, reason: null }],
  })
  const { rows } = await sql<{ name: string; held: number }>`
    select name, extract(epoch from start_after - created_on)::float as held from pgboss.job
    where data->>'mailId' = ${mail?.id}`.execute(db)
  expect(rows).toMatchObject([{ name: 'publications.tell-of-hiding' }])
  expect(rows[0]?.held).toBeGreaterThan(25)
  await bourg.secretary.delete(path)
  expect(await mailsOf(id)).toEqual([])
  expect(await mine()).toEqual([])
})

test('the public does not read where a publication is hidden', async () => {
  const group = await openGroup(towns)
  const { id } = await publish(group)
  await bourg.secretary.put(pathOf(bourg.commune.id, id))
  expect((await get(`/publications/${id}`)).body.data).not.toHaveProperty('hidden_in')
})

test('the feed says to an application of the commune that it is gone, and that it is published again', async () => {
  const group = await openGroup(towns)
  const { id } = await publish(group)
  const source = await restrictedSource(world, [amont.commune.id])
  const changes = async (since: string, as: string | undefined) => {
    const { data, meta } = (await get(`/publications/changes?since=${since}`, as ? { source: as } : {})).body
    return {
      of: data.filter((one: Asked) => one.id === id).map(({ change }: { change: string }) => change),
      meta,
    }
  }
  const start = (await get('/publications/changes', { source })).body.meta.next
  await amont.owner.put(pathOf(amont.commune.id, id))
  const gone = await changes(start, source)
  expect(gone.of).toEqual(['gone'])
  expect((await changes(start, undefined)).of).not.toContain('gone')
  await amont.owner.delete(pathOf(amont.commune.id, id))
  expect((await changes(gone.meta.next, source)).of).toEqual(['published'])
})

test('of two colleagues who hide at once, one is in the audit log', async () => {
  const group = await openGroup(towns)
  const { id } = await publish(group)
  const path = pathOf(amont.commune.id, id)
  const { answers } = await db.transaction().execute(async (tx) => {
    await sql`select from publications where id = ${id} for no key update`.execute(tx)
    const answers = Promise.all([amont.secretary.put(path), amont.owner.put(path)])
    await untilWaiting(db, 2)
    return { answers }
  })
  const [first, second] = await answers
  expect([first.status, second.status]).toEqual([200, 200])
  expect(first.body.data.hidden_at).toBe(second.body.data.hidden_at)
  expect(await auditedValues(world, id)).toHaveLength(1)
  expect(await mailsOf(id)).toHaveLength(1)
})

test('a publication that is deleted while it is hidden is answered as one that is gone', async () => {
  const group = await openGroup(towns)
  for (const isErased of [false, true]) {
    const { id } = await publish(group)
    const { hidden } = await db.transaction().execute(async (tx) => {
      if (isErased) await sql`delete from publications where id = ${id}`.execute(tx)
      else await sql`update publications set deleted_at = now() where id = ${id}`.execute(tx)
      const hidden = amont.owner.put(pathOf(amont.commune.id, id))
      await untilWaiting(db)
      return { hidden }
    })
    expect(await hidden).toBeError(404, 'not_found')
    expect(await hidings(id)).toEqual([])
  }
  const { id } = await publish(group)
  await amont.owner.put(pathOf(amont.commune.id, id))
  await sql`delete from publications where id = ${id}`.execute(db)
  expect(await hidings(id)).toEqual([])
  expect(await differences()).toEqual([])
})

test('a restored publication is hidden where it was', async () => {
  const group = await openGroup(towns)
  const { id } = await publish(group)
  await amont.owner.put(pathOf(amont.commune.id, id))
  await group.asOwner.delete(`/publications/${id}`)
  expect(await shownIn(id)).toEqual([])
  await sql`update publications set deleted_at = null where id = ${id}`.execute(db)
  expect(await shownIn(id)).toEqual([aval.commune.id, bourg.commune.id])
})

test('hiding holds when the members change at the same time', async () => {
  const town = await openMairie(world)
  const group = await openGroup([town.commune.id, ...towns])
  for (let round = 0; round < 4; round++) {
    const { id } = await publish(group)
    const commune_ids = round % 2 === 0 ? towns : [town.commune.id]
    const [hidden] = await Promise.all([
      amont.owner.put(pathOf(amont.commune.id, id)),
      admin.patch(`/admin/groups/${group.id}`, { commune_ids }),
    ])
    expect([200, 404]).toContain(hidden.status)
    expect(await differences()).toEqual([])
    await admin.patch(`/admin/groups/${group.id}`, { commune_ids: [town.commune.id, ...towns] })
    expect(await shownIn(id)).toEqual(hidden.status === 200 ? towns.slice(1) : towns)
  }
})

test('a mairie that loses its commune meanwhile hides nothing', async () => {
  const town = await openMairie(world)
  const group = await openGroup([town.commune.id])
  const { id } = await publish(group)
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

test('a commune that is deleted takes its hidings along', async () => {
  const town = await world.commune()
  const group = await openGroup([town.id, ...towns])
  const { id } = await publish(group)
  await admin.put(pathOf(town.id, id))
  await sql`delete from communes where id = ${town.id}`.execute(db)
  expect(await hidings(id)).toEqual([])
  expect(await shownIn(id)).toEqual(towns)
  expect(await differences()).toEqual([])
})

test('lists are right before those of a large group have followed its members', async () => {
  const group = await openGroup(towns)
  const rows = await insertPublications(
    world,
    Array.from({ length: 502 }, () => ({ acteur_id: group.acteur.id })),
  )
  const [oldest, newest] = [rows[0]?.id, rows.at(-1)?.id] as [string, string]
  for (const id of [oldest, newest]) await amont.owner.put(pathOf(amont.commune.id, id))
  await admin.patch(`/admin/groups/${group.id}`, { commune_ids: [] })
  await admin.patch(`/admin/groups/${group.id}`, { commune_ids: towns })
  const left = await db.selectFrom('listing_refreshes').select('done').execute()
  expect(left).toEqual([{ done: 500 }])
  const count = async (town: string, more = '') =>
    (await get(`/publications?group_id=${group.id}&commune_id=${town}${more}`)).body.meta.total
  expect([await count(amont.commune.id), await count(aval.commune.id)]).toEqual([500, 502])
  expect(await count(amont.commune.id, '&q=texte')).toBe(500)
  await sql`delete from publications where acteur_id = ${group.acteur.id}`.execute(db)
})

const aTown = fc.nat(2)
const change = fc.oneof(
  fc.record({ kind: fc.constant('members' as const), group: fc.nat(1), towns: fc.subarray([0, 1, 2]) }),
  fc.record({ kind: fc.constant('publish' as const), group: fc.nat(1), towns: fc.subarray([0, 1, 2]) }),
  fc.record({ kind: fc.constant('attach' as const), which: fc.nat(20), towns: fc.subarray([0, 1, 2]) }),
  fc.record({ kind: fc.constant('hide' as const), which: fc.nat(20), town: aTown }),
  fc.record({ kind: fc.constant('show' as const), which: fc.nat(20), town: aTown }),
  fc.record({ kind: fc.constant('switch' as const), which: fc.nat(20) }),
)
type Published = { id: string; group: number; towns: number[]; hidden: Set<number>; isPublic: boolean }

test('whatever groups, members, publications and hidings, each commune lists its own or its groups’, without what it hides', async () => {
  const groups = [await openGroup([]), await openGroup([])] as const
  const mairies = [amont, aval, bourg] as const
  const ids = (which: number[]) => which.map((at) => towns[at] ?? '')
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 4, maxLength: 12 }), async (changes) => {
      const members: number[][] = [[], []]
      const published: Published[] = []
      for (const group of groups) await admin.patch(`/admin/groups/${group.id}`, { commune_ids: [] })
      const placesOf = (one: Published) => (one.towns.length > 0 ? one.towns : (members[one.group] ?? []))
      for (const step of changes) {
        if (step.kind === 'members') {
          members[step.group] = step.towns
          await admin.patch(`/admin/groups/${groups[step.group as 0].id}`, { commune_ids: ids(step.towns) })
          continue
        }
        if (step.kind === 'publish') {
          const [first = null] = ids(step.towns)
          const { id } = await publish(groups[step.group as 0], {
            commune_id: first,
            commune_ids: ids(step.towns),
          })
          published.push({ id, group: step.group, towns: step.towns, hidden: new Set(), isPublic: true })
          continue
        }
        const one = published[step.which % Math.max(1, published.length)]
        if (one === undefined) continue
        if (step.kind === 'attach') {
          await sql`delete from publication_communes where publication_id = ${one.id}`.execute(db)
          if (step.towns.length > 0)
            await sql`insert into publication_communes (publication_id, commune_id)
              select ${one.id}, unnest(${ids(step.towns)}::uuid[])`.execute(db)
          one.towns = step.towns
        } else if (step.kind === 'switch') {
          one.isPublic = !one.isPublic
          await sql`update publications set valide = ${one.isPublic} where id = ${one.id}`.execute(db)
        } else {
          const path = pathOf(towns[step.town] ?? '', one.id)
          const by = mairies[step.town as 0].secretary
          const isKnown = one.isPublic && (placesOf(one).includes(step.town) || one.hidden.has(step.town))
          const { status } = step.kind === 'hide' ? await by.put(path) : await by.delete(path)
          expect(status).toBe(isKnown ? 200 : 404)
          if (isKnown && step.kind === 'hide') one.hidden.add(step.town)
          if (isKnown && step.kind === 'show') one.hidden.delete(step.town)
        }
      }
      for (const one of published) {
        const shown = one.isPublic ? placesOf(one).filter((town) => !one.hidden.has(town)) : []
        expect(await shownIn(one.id)).toEqual(ids(shown.toSorted()))
      }
      expect(await differences()).toEqual([])
    }),
    { numRuns: propertyRuns(1 / 8), endOnFailure: true },
  )
})
