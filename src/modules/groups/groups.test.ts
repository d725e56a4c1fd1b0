import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { untilWaiting } from '../../../test/support/locks.ts'
import { openWorld, run } from '../../../test/support/world.ts'
import { uuidv7 } from '../../platform/formats/uuid.ts'
import { maxMembers } from './schema.ts'

const world = await openWorld()
const { as, acteur, commune, database, db } = world
const admin = await as('admin')

let number = 0
const fresh = (values: object = {}) => ({ nom: `Syndicat des eaux ${++number}`, kind: 'syndicat', ...values })
async function made(values: object = {}) {
  const { status, body, text } = await admin.post('/admin/groups', fresh(values))
  expect(status, text).toBe(201)
  return body.data
}
const idsOf = async (query: string): Promise<string[]> => {
  const { status, body, text } = await admin.get(`/admin/groups?per_page=100&${query}`)
  expect(status, text).toBe(200)
  return body.data.map(({ id }: { id: string }) => id)
}
const entriesOf = async (id: string) =>
  (await admin.get(`/admin/audit?entity=group&entity_id=${id}`)).body.data.toReversed()

test('POST /admin/groups returns 201 with the group and its members by name', async () => {
  const [verte, aval] = [await commune({ nom: 'Verte' }), await commune({ nom: 'Aval' })]
  const { status, body, headers } = await admin.post('/admin/groups', {
    nom: 'CC Œuf & Vallée',
    kind: 'epci',
    siren: '200000001',
    // Repeats an id in another case: it counts once.
    commune_ids: [verte.id, aval.id.toUpperCase(), aval.id],
  })
  expect(status).toBe(201)
  const shown = ({ id, slug, nom }: typeof aval) => expect.objectContaining({ id, slug, nom })
  expect(body.data).toMatchObject({
    nom: 'CC Œuf & Vallée',
    slug: 'cc-oeuf-vallee',
    kind: 'epci',
    siren: '200000001',
    communes_count: 2,
    communes: [shown(aval), shown(verte)],
    version: 1,
    can: ['edit', 'delete'],
  })
  expect(headers.get('location')).toBe(`/api/v1/admin/groups/${body.data.id}`)
  const read = await admin.get(`/admin/groups/${body.data.id}`)
  expect(read.body.data).toEqual(body.data)
  expect(read.headers.get('etag')).toBe('"1"')
})

test('a commune belongs to several groups, and commune_id finds them', async () => {
  const { id } = await commune()
  const groups = [await made({ commune_ids: [id] }), await made({ commune_ids: [id] })]
  await made()
  expect((await idsOf(`commune_id=${id}`)).toSorted()).toEqual(groups.map((one) => one.id).toSorted())
  expect(await idsOf(`commune_id=${id}&sort=created_at_desc`)).toEqual(
    groups.map((one) => one.id).toReversed(),
  )
  expect(await idsOf(`commune_id=${uuidv7()}`)).toEqual([])
})

test('GET /admin/groups filters by q, kind and ids, and sorts', async () => {
  const lisiere = await made({ nom: 'CC de la Lisière d’Ézy', kind: 'epci', siren: '311000002' })
  const ordures = await made({ nom: 'Ordures d’Ezy', kind: 'autre' })
  for (const [query, expected] of [
    ['q=lisiere', [lisiere]],
    ['q=3110000', [lisiere]],
    ['q=EZY&sort=nom_desc', [ordures, lisiere]],
    ['q=ezy&kind=autre', [ordures]],
    ['q=ezy&kind=epci,autre', [lisiere, ordures]],
    ['q=zy', []],
    [`ids=${ordures.id}`, [ordures]],
    [`ids=${ordures.id}&kind=epci`, []],
  ] as const)
    expect(await idsOf(query), query).toEqual(expected.map(({ id }) => id))
  expect((await admin.get('/admin/groups?q=ezy')).body.meta).toMatchObject({ total: 2, last_page: 1 })
  for (const wrong of ['kind=canton', 'sort=siren_asc', 'commune_id=x', 'page=0', 'nom=x'])
    expect(await admin.get(`/admin/groups?${wrong}`), wrong).toBeError(422, 'validation_failed')
})

