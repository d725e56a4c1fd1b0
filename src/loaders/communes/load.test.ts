import { expect, test } from 'vitest'
import { factories } from '../../../test/support/factories.ts'
import { isWhole } from '../../../test/support/sample.ts'
import { cloneDatabase } from '../../../test/support/world.ts'
import { mapCommuneCodes } from '../codes.ts'
import { bytes, loaded, openLoadWorld } from '../load.test-kit.ts'
import { createRun } from '../run.ts'
import { loadCommunes, loadFormerNames } from './load.ts'
import { upsertAliases } from './queries.ts'

const { db, rows, state } = openLoadWorld(await cloneDatabase())
const { commune, acteur } = factories(db)
const load = (content: string | object) => loaded(loadCommunes, db, content)
const find = async (code: string) => (await rows(`select * from communes where code_insee = '${code}'`))[0]

const geo = (code: string, nom: string, more: object = {}) => ({
  nom,
  code,
  codesPostaux: [`${code.slice(0, 2)}000`],
  siren: '210100012',
  codeEpci: '200069193',
  codeDepartement: code.slice(0, 2),
  codeRegion: '84',
  population: 859,
  centre: { type: 'Point', coordinates: [4.9306, 46.1517] },
  ...more,
})

test('a geo.api.gouv.fr file creates communes, and a second run writes nothing', async () => {
  const file = [geo('01001', "L'Abergement-Clémenciat"), geo('01004', 'Ambérieu-en-Bugey')]
  expect(await load(file)).toEqual({ read: 2, created: 2 })
  expect(await find('01001')).toMatchObject({
    slug: 'l-abergement-clemenciat',
    nom: "L'Abergement-Clémenciat",
    codes_postaux: ['01000'],
    departement: '01',
    region: '84',
    population: 859,
    latitude: 46.1517,
    longitude: 4.9306,
    version: 1,
  })
  const before = await state('communes')
  expect(await load(file)).toEqual({ read: 2, unchanged: 2 })
  expect(await state('communes')).toEqual(before)
})

test('gathers the statistics of what it loads', async () => {
  const loadedTables = () =>
    rows(
      "select relname, reltuples >= 0 as known from pg_class where relname in ('communes', 'commune_aliases') order by 1",
    )
  await load([geo('01012', 'Aranc')])
  expect(await loadedTables()).toEqual([
    { relname: 'commune_aliases', known: true },
    { relname: 'communes', known: true },
  ])
})

test('a name becomes one line, whatever line breaks the file has', async () => {
  await load([geo('01011', 'Apremont\n sur Ain ')])
  expect(await find('01011')).toMatchObject({ nom: 'Apremont sur Ain', slug: 'apremont-sur-ain' })
})

test('updates a changed row: slug and mairie stay, and missing values erase nothing', async () => {
  const mairie = await acteur({ type: 'mairie' })
  await commune({ code_insee: '02001', nom: 'Vieux-Nom', slug: 'vieux-nom', mairie_actor_id: mairie.id })
  await load([geo('02001', 'Vieux-Nom', { population: 12 })])
  expect(await load([{ code: '02001', nom: 'Nouveau-Nom' }])).toEqual({ read: 1, updated: 1 })
  expect(await find('02001')).toMatchObject({
    nom: 'Nouveau-Nom',
    slug: 'vieux-nom',
    mairie_actor_id: mairie.id,
    codes_postaux: ['02000'],
    departement: '02',
    population: 12,
    latitude: 46.1517,
    version: 3,
  })
  expect(await load([{ code: '02001', nom: 'Nouveau-Nom', population: null, codesPostaux: [] }])).toEqual({
    read: 1,
    unchanged: 1,
  })
})

