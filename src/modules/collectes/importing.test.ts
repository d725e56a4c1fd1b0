import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { untilWaiting } from '../../../test/support/locks.ts'
import { openWorld } from '../../../test/support/world.ts'
import { collectesKit, formOf, tableOf } from './collectes.test-kit.ts'
import { sweepHandler } from './sweep.ts'

const world = await openWorld()
const { db, setClock } = world
setClock('2026-11-29T10:00:00.000Z')
const { admin, openTerritory, collectesOf, setCollectes } = await collectesKit(world)

const glass = { type_dechet: 'verre', libelle: 'Verre', mode: 'apport_volontaire' }
const bin = { type_dechet: 'emballages', libelle: 'Bac jaune', mode: 'porte_a_porte', jours: ['mardi'] }
const row = { type: 'emballages', libelle: 'Bac jaune', jours: 'mercredi' }

/** Communes, each with a yellow bin on Tuesdays and a container for glass. */
async function towns(count: number) {
  const made = await Promise.all(Array.from({ length: count }, () => world.commune()))
  for (const { id } of made) await setCollectes(id, [bin, glass])
  return made as [(typeof made)[0], (typeof made)[0], ...typeof made]
}
const versionOf = async (id: string) => (await admin.get(`/admin/communes/${id}/full`)).body.data.version
const resultsOf = (one: { communes: { commune_id: string; result: string; undo_result: string }[] }) =>
  new Map(one.communes.map(({ commune_id, result, undo_result }) => [commune_id, undo_result ?? result]))

test('a file is checked, applied and undone; only the communes that it names change', async () => {
  const [amont, aval, bourg] = await towns(3)
  const group = await openTerritory([amont.id, aval.id, bourg?.id ?? ''])
  const before = await Promise.all([amont, aval, bourg].map((town) => collectesOf(town?.id ?? '')))
  const checked = await group.check(
    tableOf(
      { ...row, code_insee: amont.code_insee },
      { ...row, commune: aval.nom.toUpperCase(), consignes: 'La veille.' },
    ),
  )
  expect(checked).toMatchObject({
    ...{ kind: 'csv', state: 'checked', communes_count: 2, to_replace: 2, problem_count: 0, can: ['apply'] },
    communes: expect.arrayContaining([
      {
        commune_id: amont.id,
        nom: amont.nom,
        code_insee: amont.code_insee,
        ...{ added: 0, removed: 1, changed: 1, unchanged: 0 },
        result: null,
        undo_result: null,
      },
    ]),
  })
  expect(await collectesOf(amont.id)).toEqual(before[0])

  const version = await versionOf(amont.id)
  const { body } = await group.apply(checked.id)
  expect(body.data).toMatchObject({ state: 'applied', replaced: 2, can: ['undo'] })
  const [old] = before[0]
  expect(await collectesOf(amont.id)).toEqual([{ ...old, jours: ['mercredi'] }])
  expect(await collectesOf(bourg?.id ?? '')).toEqual(before[2])
  expect(await versionOf(amont.id)).toBe(version + 1)
  expect((await group.owner.get(group.path)).body.data).toMatchObject([{ id: checked.id, state: 'applied' }])

  const { body: undone } = await group.undo(checked.id)
  expect(undone.data).toMatchObject({ state: 'undone', restored: 2, can: [] })
  expect(await Promise.all([amont, aval].map(({ id }) => collectesOf(id)))).toEqual(before.slice(0, 2))
})

test('applying and undoing answer the same when they are repeated, and write nothing', async () => {
  const [amont] = await towns(1)
  const group = await openTerritory([amont.id])
  const { id } = await group.check(tableOf({ ...row, code_insee: amont.code_insee }))
  const together = await Promise.all([group.apply(id), group.apply(id)])
  expect(together.map(({ status }) => status)).toEqual([200, 200])
  expect(together[0].body).toEqual(together[1].body)
  const version = await versionOf(amont.id)
  expect((await group.apply(id)).body).toEqual(together[0].body)
  expect(await versionOf(amont.id)).toBe(version)
  const undone = await group.undo(id)
  expect((await group.undo(id)).body).toEqual(undone.body)
  expect(await versionOf(amont.id)).toBe(version + 1)
  expect(await group.apply(id)).toBeError(409, 'conflict')
})

