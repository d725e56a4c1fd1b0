import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { factories } from '../../../test/support/factories.ts'
import { cloneDatabase } from '../../../test/support/world.ts'
import { bytes, loaded, openLoadWorld } from '../load.test-kit.ts'
import { createRun } from '../run.ts'
import { loadAddresses } from './load.ts'

const { db, rows, state } = openLoadWorld(await cloneDatabase())
const { commune } = factories(db)
const load = (content: string) => loaded(loadAddresses, db, content)
const addresses = (communeId: string) =>
  rows(`select cle_interop, street, deleguee, numero, suffixe, complement, latitude, longitude
    from addresses where commune_id = '${communeId}' order by cle_interop`)
const streets = (communeId: string) =>
  rows(
    `select key, deleguee, voie, latitude, longitude from streets where commune_id = '${communeId}' order by 1, 2`,
  )
const keys = async (communeId: string) => (await addresses(communeId)).map(({ cle_interop }) => cle_interop)

const columns = {
  ...{ cle_interop: '', uid_adresse: '', commune_insee: '73065', commune_nom: 'Chambéry' },
  ...{
    commune_deleguee_insee: '',
    commune_deleguee_nom: '',
    voie_nom: 'Rue Croix d’Or',
    voie_nom_bre: 'Straed',
  },
  ...{ lieudit_complement_nom: '', numero: '1', suffixe: '', position: 'entrée', x: '1', y: '2' },
  ...{ long: '5.92', lat: '45.56', cad_parcelles: '', source: 'Commune', date_der_maj: '2026-01-05' },
  certification_commune: '1',
}
type Row = Partial<typeof columns>
/** Writes rows as a Base Adresse Locale does. */
const bal = (...rows: Row[]) =>
  [Object.keys(columns), ...rows.map((row) => Object.values({ ...columns, ...row }))]
    .map((fields) => `${fields.join(';')}\r\n`)
    .join('')

test('loads streets and numbers; a second load writes nothing', async () => {
  const { id } = await commune({ code_insee: '73065' })
  const content = bal(
    { cle_interop: '73065_0410_00012', numero: '12', lieudit_complement_nom: 'Le Château' },
    { cle_interop: '73065_0410_00012_bis', numero: '12', suffixe: 'BIS', lat: '45,57' },
    { cle_interop: '73065_0410_00014', numero: '14', position: 'délivrance postale', long: '5.93' },
    { cle_interop: '73065_0900_99999', numero: '99999', voie_nom: 'Les_Charmettes', position: 'segment' },
    { cle_interop: '73065_0901_99999', numero: '99999', voie_nom: 'Le Bocage', lat: '', long: '' },
  )
  expect(await load(`\uFEFF${content}`)).toEqual({ read: 5, created: 3, streets: 3 })
  const street = { street: 'rue croix or', deleguee: '', complement: null, longitude: 5.92 }
  expect(await addresses(id)).toEqual([
    {
      ...street,
      cle_interop: '73065_0410_00012',
      numero: 12,
      suffixe: null,
      complement: 'Le Château',
      latitude: 45.56,
    },
    { ...street, cle_interop: '73065_0410_00012_bis', numero: 12, suffixe: 'bis', latitude: 45.57 },
    {
      ...street,
      cle_interop: '73065_0410_00014',
      numero: 14,
      suffixe: null,
      latitude: 45.56,
      longitude: 5.93,
    },
  ])
  expect(await streets(id)).toEqual([
    { key: 'bocage', deleguee: '', voie: 'Le Bocage', latitude: null, longitude: null },
    { key: 'charmettes', deleguee: '', voie: 'Les Charmettes', latitude: 45.56, longitude: 5.92 },
    // Its middle number.
    { key: 'rue croix or', deleguee: '', voie: 'Rue Croix d’Or', latitude: 45.57, longitude: 5.92 },
  ])
  const before = [await state('addresses'), await state('streets')]
  expect(await load(content)).toEqual({ read: 5, unchanged: 3, streets: 3 })
  expect([await state('addresses'), await state('streets')]).toEqual(before)
})