test('a new commune whose slug is taken gets another one, the same in one run or in two', async () => {
  await commune({ code_insee: '03001', nom: 'Autre chose', slug: 'saint-pris' })
  await load([geo('03002', 'Saint-Pris')])
  expect((await find('03002')).slug).toBe('saint-pris-03')
  await load([geo('04001', 'Homonyme'), geo('05001', 'Homonyme'), geo('05002', 'Homonyme')])
  await load([geo('06001', 'Homonyme')])
  const slugs = await rows("select slug from communes where nom = 'Homonyme' order by code_insee")
  expect(slugs.map(({ slug }) => slug)).toEqual([
    'homonyme-04',
    'homonyme-05001',
    'homonyme-05002',
    'homonyme-06',
  ])
})

test("a commune's own code is no alias and takes precedence over an older alias", async () => {
  const [living, other] = [await commune({ code_insee: '07101' }), await commune({ code_insee: '07102' })]
  const alias = (code_insee: string) => ({ code_insee, commune: '07102', nom: 'Ancienne', type: 'deleguee' })
  await upsertAliases(db, [alias('07101'), alias('07103')])
  const aliases = "select code_insee from commune_aliases where code_insee in ('07101', '07103')"
  expect(await rows(aliases)).toEqual([{ code_insee: '07103' }])
  await rows(`insert into commune_aliases values ('07101', '${other.id}', 'Ancienne', 'deleguee')`)
  const codes = await mapCommuneCodes(db)
  expect(codes.get('07101')).toEqual({ id: living.id, nom: living.nom, alias: null })
  expect(codes.get('07103')).toEqual({ id: other.id, nom: other.nom, alias: 'deleguee' })
})

test('refuses invalid communes with line and reason and loads the rest', async () => {
  const { id } = await commune({ code_insee: '07001' })
  await rows(`insert into commune_aliases values ('07002', '${id}', 'Ancienne', 'deleguee')`)
  const file = `[
    ${JSON.stringify(geo('07003', 'Bonne'))},
    {"nom": "Sans code"},
    ${JSON.stringify(geo('07002', 'Ancienne'))},
    ${JSON.stringify(geo('07003', 'Bonne encore'))},
    {"code": "07004", "nom": "Sans département"},
    ${JSON.stringify(geo('07005', 'Loin', { centre: { type: 'Point', coordinates: [400, 46] } }))},
    ${JSON.stringify(geo('07006', 'Vide', { population: '12' }))},
    12, {"code": },
    ${JSON.stringify(geo('07008', 'Nu\0l'))},
    ${JSON.stringify(geo('07009', 'Moiti\ud800'))},
    ${JSON.stringify(geo('07010', 'Abb\u{FFFD}ville'))},
    ${JSON.stringify(geo('07007', 'Déléguée', { type: 'commune-deleguee' }))}
  ]`
  expect(await load(file)).toEqual({
    read: 13,
    created: 1,
    setAside: 1,
    refused: 11,
    refusals: expect.arrayContaining([
      { where: 'line 3, record 2', reason: 'its code is not an INSEE code' },
      { where: 'line 5, record 4', reason: '07003 stands twice in the file' },
      { where: 'line 4, record 3', reason: '07002 is by now part of another commune' },
      { where: 'line 6, record 5', reason: '07004 is new, and codeDepartement or codeRegion is missing' },
      { where: 'line 7, record 6', reason: 'centre of 07005 is not a point on Earth' },
      { where: 'line 8, record 7', reason: 'population of 07006 is not a count' },
      { where: 'line 9, record 8', reason: 'it is not an object' },
      { where: 'line 9, record 9', reason: 'it is not JSON' },
      { where: 'line 10, record 10', reason: 'the nom of 07008 holds a NUL character' },
      { where: 'line 11, record 11', reason: 'the nom of 07009 holds half a character (a lone surrogate)' },
      {
        where: 'line 12, record 12',
        reason: 'the nom of 07010 holds a character that was not UTF-8 (U+FFFD)',
      },
    ]),
  })
})