test('what a mairie has changed since the check stays, and so does what it has changed since', async () => {
  const [amont, aval] = await towns(2)
  const group = await openTerritory([amont.id, aval.id])
  const file = tableOf({ ...row, code_insee: amont.code_insee }, { ...row, code_insee: aval.code_insee })
  const first = await group.check(file)
  await setCollectes(amont.id, [glass])
  const own = await collectesOf(amont.id)
  const { body } = await group.apply(first.id)
  expect(resultsOf(body.data)).toEqual(
    new Map([
      [amont.id, 'changed_since'],
      [aval.id, 'replaced'],
    ]),
  )
  expect(await collectesOf(amont.id)).toEqual(own)

  const second = await group.check(file)
  expect(second.to_replace).toBe(1)
  await group.apply(second.id)
  await setCollectes(aval.id, [bin])
  expect(await group.undo(first.id)).toBeError(409, 'conflict')
  expect(resultsOf((await group.undo(second.id)).body.data)).toEqual(
    new Map([
      [amont.id, 'restored'],
      [aval.id, 'unchanged'],
    ]),
  )
  expect(await collectesOf(amont.id)).toEqual(own)

  const third = await group.check(file)
  await setCollectes(amont.id, [bin])
  await setCollectes(aval.id, [glass])
  expect(await group.apply(third.id)).toBeError(409, 'conflict')
  expect((await group.read(third.id)).state).toBe('checked')
})

test('another change of a commune is none of its collections', async () => {
  const [amont] = await towns(1)
  const group = await openTerritory([amont.id])
  const { id } = await group.check(tableOf({ ...row, code_insee: amont.code_insee }))
  await admin.patch(`/admin/communes/${amont.id}`, { population: 4_000 })
  expect((await group.apply(id)).body.data.replaced).toBe(1)
  await admin.patch(`/admin/communes/${amont.id}`, { population: 5_000 })
  expect((await group.undo(id)).body.data.restored).toBe(1)
})

test('a change of a commune waits for the import, and two imports for each other', async () => {
  const [amont, aval] = await towns(2)
  const group = await openTerritory([amont.id, aval.id])
  const other = await openTerritory([amont.id, aval.id])
  const file = tableOf({ ...row, code_insee: aval.code_insee }, { ...row, code_insee: amont.code_insee })
  const { id } = await group.check(file)
  const { id: second } = await other.check(file.replaceAll('mercredi', 'jeudi'))
  const etag = `"${await versionOf(amont.id)}"`
  const [applied, late, patched] = await db.transaction().execute(async (tx) => {
    await sql`select from communes where id = ${amont.id} for no key update`.execute(tx)
    const applied = group.apply(id)
    await untilWaiting(db)
    const late = other.apply(second)
    await untilWaiting(db, 2)
    const call = { headers: { 'if-match': etag } }
    return [applied, late, admin.patch(`/admin/communes/${amont.id}`, { collectes: [] }, call)]
  })
  expect((await applied)?.status).toBe(200)
  expect(await late).toBeError(409, 'conflict')
  expect(await patched).toBeError(412, 'precondition_failed')
  expect((await collectesOf(amont.id))[0].jours).toEqual(['mercredi'])
})

test('a commune that leaves the group stays as it is', async () => {
  const [amont, aval, bourg] = await towns(3)
  const group = await openTerritory([amont.id, aval.id])
  const file = tableOf(...[amont, aval].map(({ code_insee }) => ({ ...row, code_insee })))
  const { id } = await group.check(file)
  await group.change({ commune_ids: [amont.id, bourg?.id] })
  const { body } = await group.apply(id)
  expect(resultsOf(body.data)).toEqual(
    new Map([
      [amont.id, 'replaced'],
      [aval.id, 'not_member'],
    ]),
  )
  await group.change({ commune_ids: [bourg?.id] })
  expect(await group.undo(id)).toBeError(409, 'conflict')
})

test('an import waits for a change of the members', async () => {
  const [amont] = await towns(1)
  const group = await openTerritory([amont.id])
  const { id } = await group.check(tableOf({ ...row, code_insee: amont.code_insee }))
  const { answer } = await db.transaction().execute(async (tx) => {
    await sql`delete from group_communes where group_id = ${group.id}`.execute(tx)
    const answer = group.apply(id)
    await untilWaiting(db)
    return { answer }
  })
  expect(await answer).toBeError(409, 'conflict')
})

test('each commune has its audit entry, and the import its own', async () => {
  const [amont, aval] = await towns(2)
  const group = await openTerritory([amont.id, aval.id])
  const file = tableOf(...[amont, aval].map(({ code_insee }) => ({ ...row, code_insee })))
  const { id } = await group.check(file)
  const { headers } = await group.apply(id)
  const entries = await db
    .selectFrom('audit_log')
    .select(['action', 'entity_id'])
    .where('request_id', '=', headers.get('x-request-id') ?? '')
    .execute()
  expect(new Set(entries.map(({ action, entity_id }) => `${action} ${entity_id}`))).toEqual(
    new Set([`collecte_import.apply ${id}`, ...[amont, aval].map((town) => `commune.update ${town.id}`)]),
  )
})