test('POST and PATCH return 422 for an invalid body, and name a commune that does not exist', async () => {
  const { id } = await made()
  const town = await commune()
  for (const wrong of [
    { nom: ' ' },
    { nom: '…' },
    { nom: 'x'.repeat(201) },
    { kind: 'canton' },
    { siren: '12345678' },
    { slug: 'Syndicat' },
    { slug: uuidv7() },
    { commune_ids: ['x'] },
    { communes: [town.id] },
    { commune_ids: Array(maxMembers + 1).fill(town.id) },
  ]) {
    expect(await admin.post('/admin/groups', fresh(wrong))).toBeError(422, 'validation_failed')
    expect(await admin.patch(`/admin/groups/${id}`, wrong)).toBeError(422, 'validation_failed')
  }
  expect(await admin.patch(`/admin/groups/${id}`, {})).toBeError(422, 'validation_failed')
  const commune_ids = [town.id, uuidv7()]
  for (const answer of [
    await admin.post('/admin/groups', fresh({ commune_ids })),
    await admin.patch(`/admin/groups/${id}`, { commune_ids }),
  ]) {
    expect(answer).toBeError(422, 'validation_failed')
    expect(answer.body.details).toEqual([{ field: 'commune_ids.1', message: 'is the id of no commune' }])
  }
  expect((await admin.get(`/admin/groups/${id}`)).body.data).toMatchObject({ version: 1, communes: [] })
})

test('only administrators manage groups', async () => {
  const { id } = await made()
  const moderator = await as('moderator')
  for (const answer of [
    await moderator.get('/admin/groups'),
    await moderator.post('/admin/groups', fresh()),
    await moderator.get(`/admin/groups/${id}`),
    await moderator.patch(`/admin/groups/${id}`, { nom: 'Autre' }),
    await moderator.delete(`/admin/groups/${id}`),
  ])
    expect(answer).toBeError(403, 'admin_required')
})

test('GET, PATCH and DELETE return 404 for an unknown group', async () => {
  for (const id of [uuidv7(), 'x']) {
    expect(await admin.get(`/admin/groups/${id}`)).toBeError(404, 'not_found')
    expect(await admin.patch(`/admin/groups/${id}`, { nom: 'Autre' })).toBeError(404, 'not_found')
    expect(await admin.delete(`/admin/groups/${id}`)).toBeError(404, 'not_found')
  }
})

test('a slug of the name gets a suffix where it is taken; one that is given returns 409', async () => {
  const nom = 'CC des Quatre Rivières'
  const first = await made({ nom })
  const second = await made({ nom })
  expect([first.slug, second.slug]).toEqual([
    'cc-des-quatre-rivieres',
    `cc-des-quatre-rivieres-${second.id.slice(-6)}`,
  ])
  expect(await admin.post('/admin/groups', fresh({ slug: first.slug }))).toBeError(409, 'slug_taken')
  expect(await admin.patch(`/admin/groups/${second.id}`, { slug: first.slug })).toBeError(409, 'slug_taken')
  await made({ siren: '200000003' })
  expect(await admin.post('/admin/groups', fresh({ siren: '200000003' }))).toBeError(409, 'conflict')
  expect(await admin.patch(`/admin/groups/${second.id}`, { siren: '200000003' })).toBeError(409, 'conflict')
})

test('of concurrent groups of one name each gets a slug, of one slug one is created', async () => {
  const alike = fresh()
  const named = await Promise.all(Array.from({ length: 5 }, () => admin.post('/admin/groups', alike)))
  expect(named.map(({ status }) => status)).toEqual(Array(5).fill(201))
  expect(new Set(named.map(({ body }) => body.data.slug)).size).toBe(5)
  const slugged = fresh({ slug: 'course' })
  const answers = await Promise.all(Array.from({ length: 5 }, () => admin.post('/admin/groups', slugged)))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409, 409, 409])
})

