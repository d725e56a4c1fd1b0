import { expect, test } from 'vitest'
import { factories } from '../../../test/support/factories.ts'
import { cloneDatabase } from '../../../test/support/world.ts'
import { bytes, loaded, openLoadWorld } from '../load.test-kit.ts'
import { createRun } from '../run.ts'
import { loadMairies } from './load.ts'

const { db, rows, state } = openLoadWorld(await cloneDatabase())
const { commune, acteur } = factories(db)
const load = (content: string | object) => loaded(loadMairies, db, content)
const mairieOf = async (id: string) =>
  (
    await rows(
      `select acteurs.* from acteurs join communes c on c.mairie_actor_id = acteurs.id where c.id = '${id}'`,
    )
  )[0]
const infosOf = (id: string) =>
  rows(`select * from commune_infos where commune_id = '${id}' order by position`)
const stateOfAll = async () => [await state('communes'), await state('acteurs'), await state('commune_infos')]

const hours = (day: string, last: string, ...times: string[]) => ({
  nom_jour_debut: day,
  nom_jour_fin: last,
  valeur_heure_debut_1: times[0] ?? '',
  valeur_heure_fin_1: times[1] ?? '',
  valeur_heure_debut_2: times[2] ?? '',
  valeur_heure_fin_2: times[3] ?? '',
  commentaire: times[4] ?? '',
})

/** A record as the API exports it: lists are JSON in strings. */
const record = (code: string, nom: string, more: object = {}) => ({
  id: 'c3b4c3a2-0000-4000-8000-000000000000',
  nom,
  code_insee_commune: code,
  pivot: JSON.stringify([{ type_service_local: 'mairie', code_insee_commune: [code] }]),
  adresse: JSON.stringify([
    { type_adresse: 'Adresse postale', numero_voie: 'BP 12', code_postal: '01001', nom_commune: 'Cedex' },
    {
      type_adresse: 'Adresse',
      complement1: 'Le bourg',
      complement2: '',
      numero_voie: '1 place de la Mairie',
      service_distribution: '',
      code_postal: '01400',
      nom_commune: 'Une commune',
      longitude: '4.9',
      latitude: '46.1',
    },
  ]),
  telephone: JSON.stringify([{ valeur: '04 65 71 01 00', description: '' }, { valeur: '04 65 71 01 01' }]),
  site_internet: JSON.stringify([{ libelle: '', valeur: 'https://www.une-commune.example' }]),
  adresse_courriel: 'mairie@une-commune.example',
  siret: '21010001200014',
  plage_ouverture: JSON.stringify([
    hours('Lundi', 'Vendredi', '09:00:00', '12:00:00', '13:30:00', '17:30:00'),
    hours('Samedi', 'Samedi', '10:00:00', '12:00:00', '', '', 'sauf en août'),
  ]),
  ...more,
})

test('creates a mairie with its hours and names it for its commune; a second run writes nothing', async () => {
  const { id } = await commune({
    code_insee: '01001',
    nom: 'Le Grand-Abergement',
    slug: 'le-grand-abergement',
  })
  const file = [record('01001', 'Mairie - Le Grand-Abergement')]
  expect(await load(file)).toEqual({ read: 1, created: 1 })
  expect(await mairieOf(id)).toMatchObject({
    slug: 'mairie-de-le-grand-abergement',
    nom: 'Mairie du Grand-Abergement',
    type: 'mairie',
    commune_id: id,
    adresse: 'Le bourg, 1 place de la Mairie, 01400 Une commune',
    telephone: '04 65 71 01 00',
    email: 'mairie@une-commune.example',
    site_web: 'https://www.une-commune.example',
    siret: '21010001200014',
    valide: true,
    active: true,
    can_publish: true,
    version: 1,
  })
  expect(await infosOf(id)).toMatchObject([
    {
      cle: 'horaires',
      libelle: 'Horaires d’ouverture',
      valeur:
        'Du lundi au vendredi de 9 h à 12 h et de 13 h 30 à 17 h 30, le samedi de 10 h à 12 h (sauf en août)',
      position: 1,
    },
  ])
  const before = await stateOfAll()
  expect(await load(file)).toEqual({ read: 1, unchanged: 1 })
  expect(await stateOfAll()).toEqual(before)
})

test('an address and a telephone number become one line, whatever line breaks the file has', async () => {
  const { id } = await commune({ code_insee: '01012' })
  const adresse = JSON.stringify([{ numero_voie: '1 place\nde la Mairie', nom_commune: 'Une\u00a0commune' }])
  const telephone = JSON.stringify(['04 65 71\r\n01 00'])
  await load([record('01012', 'Mairie\n- Une commune', { adresse, telephone })])
  expect(await mairieOf(id)).toMatchObject({
    adresse: '1 place de la Mairie, Une commune',
    telephone: '04 65 71 01 00',
  })
})

