import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { beforeAll, expect, test } from 'vitest'
import { untilWaiting } from '../../../test/support/locks.ts'
import { cloneWithCommunes } from '../../../test/support/many/communes.ts'
import { openWorld } from '../../../test/support/world.ts'
import { oneLine } from '../../platform/formats/text.ts'
import { loaded, openLoadWorld } from '../load.test-kit.ts'
import { createRun } from '../run.ts'
import { loadGroups } from './load.ts'

const database = await cloneWithCommunes()
const { db, rows, state } = openLoadWorld(database)
const world = await openWorld({ database })
const admin = await world.as('admin')
const load = (content: string | object) => loaded(loadGroups, db, content)

type Epci = { code: string; nom: string; membres: { code: string }[] }
const path = createRequire(import.meta.url).resolve('@etalab/decoupage-administratif/data/epci.json')
const register: Epci[] = JSON.parse(readFileSync(path, 'utf8'))
const epci = (code: string, nom: string, ...codes: string[]) => ({
  ...{ code, nom, type: 'CC' },
  membres: codes.map((code) => ({ code, siren: '217400423' })),
})

async function loadPackage() {
  const run = createRun()
  await loadGroups(db, null, run)
  return { ...run.counts, refusals: run.refusals }
}
const find = async (siren: string) =>
  (await rows(`select * from groups where siren = '${siren}'`))[0] as never
/** The INSEE codes of the members of a group. */
const membersOf = async (siren: string) =>
  (
    await rows(
      `select code_insee from groups g join group_communes m on m.group_id = g.id
       join communes c on c.id = m.commune_id where siren = '${siren}' order by 1`,
    )
  ).map((row) => (row as { code_insee: string }).code_insee)

let first: Awaited<ReturnType<typeof loadPackage>>
beforeAll(async () => {
  first = await loadPackage()
})

test('two loads of the package leave its intercommunalities as they are in it', async () => {
  const membersAdded = register.reduce((sum, { membres }) => sum + membres.length, 0)
  const read = register.length
  expect(first).toMatchObject({ read, created: read, membersAdded, refusals: [] })
  const stored = await rows(
    `select siren, nom, (select array_agg(c.code_insee order by c.code_insee) from group_communes m
       join communes c on c.id = m.commune_id where m.group_id = g.id) as codes
     from groups g where kind = 'epci' order by siren`,
  )
  const expected = register.map(({ code, nom, membres }) => ({
    ...{ siren: code, nom: oneLine(nom) },
    codes: membres.map((member) => member.code).toSorted(),
  }))
  expect(stored).toEqual(expected.toSorted((one, other) => (one.siren < other.siren ? -1 : 1)))
  const before = [await state('groups'), await state('group_communes')]
  expect(await loadPackage()).toMatchObject({
    ...{ created: 0, updated: 0, unchanged: read, refused: 0 },
    ...{ membersAdded: 0, membersRemoved: 0 },
  })
  expect([await state('groups'), await state('group_communes')]).toEqual(before)
})

test('namesakes get their département in the slug', async () => {
  const slugs = await rows(`select slug from groups where nom = 'CC des Quatre Rivières' order by 1`)
  expect(slugs).toEqual([{ slug: 'cc-des-quatre-rivieres-70' }, { slug: 'cc-des-quatre-rivieres-74' }])
})

test('a load changes the name and the members that differ, and leaves the slug', async () => {
  expect(await load([epci('900000001', 'CC du Gué', '01001', '01002')])).toEqual({
    ...{ read: 1, created: 1, membersAdded: 2 },
  })
  expect(await load([epci('900000001', 'CC du Grand Gué', '01002', '01004', '01004')])).toEqual({
    ...{ read: 1, updated: 1, membersAdded: 1, membersRemoved: 1 },
  })
  expect(await find('900000001')).toMatchObject({ slug: 'cc-du-gue', nom: 'CC du Grand Gué', version: 2 })
  expect(await membersOf('900000001')).toEqual(['01002', '01004'])
  expect(await load([epci('900000001', 'CC du Grand Gué', '01002')])).toEqual({
    ...{ read: 1, updated: 1, membersRemoved: 1 },
  })
  expect(await find('900000001')).toMatchObject({ version: 3 })
})

