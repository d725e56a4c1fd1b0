import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { fc, propertyRuns } from '../../../test/support/fast-check.ts'
import { untilWaiting } from '../../../test/support/locks.ts'
import { explain, gatherStatistics, readWhole, visitedBy, watch } from '../../../test/support/plans.ts'
import { openWorld } from '../../../test/support/world.ts'
import { uuidv7 } from '../../platform/formats/uuid.ts'
import { pagingOf } from '../../platform/http/listing/paging.ts'
import { refreshLists } from '../acteurs/refresh-lists.ts'
import {
  insertPublication,
  insertPublications,
  openAssociation,
  restrictedSource,
} from './publications.test-kit.ts'
import { listShown } from './reading/queries.ts'
import { isFeatured } from './stored-lists.ts'

const world = await openWorld()
const { db, database, pool, get, client } = world
const admin = await world.as('admin')
const towns = await Promise.all(Array.from({ length: 4 }, () => world.commune()))
const [amont, aval, bourg, ailleurs] = towns.map(({ id }) => id) as [string, string, string, string]

let number = 0
async function openGroup(commune_ids: string[]) {
  const acteur = await world.acteur({ type: 'intercommunalite', valide: true, can_publish: true })
  const owner = await world.user({ memberships: [{ acteur, role: 'owner' }] })
  const body = { nom: `Syndicat ${++number}`, kind: 'syndicat', acteur_id: acteur.id, commune_ids }
  const { id } = (await admin.post('/admin/groups', body)).body.data
  return { id, acteur, asOwner: client({ token: owner.token }) }
}
type Group = Awaited<ReturnType<typeof openGroup>>

async function publish({ acteur, asOwner }: Group, values: object = {}) {
  const content = { title: 'Collecte reportée', body: 'En raison de la neige.', acteur_id: acteur.id }
  const { status, body, text } = await asOwner.post('/publications', { ...content, ...values })
  expect(status, text).toBe(201)
  return body.data
}
const idsOf = async (path: string): Promise<string[]> =>
  (await get(path)).body.data.map(({ id }: { id: string }) => id)

/** The towns in whose list a publication is. */
async function shownIn(id: string): Promise<string[]> {
  const shown = await Promise.all(
    towns.map(async (town) =>
      (await idsOf(`/publications?commune_id=${town.id}`)).includes(id) ? [town.id] : [],
    ),
  )
  return shown.flat()
}

/** Rows of the stored lists that differ from the visibility rule. */
async function differences() {
  const { rows } = await sql`
    (select * from publication_listings except select * from listed_publications)
    union all (select * from listed_publications except select * from publication_listings)`.execute(db)
  return rows
}

test('without communes of its own, a publication of a group is in the lists of all members', async () => {
  const group = await openGroup([amont, aval])
  const { id, ...made } = await publish(group, { date_debut: '2099-01-05' })
  expect(made).toMatchObject({ commune_id: null, commune_ids: [] })
  expect(await shownIn(id)).toEqual([amont, aval])
  for (const path of [
    `/publications?group_id=${group.id}`,
    `/publications?group_id=${group.id}&acteur_id=${group.acteur.id}`,
    `/publications?group_id=${group.id}&commune_id=${aval}`,
    `/publications?group_id=${group.id}&updated_since=2020-01-01T00:00:00Z`,
    `/communes/${aval}/publications`,
    `/publications?commune_id=${aval}&q=neige`,
    `/publications?commune_id=${aval}&sort=date_debut_asc&date_fin_min=2099-01-01`,
  ])
    expect(await idsOf(path), path).toContain(id)
  for (const path of [
    `/publications?group_id=${group.id}&acteur_id=${uuidv7()}`,
    `/publications?group_id=${group.id}&commune_id=${ailleurs}`,
    `/publications?group_id=${uuidv7()}`,
    `/publications?commune_id=${ailleurs}&q=neige`,
  ])
    expect(await idsOf(path), path).not.toContain(id)
  expect(await get('/publications?group_id=x')).toBeError(422, 'validation_failed')
})

test('a publication of a group may be for some of its members, and for all again', async () => {
  const group = await openGroup([amont, aval, bourg])
  const { id } = await publish(group, { commune_ids: [amont, bourg] })
  expect(await shownIn(id)).toEqual([amont, bourg])
  const path = `/publications/${id}`
  for (const [commune_ids, shown] of [
    [[], [amont, aval, bourg]],
    [[aval], [aval]],
    [[], [amont, aval, bourg]],
  ]) {
    const { status, body, text } = await group.asOwner.patch(path, { commune_ids })
    expect(status, text).toBe(200)
    expect(body.data.commune_ids).toEqual(commune_ids)
    expect(await shownIn(id)).toEqual(shown)
  }
  expect(await differences()).toEqual([])
})