test.each([
  ['01021', '217 300 656 00014', '21730065600014'],
  ['01022', '217300656', null],
  ['01023', '', null],
  ['01024', 21730065600014, null],
])('the mairie of %s with the SIRET %s gets %s', async (code, siret, stored) => {
  const { id } = await commune({ code_insee: code })
  expect(await load([record(code, 'Mairie - X', { siret })])).toEqual({ read: 1, created: 1 })
  expect((await mairieOf(id))?.siret).toBe(stored)
})

test('a SIRET that somebody entered stays', async () => {
  const { id } = await commune({ code_insee: '01025' })
  await load([record('01025', 'Mairie - X', { siret: '' })])
  const { id: mairie } = (await mairieOf(id)) as { id: string }
  await db.updateTable('acteurs').set({ siret: '21010001200022' }).where('id', '=', mairie).execute()
  await load([record('01025', 'Mairie - X')])
  expect((await mairieOf(id))?.siret).toBe('21010001200022')
})

test('reads the formats of the daily base too: lists as lists, within service', async () => {
  const { id } = await commune({ code_insee: '01002' })
  const plain = Object.entries(record('01002', 'Mairie - X')).map(([key, value]) => [
    key,
    value.startsWith('[') ? JSON.parse(value) : value,
  ])
  const service = {
    ...Object.fromEntries(plain),
    adresse_courriel: ['mairie@x.example'],
    code_insee_commune: undefined,
  }
  expect(await load({ total_count: 1, links: ['x'], service: [service] })).toEqual({ read: 1, created: 1 })
  expect(await mairieOf(id)).toMatchObject({ email: 'mairie@x.example', telephone: '04 65 71 01 00' })
  expect(await load({ results: [record('01002', 'Mairie - X')] })).toEqual({ read: 1, updated: 1 })
  expect(await mairieOf(id)).toMatchObject({ email: 'mairie@une-commune.example' })
})

test("of several records the commune's own mairie is taken, in any order", async () => {
  const { id } = await commune({ code_insee: '01015', nom: 'Arboys en Bugey' })
  const { id: paris } = await commune({ code_insee: '75056', nom: 'Paris' })
  const { id: merged } = await commune({ code_insee: '01016', nom: 'Nouvelle' })
  await rows(`insert into commune_aliases values ('01340', '${id}', 'Saint-Bois', 'deleguee'),
    ('75101', '${paris}', 'Paris 1er', 'arrondissement'), ('01017', '${merged}', 'Ancienne', 'associee')`)
  const named = (code: string, nom: string, telephone: string) =>
    record(code, nom, { telephone: JSON.stringify([{ valeur: telephone }]) })
  const file = [
    named('01015', 'Mairie déléguée - Arbignieu', '1'),
    named('01340', 'Mairie - Saint-Bois', '2'),
    named('01015', 'Mairie - Arboys en Bugey - annexe', '3'),
    named('01015', 'Mairie - bureau du port', '4'),
    named('01015', 'Mairie - Arboys-en-Bugey', '5'),
    named('75101', 'Mairie - Paris 1er', '6'),
    named('01017', 'Mairie - Ancienne', '7'),
    record('01015', 'Trésorerie', { pivot: JSON.stringify([{ type_service_local: 'tresorerie' }]) }),
  ]
  expect(await load(file)).toEqual({ read: 8, setAside: 6, created: 2 })
  expect((await mairieOf(id)).telephone).toBe('5')
  expect((await mairieOf(merged)).telephone).toBe('7')
  expect(await mairieOf(paris)).toBeUndefined()
})

test('an existing mairie keeps its values; blanks are filled, and its own hours stay', async () => {
  const mairie = await acteur({ type: 'mairie', telephone: '01 99 00 00 00', email: '  ', valide: false })
  const { id } = await commune({ code_insee: '01020', mairie_actor_id: mairie.id })
  await rows(
    `insert into commune_infos values (gen_random_uuid(), '${id}', 'horaires', 'Horaires', 'Le lundi', 4)`,
  )
  const file = [record('01020', 'Mairie - X', { site_internet: '[{"libelle":"","valeur":"www.x.example"}]' })]
  expect(await load(file)).toEqual({ read: 1, updated: 1 })
  expect(await mairieOf(id)).toMatchObject({
    id: mairie.id,
    nom: mairie.nom,
    telephone: '01 99 00 00 00',
    email: 'mairie@une-commune.example',
    site_web: null,
    valide: false,
    can_publish: false,
    version: 2,
  })
  expect(await infosOf(id)).toMatchObject([{ valeur: 'Le lundi' }])
  expect(await load(file)).toEqual({ read: 1, unchanged: 1 })
})