test('a load corrects what a person has changed, and leaves other groups alone', async () => {
  await load([epci('900000002', 'CC du Val', '01001', '01002')])
  const { id } = (await admin.get('/admin/groups?q=900000002')).body.data[0]
  const [town] = (await admin.get('/admin/communes?code_insee=73065')).body.data
  const changed = { nom: 'Le Val', kind: 'autre', commune_ids: [town.id] }
  expect((await admin.patch(`/admin/groups/${id}`, changed)).status).toBe(200)
  const own = { nom: 'Syndicat du Val', kind: 'syndicat', commune_ids: [town.id] }
  const syndicat = (await admin.post('/admin/groups', own)).body.data
  expect(await load([epci('900000002', 'CC du Val', '01001', '01002')])).toEqual({
    ...{ read: 1, updated: 1, membersAdded: 2, membersRemoved: 1 },
  })
  expect(await find('900000002')).toMatchObject({ nom: 'CC du Val', kind: 'epci' })
  expect(await membersOf('900000002')).toEqual(['01001', '01002'])
  expect((await admin.get(`/admin/groups/${syndicat.id}`)).body.data).toEqual(syndicat)
})

test('the code of a former commune leads to the present one; unknown codes are named', async () => {
  const { code_insee: former, present } = (
    await rows(
      `select a.code_insee, c.code_insee as present from commune_aliases a join communes c on c.id = a.commune_id limit 1`,
    )
  )[0] as { code_insee: string; present: string }
  expect(await load([epci('900000003', 'CC des Anciens', former, present, '01999', 'x1')])).toEqual({
    ...{ read: 1, created: 1, membersAdded: 1, refused: 2 },
    refusals: [
      { where: '900000003', reason: 'no commune has the code 01999' },
      { where: '900000003', reason: 'no commune has its code' },
    ],
  })
  expect(await membersOf('900000003')).toEqual([present])
})

test('records that cannot be read are refused, the others are loaded', async () => {
  const file = [
    epci('900000004', 'CC du Pré', '01001'),
    epci('900000004', 'CC du Pré', '01002'),
    epci('90000', 'CC'),
    epci('900000005', ' … '),
    epci('900000005', 'x'.repeat(201)),
    epci('900000005', 'CC \0'),
    { code: '900000005', nom: 'CC' },
    'CC',
  ]
  const { refusals, ...counts } = (await load(file)) as { refusals?: { reason: string }[] }
  expect(counts).toEqual({ read: 8, created: 1, refused: 7, membersAdded: 1 })
  expect(refusals?.map(({ reason }) => reason)).toEqual([
    '900000004 stands twice in the file',
    'code is not a SIREN of nine digits',
    'nom is not a name of at most 200 characters',
    'nom is not a name of at most 200 characters',
    'nom holds a NUL character',
    'membres is not a list of at most 2000 communes',
    'it is not an object',
  ])
})

test('a slug that a group of another kind has gets a suffix', async () => {
  await admin.post('/admin/groups', { nom: 'CC de la Clé', kind: 'autre' })
  await load([epci('900000006', 'CC de la Clé', '01001')])
  expect(await find('900000006')).toMatchObject({ slug: 'cc-de-la-cle-01' })
})

test('a record without a member that is a commune here is refused, and takes no member from its group', async () => {
  await load([epci('900000011', 'CC du Mas', '01001')])
  const before = await state('groups')
  const file = [
    epci('900000011', 'CC du Mas'),
    epci('900000012', 'CC du Mas', ''),
    epci('900000013', 'CC du Mas', '../', '01999'),
  ]
  expect(await load(file)).toMatchObject({ read: 3, refused: 6 })
  expect(await membersOf('900000011')).toEqual(['01001'])
  expect(await state('groups')).toEqual(before)
})

test('a load waits for a change of a group by somebody, then corrects it', async () => {
  const source = [epci('900000007', 'CC du Lac', '01001')]
  await load(source)
  const before = (await find('900000007')) as { id: string }
  const waiting = await world.db.transaction().execute(async (tx) => {
    await tx.updateTable('groups').set({ nom: 'Le Lac' }).where('id', '=', before.id).execute()
    const waiting = load(source)
    await untilWaiting(db)
    return { waiting }
  })
  expect(await waiting.waiting).toEqual({ read: 1, updated: 1 })
  expect(await find('900000007')).toMatchObject({ nom: 'CC du Lac', version: 3 })
})

test('two loads at once leave each group once', async () => {
  const source = [epci('900000008', 'CC du Port', '01001'), epci('900000009', 'CC du Cap', '01002')]
  const results = await Promise.all([load(source), load(source)])
  expect(results).toContainEqual({ read: 2, created: 2, membersAdded: 2 })
  expect(await membersOf('900000008')).toEqual(['01001'])
  expect(await membersOf('900000009')).toEqual(['01002'])
})

test('an interrupted load leaves nothing', async () => {
  const file = `[${JSON.stringify(epci('900000010', 'CC du Bac', '01001'))}, {"code": "9000`
  await expect(load(file)).rejects.toThrow('The file ends in the middle of its list')
  expect(await find('900000010')).toBeUndefined()
})
