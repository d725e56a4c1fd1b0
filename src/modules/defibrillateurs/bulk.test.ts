import { expect, test } from 'vitest'
import { openWorld } from '../../../test/support/world.ts'
import { uuidv7 } from '../../platform/formats/uuid.ts'
import { insertDefibrillateur } from './defibrillateurs.test-kit.ts'

const world = await openWorld({ keeps: true })
const { as, commune, db, get } = world
const admin = await as('admin')
const path = '/admin/defibrillateurs-france/bulk'
const bulk = (body: object) => admin.patch(path, body)
const insert = (values: Parameters<typeof insertDefibrillateur>[1] = {}) => insertDefibrillateur(db, values)
const stored = (id: string) =>
  db.selectFrom('defibrillateurs').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const auditEntries = (id: string) =>
  db.selectFrom('audit_log').selectAll().where('entity_id', '=', id).orderBy('seq').execute()

test('PATCH /admin/defibrillateurs-france/bulk returns 200 with one result per device, audited', async () => {
  const [one, same] = [
    await insert({ note_france: 'Vu', statut_admin_commune: 'a_verifier' }),
    await insert({ statut_admin_france: 'masque' }),
  ]
  const unknown = uuidv7()
  const { status, body } = await bulk({
    ids: [one.id.toUpperCase(), same.id, unknown, one.id],
    statut_admin: 'masque',
  })
  expect(status).toBe(200)
  expect(body).toEqual({
    data: [
      { id: one.id, result: 'updated', previous: { statut_admin: 'actif', note: 'Vu' } },
      { id: same.id, result: 'unchanged', previous: { statut_admin: 'masque', note: null } },
      { id: unknown, result: 'not_found', previous: null },
    ],
    meta: { updated: 1, unchanged: 1, not_found: 1, changed: 0 },
  })
  expect(await stored(one.id)).toMatchObject({
    statut_admin_france: 'masque',
    note_france: 'Vu',
    statut_admin_commune: 'a_verifier',
    version: 2,
  })
  expect(await auditEntries(one.id)).toMatchObject([
    {
      action: 'defibrillateur.update',
      before: { statut_admin_france: 'actif' },
      after: { statut_admin_france: 'masque' },
    },
  ])
  expect(await auditEntries(same.id)).toEqual([])
})

test('PATCH /admin/defibrillateurs-france/bulk returns 200 and writes or empties the note, unless it is omitted', async () => {
  const { id } = await insert()
  await bulk({ ids: [id], statut_admin: 'a_verifier', note: 'Appeler la mairie' })
  expect(await stored(id)).toMatchObject({
    statut_admin_france: 'a_verifier',
    note_france: 'Appeler la mairie',
  })
  await bulk({ ids: [id], statut_admin: 'actif' })
  expect((await stored(id)).note_france).toBe('Appeler la mairie')
  await bulk({ ids: [id], statut_admin: 'actif', note: null })
  expect((await stored(id)).note_france).toBe(null)
  const entries = await auditEntries(id)
  expect(JSON.stringify(entries)).not.toContain('mairie')
  expect(entries).toHaveLength(3)
})

test('PATCH /admin/defibrillateurs-france/bulk returns changed for an outdated version and skips that device', async () => {
  const [one, other] = [await insert(), await insert()]
  await admin.patch(`/admin/defibrillateurs/${other.id}`, { statut_admin: 'masque' })
  const versions = { [one.id.toUpperCase()]: 1, [other.id]: 1 }
  const { body } = await bulk({ ids: [one.id, other.id], statut_admin: 'a_verifier', versions })
  expect(body.data).toMatchObject([
    { id: one.id, result: 'updated' },
    { id: other.id, result: 'changed', previous: null },
  ])
  expect((await stored(other.id)).statut_admin_france).toBe('actif')
})

test('devices that are hidden in bulk leave the public list immediately, even a cached one', async () => {
  const { code_insee } = await commune()
  const ids = [(await insert({ code_insee })).id, (await insert({ code_insee })).id]
  const shown = async () => (await get(`/defibrillateurs?code_insee=${code_insee}`)).body.meta.total
  for (let time = 0; time < 3; time++) expect(await shown()).toBe(2)
  await bulk({ ids, statut_admin: 'masque' })
  expect(await shown()).toBe(0)
  await bulk({ ids, statut_admin: 'actif' })
  expect(await shown()).toBe(2)
})

test('concurrent bulk and single changes of the same devices in any order all succeed', async () => {
  const rows = await Promise.all(Array.from({ length: 20 }, () => insert({ latitude: 45.5, longitude: 5.9 })))
  const ids = rows.map(({ id }) => id)
  const answers = await Promise.all([
    bulk({ ids, statut_admin: 'masque', note: 'une' }),
    bulk({ ids: ids.toReversed(), statut_admin: 'a_verifier', note: 'autre' }),
    ...ids.slice(0, 5).map((id) => admin.patch(`/admin/defibrillateurs/${id}`, { statut_admin: 'masque' })),
  ])
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
  expect(answers.slice(0, 2).map(({ body }) => body.meta.updated)).toEqual([20, 20])
  const after = await Promise.all(ids.map(stored))
  // One of the two calls was the last one, for every device.
  expect(
    new Set(after.map(({ statut_admin_france: statut, note_france }) => `${statut} ${note_france}`)).size,
  ).toBe(1)
  for (const { id } of after)
    expect(
      (await auditEntries(id)).filter(({ after }) => JSON.stringify(after).includes('france')),
    ).toHaveLength(2)
  const { rows: cells } = await world.pool.query(
    'select sum(n)::int as n from defibrillateur_map_cells where n > 0',
  )
  expect(cells).toEqual([{ n: 20 }])
})

test('PATCH /admin/defibrillateurs-france/bulk returns 422 for an invalid body', async () => {
  const ids = [uuidv7()]
  const bodies = [
    {},
    { ids },
    { ids: [], statut_admin: 'actif' },
    { ids: ['x'], statut_admin: 'actif' },
    { ids: Array.from({ length: 101 }, uuidv7), statut_admin: 'actif' },
    { ids, statut_admin: 'supprime' },
    { ids, statut_admin: 'actif', note: 3 },
    { ids, statut_admin: 'actif', note: 'x'.repeat(1_001) },
    { ids, statut_admin: 'actif', nom: 'x' },
    { ids, statut_admin: 'actif', versions: { [uuidv7()]: 0 } },
  ]
  for (const body of bodies)
    expect(await bulk(body), JSON.stringify(body)).toBeError(422, 'validation_failed')
})