/**
 * Three communes, hamlets without numbers, several positions of one address. `@ban-team/validateur-bal` 3.5.2 found it valid for the
 * formats 1.3 and 1.4, and each of its rows: docs/decisions/0350.
 */
const judged = new URL('three-communes.csv', import.meta.url)

test('loads exactly the rows of a file that the national validator accepts', async () => {
  const made = { '73065': 'Chambéry', '42218': 'Saint-Étienne', '29232': 'Quimper' }
  const communes = await db.selectFrom('communes').select(['id', 'code_insee']).execute()
  for (const [code_insee, nom] of Object.entries(made))
    if (!communes.some((one) => one.code_insee === code_insee))
      communes.push(await commune({ code_insee, nom }))
  const idOf = (code: string) => communes.find((one) => one.code_insee === code)?.id ?? ''
  expect(await load(readFileSync(judged, 'utf8'))).toMatchObject({ read: 8, streets: 6 })
  const found = await Promise.all(Object.keys(made).map((code) => addresses(idOf(code))))
  // The entrance, not the post box.
  expect(found.flat().find(({ cle_interop }) => cle_interop === '73065_0410_00012')).toMatchObject({
    ...{ complement: 'Le Château', latitude: 45.566, longitude: 5.92 },
  })
  expect(
    found
      .flat()
      .map(({ cle_interop }) => cle_interop)
      .toSorted(),
  ).toEqual([
    ...['29232_0850_00003', '42218_1230_00001', '42218_1231_00007_ter', '73065_0410_00012'],
    '73065_0410_00012_bis',
  ])
  const named = await Promise.all(Object.keys(made).map((code) => streets(idOf(code))))
  expect(
    named
      .flat()
      .map(({ voie }) => voie)
      .toSorted(),
  ).toEqual([
    ...['Chemin de l’Ermitage', 'Kerfeunteun', 'Les Charmettes', 'Place de l’Hôtel de Ville'],
    ...['Rue Croix d’Or', 'Rue Élie-Fréron'],
  ])
})

test('replaces the addresses of the communes in the file, and no others', async () => {
  const [one, other] = [await commune({ code_insee: '73001' }), await commune({ code_insee: '73002' })]
  const of = (code: string, voie_nom: string, ...numbers: number[]) =>
    numbers.map((numero) => ({ commune_insee: code, voie_nom, numero: `${numero}` }))
  await load(bal(...of('73001', 'Rue A', 1, 2, 3), ...of('73002', 'Rue A', 1), ...of('73001', 'Rue B', 7)))
  const others = await state('addresses')
  const moved = of('73001', 'Rue A', 2).map((row) => ({ ...row, lat: '45.6' }))
  expect(await load(bal(...moved, ...of('73001', 'Rue A', 3, 4), ...of('73001', 'Rue C', 1)))).toEqual({
    ...{ read: 4, created: 2, updated: 1, unchanged: 1, removed: 2, streets: 2 },
  })
  expect(await keys(one.id)).toEqual([2, 3, 4].map((n) => `73001_rue-a_0000${n}`).concat('73001_rue-c_00001'))
  expect((await streets(one.id)).map(({ key }) => key)).toEqual(['rue a', 'rue c'])
  expect(await keys(other.id)).toEqual(['73002_rue-a_00001'])
  expect(others).toEqual(
    expect.arrayContaining((await state('addresses')).filter(({ row }) => row.commune_id === other.id)),
  )
})

test('streets without a code in their keys have addresses of their own', async () => {
  const { id } = await commune({ code_insee: '73003' })
  const row = { commune_insee: '73003', cle_interop: '73003_xxxx_00001' }
  await load(bal(row, { ...row, voie_nom: 'Rue B' }, { ...row, cle_interop: '', voie_nom: 'Rue C' }))
  expect(await keys(id)).toEqual(['73003_rue-b_00001', '73003_rue-c_00001', '73003_rue-croix-or_00001'])
})