test('PATCH replaces the members, increments the version, and changes nothing where nothing differs', async () => {
  const [first, second, third] = [await commune(), await commune(), await commune()]
  const { id } = await made({ commune_ids: [first.id, second.id] })
  const path = `/admin/groups/${id}`
  const { body, headers } = await admin.patch(path, { commune_ids: [third.id, second.id] })
  expect(body.data).toMatchObject({ communes_count: 2, version: 2 })
  expect(headers.get('etag')).toBe('"2"')
  expect(new Set(body.data.communes.map((one: { id: string }) => one.id))).toEqual(
    new Set([second.id, third.id]),
  )
  for (const same of [{ commune_ids: [second.id, third.id] }, { kind: 'syndicat' }])
    expect((await admin.patch(path, same)).body.data.version).toBe(2)
  expect((await admin.patch(path, { nom: 'Eaux', siren: null })).body.data).toMatchObject({
    ...{ nom: 'Eaux', version: 3, communes_count: 2 },
    slug: expect.stringMatching(/^syndicat-/),
  })
  const named = ({ nom, code_insee }: typeof first) => `${nom} (${code_insee})`
  expect(await entriesOf(id)).toMatchObject([
    { action: 'group.create', after: { communes_added: [first, second].map(named) } },
    {
      action: 'group.update',
      before: null,
      after: { communes_added: [named(third)], communes_removed: [named(first)] },
    },
    { action: 'group.update', after: { nom: 'Eaux' } },
  ])
})

test('of concurrent changes of one version one succeeds; without a version all do', async () => {
  const { id } = await made()
  const path = `/admin/groups/${id}`
  const towns = await Promise.all(Array.from({ length: 6 }, () => commune()))
  const change = (headers: Record<string, string>) =>
    Promise.all(towns.map((town) => admin.patch(path, { commune_ids: [town.id] }, { headers })))
  const answers = await change({ 'if-match': '"1"' })
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(5).fill(412)])
  expect((await change({})).map(({ status }) => status)).toEqual(Array(6).fill(200))
  expect((await admin.get(path)).body.data.communes_count).toBe(1)
})

test('DELETE returns the group as it last was, 412 for an outdated version, and leaves its communes', async () => {
  const town = await commune()
  const { id, nom, slug, version } = await made({ commune_ids: [town.id] })
  const path = `/admin/groups/${id}`
  await admin.patch(path, { kind: 'autre' })
  const old = { headers: { 'if-match': `"${version}"` } }
  expect(await admin.delete(path, old)).toBeError(412, 'precondition_failed')
  expect(await admin.patch(path, { nom: 'Autre' }, old)).toBeError(412, 'precondition_failed')
  const { status, body } = await admin.delete(path)
  expect(status).toBe(200)
  expect(body.data).toMatchObject({ id, nom, slug, can: [], communes_count: 1, communes: [{ id: town.id }] })
  expect(await admin.get(path)).toBeError(404, 'not_found')
  expect((await admin.get(`/admin/communes/${town.id}/full`)).status).toBe(200)
  const [entry] = (await entriesOf(id)).slice(-1)
  expect(entry).toMatchObject({
    action: 'group.delete',
    before: { nom, slug, communes_removed: [`${town.nom} (${town.code_insee})`] },
    after: null,
    summary: expect.stringContaining(nom),
  })
})

test('a change that waits for a deletion of the group returns 404', async () => {
  const { id } = await made()
  const answers = db.transaction().execute(async (tx) => {
    await sql`delete from groups where id = ${id}`.execute(tx)
    const changed = admin.patch(`/admin/groups/${id}`, { nom: 'Autre' })
    const deleted = admin.delete(`/admin/groups/${id}`)
    await untilWaiting(db, 2)
    return { changed, deleted }
  })
  const { changed, deleted } = await answers
  expect(await changed).toBeError(404, 'not_found')
  expect(await deleted).toBeError(404, 'not_found')
})

test('a change that waits for the deletion of a commune returns 422; a deleted commune leaves its groups', async () => {
  const [kept, gone] = [await commune(), await commune()]
  const { id } = await made({ commune_ids: [kept.id] })
  const other = await made({ commune_ids: [kept.id, gone.id] })
  const { changed } = await db.transaction().execute(async (tx) => {
    await sql`delete from communes where id = ${gone.id}`.execute(tx)
    const changed = admin.patch(`/admin/groups/${id}`, { commune_ids: [gone.id, kept.id] })
    await untilWaiting(db)
    return { changed }
  })
  expect((await changed).body.details).toMatchObject([{ field: 'commune_ids.0' }])
  const { communes } = (await admin.get(`/admin/groups/${other.id}`)).body.data
  expect(communes.map((one: { id: string }) => one.id)).toEqual([kept.id])
})