test('a group publishes for no other commune, and nobody else without a commune', async () => {
  const group = await openGroup([amont])
  const content = { title: 'Collecte', body: 'Lundi.', acteur_id: group.acteur.id }
  const foreign = await group.asOwner.post('/publications', { ...content, commune_ids: [amont, ailleurs] })
  expect(foreign).toBeError(403, 'scope_violation')
  const { id } = await publish(group)
  const moved = await group.asOwner.patch(`/publications/${id}`, { commune_id: ailleurs })
  expect(moved).toBeError(403, 'scope_violation')
  const club = await openAssociation(world)
  const nowhere = await club.asOwner.post('/publications', { ...club.content, commune_ids: [] })
  expect(nowhere).toBeError(422, 'validation_failed')
  expect(nowhere.body.details).toMatchObject([{ field: 'commune_ids' }])
})

test('the lists follow the members and the acteur of a group', async () => {
  const group = await openGroup([amont])
  const { id } = await publish(group)
  const path = `/admin/groups/${group.id}`
  const another = await world.acteur({ type: 'intercommunalite', valide: true })
  for (const [change, shown] of [
    [{ commune_ids: [amont, bourg] }, [amont, bourg]],
    [{ commune_ids: [bourg] }, [bourg]],
    [{ acteur_id: another.id }, []],
    [{ acteur_id: group.acteur.id, commune_ids: [aval] }, [aval]],
    [{ acteur_id: null }, []],
    [{ acteur_id: group.acteur.id }, [aval]],
  ] as const) {
    expect((await admin.patch(path, change)).status).toBe(200)
    expect(await shownIn(id)).toEqual(shown)
  }
  await admin.delete(path)
  expect(await shownIn(id)).toEqual([])
  expect(await idsOf(`/publications?acteur_id=${group.acteur.id}`)).toEqual([id])
  expect(await differences()).toEqual([])
})

test('a commune in two groups of one acteur shows a publication once', async () => {
  const group = await openGroup([amont, aval])
  const body = { nom: 'Eaux', kind: 'syndicat', acteur_id: group.acteur.id, commune_ids: [aval, bourg] }
  expect((await admin.post('/admin/groups', body)).status).toBe(201)
  const { id } = await publish(group)
  expect(await shownIn(id)).toEqual([amont, aval, bourg])
  expect((await idsOf(`/publications?commune_id=${aval}`)).filter((one) => one === id)).toEqual([id])
})

test('an application that is restricted to communes sees and writes what its groups publish there', async () => {
  const group = await openGroup([amont, aval])
  const { id } = await publish(group)
  const [within, outside, whole] = await Promise.all(
    [[aval], [ailleurs], [amont, aval, bourg]].map((communes) => restrictedSource(world, communes)),
  )
  const at = (path: string, source: string | undefined) => get(path, { source: source ?? null })
  for (const path of [
    `/publications?group_id=${group.id}`,
    '/publications',
    `/publications?commune_id=${amont}`,
  ]) {
    const ids = async (source: string | undefined) =>
      (await at(path, source)).body.data.map((one: { id: string }) => one.id)
    expect(await ids(within), path).toContain(id)
    expect(await ids(outside), path).not.toContain(id)
  }
  expect((await at(`/publications/${id}`, within)).status).toBe(200)
  expect(await at(`/publications/${id}`, outside)).toBeError(403, 'scope_violation')
  const content = { title: 'Collecte', body: 'Lundi.', acteur_id: group.acteur.id }
  const post = (source: string | undefined) =>
    group.asOwner.post('/publications', content, { source: source ?? null })
  expect(await post(within)).toBeError(403, 'scope_violation')
  expect((await post(whole)).status).toBe(201)
})

test('a mairie decides on nothing that a group publishes, also for its commune alone', async () => {
  const mairie = await world.acteur({ type: 'mairie', valide: true, can_publish: true })
  const town = await world.commune({ mairie_actor_id: mairie.id })
  const mayor = await world.user({ memberships: [{ acteur: mairie, role: 'owner' }] })
  const group = await openGroup([town.id])
  const asMayor = client({ token: mayor.token })
  for (const values of [{}, { commune_ids: [town.id] }]) {
    const { id } = await publish(group, values)
    const path = `/mairie/acteurs/${mairie.id}/publications`
    const { body } = await asMayor.get(`${path}?supervision=only`)
    expect(body.data.map((one: { id: string }) => one.id)).not.toContain(id)
  }
})