test('a file of format 1.5 names its streets toponyme', async () => {
  const { id } = await commune({ code_insee: '73014' })
  const content = bal({ commune_insee: '73014' })
  expect(await load(content.replace(';voie_nom;', ';toponyme;'))).toEqual({ read: 1, created: 1, streets: 1 })
  expect((await streets(id)).map(({ voie }) => voie)).toEqual(['Rue Croix d’Or'])
})

test('of several positions of an address it keeps the entrance, or the first', async () => {
  const { id } = await commune({ code_insee: '73004' })
  const at = (numero: string, position: string, lat: string) => ({
    commune_insee: '73004',
    numero,
    position,
    lat,
  })
  const content = bal(
    ...[at('1', 'parcelle', '45.1'), at('1', 'Entrée', '45.2'), at('1', 'bâtiment', '45.3')],
    ...[at('1', 'entrée', '45.4'), at('2', 'parcelle', '45.5'), at('2', '', '45.6')],
  )
  expect(await load(content)).toEqual({ read: 6, created: 2, streets: 1 })
  expect((await addresses(id)).map(({ latitude }) => latitude)).toEqual([45.2, 45.5])
})

test('refuses rows with a reason, and then deletes no address of the commune', async () => {
  const { id } = await commune({ code_insee: '73005' })
  await commune({ code_insee: '73006' })
  const at = { commune_insee: '73005' }
  await load(bal({ ...at, numero: '80' }, { ...at, numero: '81' }))
  const content = bal(
    { ...at, commune_insee: '99999' },
    { ...at, commune_insee: '', cle_interop: '' },
    { ...at, cle_interop: '73006_0410_00001' },
    { ...at, voie_nom: ' ' },
    { ...at, voie_nom: 'x'.repeat(201) },
    { ...at, numero: '12 bis' },
    { ...at, cle_interop: '73005_0410_00002' },
    { ...at, suffixe: 'premier étage' },
    { ...at, lat: '' },
    { ...at, lat: '5.92', long: '45.56' },
    { ...at, lat: '1e3' },
    { ...at, lat: '0', long: '0' },
    { ...at, voie_nom: 'Rue de l�Église' },
    { ...at, cle_interop: '73005_0410_00003', numero: '3' },
    { ...at, cle_interop: '73005_0410_00003', numero: '3', voie_nom: 'Rue B' },
  )
  const { refusals = [], ...counts } = await load(content)
  expect(counts).toEqual({ read: 15, created: 1, refused: 14, streets: 1 })
  expect(refusals.map(({ where, reason }) => `${where}: ${reason}`)).toEqual([
    'line 2: no commune has the code 99999',
    'line 3: the code of the commune is missing',
    'line 4: its key is of another commune',
    'line 5: the name of the street is missing',
    'line 6: the name of the street is longer than 200 characters',
    'line 7: its number is not a whole number up to 99999',
    'line 8: its key has another number',
    'line 9: its suffix is not one of at most 9 letters',
    'line 10: lat or long is missing',
    'line 11: lat and long are not in that part of France',
    'line 12: lat or long is not a decimal number',
    'line 13: lat and long are not in that part of France',
    'line 14: field 7 holds a character that was not UTF-8 (U+FFFD)',
    'line 16: its key is already that of another street',
  ])
  expect((await addresses(id)).map(({ numero }) => numero)).toEqual([3, 80, 81])
})

test('a row that is cut short deletes nothing of the commune before it', async () => {
  const { id } = await commune({ code_insee: '73007' })
  const whole = bal(...['1', '2', '3'].map((numero) => ({ commune_insee: '73007', numero })))
  await load(whole)
  const cut = await load(whole.slice(0, -12))
  expect(cut).toMatchObject({ read: 3, unchanged: 2, refused: 1 })
  expect(await keys(id)).toHaveLength(3)
})