test('an existing unnamed mairie is named; a deleted one stays deleted; a taken slug is avoided', async () => {
  const { id: unnamed } = await commune({ code_insee: '01030' })
  const own = await acteur({ type: 'mairie', commune_id: unnamed })
  const deleted = await acteur({ type: 'mairie', deleted_at: new Date() })
  const { id: left } = await commune({ code_insee: '01031', mairie_actor_id: deleted.id })
  await acteur({ slug: 'mairie-de-prise' })
  const { id: taken } = await commune({ code_insee: '01032', slug: 'prise' })
  const file = ['01030', '01031', '01032'].map((code) =>
    record(code, 'Mairie - X', { plage_ouverture: null }),
  )
  expect(await load(file)).toEqual({ read: 3, created: 1, updated: 1, unchanged: 1 })
  expect((await mairieOf(unnamed)).id).toBe(own.id)
  expect(await mairieOf(left)).toMatchObject({ id: deleted.id, telephone: null, version: 1 })
  expect((await mairieOf(taken)).slug).toBe('mairie-de-prise-01032')
})

test('hours that arrive later change the commune, a contact changes the mairie', async () => {
  const { id } = await commune({ code_insee: '01040' })
  await load([record('01040', 'Mairie - X', { plage_ouverture: '', telephone: '[]' })])
  const version = async () => (await rows(`select version from communes where id = '${id}'`))[0].version
  expect(await version()).toBe(2)
  expect(await load([record('01040', 'Mairie - X')])).toEqual({ read: 1, updated: 1 })
  expect(await version()).toBe(3)
  expect(await mairieOf(id)).toMatchObject({ telephone: '04 65 71 01 00', version: 2 })
})

test('refuses invalid records with position and reason', async () => {
  await commune({ code_insee: '01050' })
  const file = [
    record('01050', 'Mairie - X', { telephone: '04 65 71 01 00' }),
    record('99999', 'Mairie - Nulle part'),
    { ...record('', 'Mairie - X'), pivot: null },
    null,
  ]
  expect(await load(JSON.stringify(file))).toEqual({
    read: 4,
    refused: 4,
    refusals: [
      { where: 'line 1, record 1', reason: 'telephone is not the JSON it should be' },
      { where: 'line 1, record 2', reason: 'no commune has the code 99999' },
      { where: 'line 1, record 3', reason: 'code_insee_commune is missing' },
      { where: 'line 1, record 4', reason: 'it is not an object' },
    ],
  })
})

test('refuses a record with text that cannot be stored and loads the others', async () => {
  const { id } = await commune({ code_insee: '01060' })
  const { id: cut } = await commune({ code_insee: '01061' })
  const bad = (more: object) => record('01060', 'Mairie - X', more)
  const comment = (text: string) => [hours('Lundi', 'Lundi', '09:00', '12:00', '', '', text)]
  const file = [
    bad({ adresse_courriel: 'mai\0rie@x.example' }),
    bad({ adresse: JSON.stringify([{ numero_voie: '1 place\0' }]) }),
    bad({ adresse: [{ numero_voie: '1 place \ud800' }] }),
    bad({ telephone: '[{"valeur": "\\udfff"}]' }),
    bad({ plage_ouverture: comment('l’\u{FFFD}t\u{FFFD}') }),
    record('01061', 'Mairie - Y', {
      adresse: [{ numero_voie: `${'x'.repeat(499)}🌳` }],
      plage_ouverture: comment(`x${'🌳'.repeat(1_200)}`),
    }),
    record('01060', 'Trésor\0erie', { pivot: [{ type_service_local: 'tresorerie' }] }),
  ]
  expect(await load(JSON.stringify(file))).toEqual({
    read: 7,
    setAside: 1,
    created: 1,
    refused: 5,
    refusals: [
      { where: 'line 1, record 1', reason: 'email holds a NUL character' },
      { where: 'line 1, record 2', reason: 'adresse holds a NUL character' },
      { where: 'line 1, record 3', reason: 'adresse holds half a character (a lone surrogate)' },
      { where: 'line 1, record 4', reason: 'telephone holds half a character (a lone surrogate)' },
      { where: 'line 1, record 5', reason: 'horaires holds a character that was not UTF-8 (U+FFFD)' },
    ],
  })
  expect(await mairieOf(id)).toBeUndefined()
  expect(await mairieOf(cut)).toMatchObject({ adresse: 'x'.repeat(499) })
  expect(await infosOf(cut)).toMatchObject([{ valeur: expect.stringMatching(/^Le lundi .* \(x🌳+$/u) }])
})

test('an interrupted run leaves whole batches, and the same file completes it', async () => {
  const file = []
  for (let n = 0; n < 1_500; n++) {
    const { code_insee } = await commune({ code_insee: String(30_000 + n) })
    file.push(record(code_insee, 'Mairie - X'))
  }
  const stop = new AbortController()
  const cut = createRun({ signal: stop.signal })
  // The batch of a thousand is committed; the run ends at the following step.
  Object.defineProperty(cut.counts, 'created', { get: () => 0, set: () => stop.abort() })
  await expect(loadMairies(db, bytes(file, 65_536), cut)).rejects.toThrow('aborted')
  const named =
    "select count(*)::int from communes where code_insee >= '30000' and mairie_actor_id is not null"
  expect(await rows(named)).toEqual([{ count: 1_000 }])
  expect(await load(file)).toEqual({ read: 1_500, created: 500, unchanged: 1_000 })
})