test('what was replaced can be restored one by one, and after an undo is not deleted any more', async () => {
  const [amont] = await towns(1)
  const group = await openTerritory([amont.id])
  const { id } = await group.check(tableOf({ ...row, code_insee: amont.code_insee }))
  const deleted = async (): Promise<string[]> =>
    (await admin.get(`/mairie/communes/${amont.id}/deleted`)).body.data.map(
      ({ label }: { label: string }) => label,
    )
  await group.apply(id)
  expect(await deleted()).toEqual(['Verre'])
  await group.undo(id)
  expect(await deleted()).toEqual([])
  await setCollectes(amont.id, [])
  expect((await deleted()).sort()).toEqual(['Bac jaune', 'Verre'])
})

test('the team of the group and administrators import; others are refused', async () => {
  const [amont, aval] = await towns(2)
  const group = await openTerritory([amont.id])
  const file = tableOf({ ...row, code_insee: amont.code_insee })
  const { id } = await group.check(file)
  const editor = await group.member(['manage_commune'])
  expect((await group.send(file, {}, editor)).status).toBe(201)
  const reader = await group.member(['manage_publications'])
  expect(await group.send(file, {}, reader)).toBeError(403, 'forbidden')
  expect(await group.apply(id, reader)).toBeError(403, 'forbidden')
  expect((await reader.get(`${group.path}/${id}`)).body.data.can).toEqual([])
  const other = await openTerritory([aval.id])
  expect(await group.apply(id, other.owner)).toBeError(403, 'scope_violation')
  expect(await other.apply(id)).toBeError(404, 'not_found')
  expect((await group.apply(id, admin)).status).toBe(200)
})

test('a mairie imports the collections of its own commune', async () => {
  const hall = await world.acteur({ type: 'mairie', valide: true })
  const { id, code_insee } = await world.commune({ mairie_actor_id: hall.id })
  const { token } = await world.user({ memberships: [{ acteur: hall, role: 'owner' }] })
  const mayor = world.client({ source: 'mairie', token })
  const path = `/mairie/acteurs/${hall.id}/collecte-imports`
  const { body } = await mayor.post(path, formOf(tableOf({ ...row, code_insee })))
  expect((await mayor.post(`${path}/${body.data.id}/apply`)).body.data.replaced).toBe(1)
  expect(await collectesOf(id)).toMatchObject([{ libelle: 'Bac jaune', jours: ['mercredi'] }])
})

test('an application that is restricted to communes imports in no other', async () => {
  const [amont, aval] = await towns(2)
  const group = await openTerritory([amont.id, aval.id])
  const file = tableOf(...[amont, aval].map(({ code_insee }) => ({ ...row, code_insee })))
  const { id } = await group.check(file)
  await db
    .insertInto('app_sources')
    .values({ code: 'near', label: 'Near', commune_ids: [amont.id] })
    .execute()
  const { token } = await world.user({ memberships: [{ acteur: group.acteur, role: 'owner' }] })
  const near = world.client({ source: 'near', token })
  const { body: checked } = await group.send(file, {}, near)
  expect(checked.data.problems).toMatchObject([{ row: 3, code: 'scope_violation' }])
  const { body } = await near.get(`/mairie/acteurs/${group.acteur.id}/collectes`)
  expect(body.data.map(({ commune_id }: { commune_id: string }) => commune_id)).toEqual([amont.id])
  expect(resultsOf((await group.apply(id, near)).body.data)).toEqual(
    new Map([
      [amont.id, 'replaced'],
      [aval.id, 'not_member'],
    ]),
  )
})

test('checks that were not applied go after a day, the others after thirty', async () => {
  const [amont] = await towns(1)
  const group = await openTerritory([amont.id])
  const file = tableOf({ ...row, code_insee: amont.code_insee })
  const left = await group.check(file)
  const applied = await group.check(file)
  await group.apply(applied.id)
  const leftAfter = async (days: number) => {
    await sql`
      update collecte_imports set created_at = now() - make_interval(days => ${days}),
        applied_at = case when applied_at is not null then now() - make_interval(days => ${days}) end
      where acteur_id = ${group.acteur.id}`.execute(db)
    const { signal } = new AbortController()
    await sweepHandler(world as never).perform({}, { id: 'job', attempt: 1, signal } as never)
    const rows = await db
      .selectFrom('collecte_imports')
      .select('id')
      .where('acteur_id', '=', group.acteur.id)
      .orderBy('id')
      .execute()
    return rows.map(({ id }) => id)
  }
  expect(await leftAfter(0)).toEqual([left.id, applied.id])
  expect(await leftAfter(2)).toEqual([applied.id])
  expect(await leftAfter(31)).toEqual([])
})