test('refuses less than half of the addresses of a commune, without --accept-fall', async () => {
  const { id } = await commune({ code_insee: '73008' })
  const some = (...numbers: number[]) =>
    bal(...numbers.map((numero) => ({ commune_insee: '73008', numero: `${numero}` })))
  await load(some(1, 2, 3, 4, 5))
  expect(await load(some(1, 6))).toEqual({
    ...{ read: 2, refused: 2 },
    refusals: [
      {
        where: '73008',
        reason: 'the file has 2 of its 5 addresses: if this is correct, load with --accept-fall',
      },
    ],
  })
  const run = createRun()
  await loadAddresses(db, bytes(some(1, 6)), run, { acceptFall: true })
  expect(run.counts).toMatchObject({ created: 1, unchanged: 1, removed: 4 })
  expect(await keys(id)).toHaveLength(2)
})

test('a file of former communes or arrondissements replaces theirs only; one of the commune all', async () => {
  const { id } = await commune({ code_insee: '73009' })
  const insert = (code: string) =>
    rows(
      `insert into commune_aliases (code_insee, commune_id, type, nom) values ('${code}', '${id}', 'deleguee', 'X')`,
    )
  await Promise.all([insert('73010'), insert('73011')])
  const of = (commune_insee: string, numero: string, commune_deleguee_insee = '') => ({
    ...{ commune_insee, numero, commune_deleguee_insee },
  })
  await load(bal(of('73010', '1'), of('73011', '1'), of('73011', '2')))
  expect(await load(bal(of('73010', '3')))).toEqual({ read: 1, created: 1, removed: 1, streets: 1 })
  expect(await keys(id)).toEqual([
    '73010_rue-croix-or_00003',
    '73011_rue-croix-or_00001',
    '73011_rue-croix-or_00002',
  ])
  expect((await streets(id)).map(({ deleguee }) => deleguee)).toEqual(['73010', '73011'])
  const whole = bal(of('73009', '9'), of('73009', '1', '73011'))
  expect(await load(whole)).toEqual({ read: 2, created: 1, unchanged: 1, removed: 2, streets: 2 })
  expect(await keys(id)).toEqual(['73009_rue-croix-or_00009', '73011_rue-croix-or_00001'])
})

test('a file without its columns is refused, and one that ends within a quote changes nothing', async () => {
  await expect(load('nom;code\r\nx;1\r\n')).rejects.toThrow(
    'The file lacks the column "voie_nom", "numero", "long", "lat", "commune_insee": it must be a Base Adresse Locale, a CSV separated by ; and in UTF-8.',
  )
  await expect(load('')).rejects.toThrow('The file is empty.')
  const before = [await state('addresses'), await state('streets')]
  await expect(load(`${bal({ numero: '1' })}"${'x'.repeat(60_000)}`)).rejects.toThrow(
    'The file cannot be read as CSV',
  )
  expect([await state('addresses'), await state('streets')]).toEqual(before)
})

test('two loads at once leave the addresses of one of the files', async () => {
  const { id } = await commune({ code_insee: '73012' })
  const file = (street: string, from: number) =>
    bal(
      ...Array.from({ length: 1_500 }, (_, n) => ({
        ...{ commune_insee: '73012', voie_nom: `Rue ${street} ${n % 7}`, numero: `${from + n}` },
      })),
    )
  await Promise.all([
    load(file('Nord', 1)),
    load(file('Sud', 1)),
    load(file('Nord', 500)),
    load(file('Sud', 500)),
  ])
  const found = await addresses(id)
  expect(found).toHaveLength(1_500)
  expect(new Set(found.map(({ street }) => `${street}`.slice(0, 6))).size).toBe(1)
  expect(await streets(id)).toHaveLength(7)
})