test('a publication that is written while the members change is in their lists', async () => {
  const group = await openGroup([amont])
  const { id, changed } = await db.transaction().execute(async (tx) => {
    const { id } = await insertPublication({ db: tx }, { acteur_id: group.acteur.id })
    const changed = admin.patch(`/admin/groups/${group.id}`, { commune_ids: [aval] })
    await untilWaiting(db)
    return { id, changed }
  })
  expect((await changed).status).toBe(200)
  expect(await shownIn(id)).toEqual([aval])
  for (let round = 0; round < 5; round++) {
    const members = round % 2 === 0 ? [amont, bourg] : [aval]
    const [, made] = await Promise.all([
      admin.patch(`/admin/groups/${group.id}`, { commune_ids: members }),
      publish(group),
    ])
    expect((await shownIn(made.id)).toSorted()).toEqual(members.toSorted())
  }
  expect(await differences()).toEqual([])
})

test('lists are right before those of a large group have followed its members, and after', async () => {
  const group = await openGroup([amont])
  const values = Array.from({ length: 501 }, () => ({ acteur_id: group.acteur.id }))
  await insertPublications(world, values)
  const count = async (town: string) =>
    (await get(`/publications?group_id=${group.id}&commune_id=${town}`)).body.meta.total
  await admin.patch(`/admin/groups/${group.id}`, { commune_ids: [aval] })
  const left = db.selectFrom('listing_refreshes').select('done').where('acteur_id', '=', group.acteur.id)
  expect(await left.execute()).toEqual([{ done: 500 }])
  expect([await count(amont), await count(aval)]).toEqual([0, 501])
  await refreshLists(db, group.acteur.id, new AbortController().signal)
  expect(await left.execute()).toEqual([])
  expect([await count(amont), await count(aval)]).toEqual([0, 501])
  expect(await differences()).toEqual([])
})

const someTowns = fc.subarray([0, 1, 2, 3])
const change = fc.oneof(
  fc.record({ kind: fc.constant('members' as const), group: fc.nat(2), towns: someTowns }),
  fc.record({ kind: fc.constant('publish' as const), group: fc.nat(2), towns: someTowns }),
  fc.record({ kind: fc.constant('attach' as const), which: fc.nat(20), towns: someTowns }),
)

test('whatever groups, members and publications, each member shows what its groups publish for it', async () => {
  const groups = [await openGroup([]), await openGroup([]), await openGroup([])] as const
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 3, maxLength: 8 }), async (changes) => {
      const members: number[][] = [[], [], []]
      const published: { id: string; group: number; towns: number[] }[] = []
      for (const group of groups) await admin.patch(`/admin/groups/${group.id}`, { commune_ids: [] })
      const ids = (which: number[]) => which.map((at) => towns[at]?.id ?? '')
      for (const step of changes) {
        if (step.kind === 'members') {
          members[step.group] = step.towns
          await admin.patch(`/admin/groups/${groups[step.group as 0].id}`, { commune_ids: ids(step.towns) })
        } else if (step.kind === 'publish') {
          const group = groups[step.group as 0]
          const own = step.towns.filter((town) => members[step.group]?.includes(town))
          const { id } = await publish(group, { commune_ids: ids(own) })
          published.push({ id, group: step.group, towns: own })
        } else {
          const one = published[step.which % Math.max(1, published.length)]
          if (one === undefined) continue
          one.towns = step.towns
          const { status } = await admin.patch(`/publications/${one.id}`, { commune_ids: ids(step.towns) })
          expect(status).toBe(200)
        }
      }
      for (const { id, group, towns: own } of published) {
        const expected = own.length > 0 ? own : (members[group] ?? [])
        expect(await shownIn(id)).toEqual(ids(expected.toSorted()))
      }
      expect(await differences()).toEqual([])
    }),
    { numRuns: propertyRuns(1 / 8), endOnFailure: true },
  )
})

test('the list of a commune in three groups reads its own rows by an index, whatever they publish', async () => {
  const town = await world.commune()
  for (let n = 0; n < 3; n++) {
    const group = await openGroup([town.id, ailleurs])
    const values = Array.from({ length: 700 }, () => ({ acteur_id: group.acteur.id }))
    await insertPublications(world, values)
  }
  await gatherStatistics(database, ['publications', 'publication_listings', 'groups', 'group_communes'])
  const watched = watch(pool)
  const list = { filters: { commune_id: town.id }, communeIds: null, comesFirst: isFeatured }
  const { rows, total } = await listShown(watched.db, list, pagingOf({}, 20))
  expect([rows.length, total]).toEqual([20, 2_100])
  expect(watched.statements).toHaveLength(1)
  for (const statement of watched.statements) {
    const steps = await explain(pool, statement)
    expect(readWhole(steps)).not.toContain('publication_listings')
    expect(readWhole(steps)).not.toContain('publications')
    const read = steps.filter((step) => step['Relation Name'] === 'publications').map(visitedBy)
    expect(Math.max(...read)).toBeLessThanOrEqual(20)
  }
})