test('a group has 545 members and more', async () => {
  await run(
    database.owner,
    `insert into communes (id, slug, nom, code_insee, departement, region)
     select gen_random_uuid(), 'membre-' || n, 'Membre ' || n, '97' || lpad(n::text, 3, '0'), '97', '97'
     from generate_series(0, 999) n`,
  )
  const { rows } = await sql<{
    id: string
  }>`select id from communes where departement = '97' order by id`.execute(db)
  const ids = rows.map(({ id }) => id)
  const { id, communes_count } = await made({ commune_ids: ids.slice(0, 545) })
  expect(communes_count).toBe(545)
  const { body } = await admin.patch(`/admin/groups/${id}`, { commune_ids: ids.slice(400) })
  expect(body.data.communes_count).toBe(600)
  const [last] = (await entriesOf(id)).slice(-1)
  expect(last.after.communes_added).toHaveLength(455)
  expect(last.after.communes_removed).toHaveLength(400)
})

test('an acteur of the type intercommunalite is named by groups, and is shown with them', async () => {
  const { id: acteur_id, slug, nom } = await acteur({ type: 'intercommunalite', valide: true })
  const { id, acteur: named, ...created } = await made({ acteur_id })
  expect(named).toEqual({ id: acteur_id, slug, nom })
  expect(created.acteur_id).toBe(acteur_id)
  const read = async () => (await world.get(`/groups/${id}`)).body.data.acteur
  expect(await read()).toEqual(named)
  expect((await admin.get(`/admin/acteurs/${acteur_id}`)).body.data.groups).toEqual([
    { id, slug: created.slug, nom: created.nom },
  ])
  const path = `/admin/groups/${id}`
  const old = { headers: { 'if-match': '"7"' } }
  expect(await admin.patch(path, { acteur_id: null }, old)).toBeError(412, 'precondition_failed')
  const { body } = await admin.patch(path, { acteur_id: null }, { headers: { 'if-match': '"1"' } })
  expect(body.data).toMatchObject({ acteur_id: null, acteur: null, version: 2 })
  expect(await read()).toBeNull()
  expect(await entriesOf(id)).toMatchObject([
    { after: { acteur_id } },
    { action: 'group.update', before: { acteur_id }, after: { acteur_id: null } },
  ])
})

test('the public is shown no acteur that is hidden', async () => {
  const { id: acteur_id } = await acteur({ type: 'intercommunalite', valide: true, active: false })
  const { id, acteur: named } = await made({ acteur_id })
  expect(named.id).toBe(acteur_id)
  expect((await world.get(`/groups/${id}`)).body.data.acteur).toBeNull()
})

test('a group names no acteur of another type, and the type of one that is named stays', async () => {
  const { id } = await made()
  for (const acteur_id of [(await acteur({ type: 'mairie' })).id, uuidv7()])
    for (const answer of [
      await admin.post('/admin/groups', fresh({ acteur_id })),
      await admin.patch(`/admin/groups/${id}`, { acteur_id }),
    ]) {
      expect(answer).toBeError(422, 'validation_failed')
      expect(answer.body.details).toMatchObject([{ field: 'acteur_id' }])
    }
  const { id: acteur_id } = await acteur({ type: 'intercommunalite' })
  await admin.patch(`/admin/groups/${id}`, { acteur_id })
  const change = { type: 'autre' }
  expect(await admin.patch(`/admin/acteurs/${acteur_id}`, change)).toBeError(409, 'conflict')
  await admin.patch(`/admin/groups/${id}`, { acteur_id: null })
  expect((await admin.patch(`/admin/acteurs/${acteur_id}`, change)).status).toBe(200)
})

test('of a change of the type and a group that names the acteur at once, one is refused', async () => {
  for (let round = 0; round < 5; round++) {
    const { id: acteur_id } = await acteur({ type: 'intercommunalite' })
    const { id } = await made()
    const statuses = await Promise.all([
      admin.patch(`/admin/groups/${id}`, { acteur_id }),
      admin.patch(`/admin/acteurs/${acteur_id}`, { type: 'autre' }),
    ])
    expect([
      [200, 409],
      [422, 200],
    ]).toContainEqual(statuses.map(({ status }) => status))
  }
})