test('refuses a file that is not a list, not UTF-8 or truncated in one sentence', async () => {
  await expect(load('Code;Nom\n01001;X\n')).rejects.toThrow('not a JSON list')
  await expect(load('{"communes": [1]}')).rejects.toThrow('not a JSON list')
  await expect(load('')).rejects.toThrow('not a JSON list')
  await expect(load('[{"code": "08001"')).rejects.toThrow('ends in the middle')
  const latin = Readable(Buffer.from('[{"nom": "Abbéville"}]', 'latin1'))
  await expect(loadCommunes(db, latin, createRun())).rejects.toThrow('not text in UTF-8')
})

async function* Readable(buffer: Buffer) {
  yield buffer
}

test('brackets, commas and quotes in texts and nested lists do not split records', async () => {
  const nom = 'Sainte-"Rôde"\\, [des] {Œufs}'
  expect(
    await load(`\uFEFF\n${JSON.stringify([geo('09001', nom, { contours: [[1, [2]], {}] })])}\n`),
  ).toEqual({
    read: 1,
    created: 1,
  })
  expect(await find('09001')).toMatchObject({ nom, slug: 'sainte-rode-des-oeufs' })
  expect(await load('[]')).toEqual({})
})

test('an interrupted run leaves whole batches, and the same file completes it', async () => {
  const file = Array.from({ length: 2_500 }, (_, n) => geo(String(10_000 + n), `Coupée ${n % 2_000}`))
  const stop = new AbortController()
  const cut = createRun({ signal: stop.signal, onStep: ({ created }) => created > 0 && stop.abort() })
  await expect(loadCommunes(db, bytes(file, 65_536), cut)).rejects.toThrow('aborted')
  const [{ count }] = await rows("select count(*)::int from communes where nom like 'Coupée%'")
  expect(count).toBe(2_000)
  expect(await load(file)).toMatchObject({ created: 500, unchanged: 2_000 })
  const [{ slugs }] = await rows(
    "select count(distinct slug)::int as slugs from communes where nom like 'Coupée%'",
  )
  expect(slugs).toBe(2_500)
})

test.runIf(isWhole)(
  'the package loads 34 969 communes and their aliases, and again without a write',
  {
    timeout: 120_000,
  },
  async () => {
    await rows('update communes set mairie_actor_id = null; delete from acteurs; delete from communes')
    const first = createRun()
    const began = performance.now()
    await loadCommunes(db, null, first)
    expect(first.counts).toMatchObject({ read: 34_969, created: 34_969, updated: 0, refused: 0 })
    const aliases = 'select type, count(*)::int from commune_aliases group by type order by type'
    expect(await rows(aliases)).toEqual([
      { type: 'arrondissement', count: 45 },
      { type: 'associee', count: 471 },
      { type: 'deleguee', count: expect.any(Number) },
    ])
    const [former] =
      await rows(`select count(*)::int, count(*) filter (where c.nom = 'Valserhône')::int as valserhone
    from commune_former_names f join communes c on c.id = f.commune_id where search_key(f.nom) <> search_key(c.nom)`)
    expect(former).toEqual({ count: 507, valserhone: 1 })
    const stamps = `select md5(string_agg(xmin::text || ctid::text, '' order by ctid)) from`
    const stamp = async () => [
      await rows(`${stamps} communes`),
      await rows(`${stamps} commune_aliases`),
      await rows(`${stamps} commune_former_names`),
    ]
    const before = await stamp()
    const again = createRun()
    await loadCommunes(db, null, again)
    expect(again.counts).toMatchObject({ read: 34_969, created: 0, updated: 0, unchanged: 34_969 })
    expect(await stamp()).toEqual(before)
    // As in a database whose communes an earlier version loaded.
    await rows('delete from commune_former_names')
    await loadFormerNames(db)
    expect(await rows('select count(*)::int from commune_former_names')).toEqual([{ count: 507 }])
    expect((await find('97411')).slug).toBe('saint-denis-974')
    // Both take seconds on a quiet machine.
    if (process.env.PARVIS_TEST_LONG) expect(performance.now() - began).toBeLessThan(15_000)
  },
)
