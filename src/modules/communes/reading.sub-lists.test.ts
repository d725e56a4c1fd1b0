import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openWorld } from '../../../test/support/world.ts'
import { uuidv7 } from '../../platform/formats/uuid.ts'
import { insertSecteur } from './secteurs/queries.ts'
import { streetOf } from './secteurs/streets.ts'

const { get, commune, acteur, db, setClock } = await openWorld()

const parts = ['elus', 'collectes', 'infos'] as const

test.each(parts)(
  'GET /communes/{id}/%s returns the same 404 for an unknown and a malformed id',
  async (part) => {
    const unknown = await get(`/communes/${uuidv7()}/${part}`)
    expect(unknown).toBeError(404, 'not_found')
    for (const id of ['12', 'ambronay', '%00'])
      expect((await get(`/communes/${id}/${part}`)).text).toBe(unknown.text)
  },
)

test('GET /communes/{id}/elus returns 200 with the élus in order, without meta', async () => {
  const { id } = await commune()
  const elu = (ordre: number, nom: string) => ({
    id: uuidv7(),
    commune_id: id,
    nom,
    prenom: 'Zoé',
    fonction: 'Maire',
    ordre,
  })
  await db
    .insertInto('elus')
    .values([elu(2, 'Bé'), elu(1, 'Cé'), elu(3, 'Dé')])
    .execute()
  const { status, body } = await get(`/communes/${id}/elus`)
  expect(status).toBe(200)
  expect(body.data.map(({ nom }: { nom: string }) => nom)).toEqual(['Cé', 'Bé', 'Dé'])
  expect(Object.keys(body)).toEqual(['data'])
  expect(body.data[0]).toMatchObject({
    prenom: 'Zoé',
    fonction: 'Maire',
    ordre: 1,
    photo_url: null,
    mandat_debut: null,
  })
})

test('GET /communes/{id}/collectes returns 200 with the next five dates in Paris', async () => {
  const { id } = await commune()
  await db
    .insertInto('collectes')
    .values([
      {
        id: uuidv7(),
        commune_id: id,
        position: 1,
        type_dechet: 'emballages',
        libelle: 'Bac jaune',
        mode: 'porte_a_porte',
        jours: ['vendredi'],
        toutes_les_semaines: 2,
        a_partir_du: '2026-12-11',
        exceptions: JSON.stringify([{ date: '2026-12-25', reportee_au: '2026-12-26' }]),
      },
      {
        id: uuidv7(),
        commune_id: id,
        position: 2,
        type_dechet: 'encombrants',
        libelle: 'Encombrants',
        mode: 'apport_volontaire',
        dates: ['2026-12-01', '2027-03-02'],
      },
    ])
    .execute()
  // Already the 11th in Paris.
  setClock('2026-12-10T23:30:00Z')
  const { status, body } = await get(`/communes/${id}/collectes`)
  expect(status).toBe(200)
  expect(body.data).toHaveLength(2)
  expect(body.data[0].prochaines).toEqual([
    '2026-12-11',
    '2026-12-26',
    '2027-01-08',
    '2027-01-22',
    '2027-02-05',
  ])
  expect(body.data[0].exceptions).toEqual([{ date: '2026-12-25', reportee_au: '2026-12-26' }])
  expect(body.data[1]).toMatchObject({ dates: ['2026-12-01', '2027-03-02'], prochaines: ['2027-03-02'] })
})

test('GET /communes/{id}/collectes returns 200 and marks public holidays without an exception', async () => {
  const rounds = async (departement: string, today: string, schedule: object) => {
    const { id } = await commune({ departement })
    const row = { id: uuidv7(), commune_id: id, position: 1, type_dechet: 'emballages', libelle: 'Bac jaune' }
    await db
      .insertInto('collectes')
      .values({ ...row, mode: 'porte_a_porte', ...schedule })
      .execute()
    setClock(`${today}T10:00:00Z`)
    const { status, body } = await get(`/communes/${id}/collectes`)
    expect(status).toBe(200)
    const [{ prochaines, passages }] = body.data
    type Passage = { date: string; jour_ferie: boolean }
    expect(prochaines).toEqual(passages.map(({ date }: Passage) => date))
    return passages.filter(({ jour_ferie }: Passage) => jour_ferie).map(({ date }: Passage) => date)
  }
  const fridays = { jours: ['vendredi'] }
  const exceptions = (...all: object[]) => ({ exceptions: JSON.stringify(all) })
  const december = (schedule: object) => rounds('73', '2026-12-14', schedule)
  expect(await december(fridays)).toEqual(['2026-12-25', '2027-01-01'])
  expect(await december({ dates: ['2026-12-25', '2027-01-15'] })).toEqual(['2026-12-25'])
  const [moved, confirmed] = ['2026-12-26', '2026-12-25']
  const movedRound = exceptions({ date: '2026-12-25', reportee_au: moved })
  expect(await december({ ...fridays, ...movedRound })).toEqual(['2027-01-01'])
  const confirmedRound = exceptions({ date: '2026-12-25', reportee_au: confirmed })
  expect(await december({ ...fridays, ...confirmedRound })).toEqual(['2027-01-01'])
  const saturdays = { jours: ['samedi'] }
  expect(await rounds('67', '2026-12-14', saturdays)).toEqual(['2026-12-26'])
  expect(await rounds('73', '2026-12-14', saturdays)).toEqual([])
  expect(await rounds('974', '2026-12-14', { jours: ['dimanche'] })).toEqual(['2026-12-20'])
})

async function communeWith(mairie: object | null, rows: [cle: string, valeur: string][]) {
  const actor = mairie && (await acteur({ type: 'mairie', ...mairie }))
  const { id } = await commune({ mairie_actor_id: actor?.id ?? null })
  const values = rows.map(([cle, valeur], position) => ({
    id: uuidv7(),
    commune_id: id,
    cle,
    libelle: cle,
    valeur,
    position,
  }))
  if (values.length > 0) await db.insertInto('commune_infos').values(values).execute()
  return (await get(`/communes/${id}/infos`)).body.data
}

const complete = { adresse: '1 place', telephone: '01', email: 'm@x.example', site_web: 'https://x.example' }

test("GET /communes/{id}/infos returns 200 with the mairie's complete contact first and all rows as additions", async () => {
  const infos = await communeWith(complete, [
    ['telephone', '02'],
    ['horaires', '9 h – 17 h'],
  ])
  expect(infos).toMatchObject({
    ...complete,
    sources: { adresse: 'mairie', telephone: 'mairie', email: 'mairie', site_web: 'mairie' },
  })
  expect(infos.complements.map(({ valeur }: { valeur: string }) => valeur)).toEqual(['02', '9 h – 17 h'])
})

test('GET /communes/{id}/infos fills each missing or blank field of the mairie separately', async () => {
  const infos = await communeWith({ adresse: '1 place', telephone: '  ', email: '' }, [
    ['telephone', ' '],
    ['telephone', '02'],
    ['telephone', '03'],
    ['email', 'c@x.example'],
  ])
  expect(infos).toMatchObject({
    adresse: '1 place',
    telephone: '02',
    email: 'c@x.example',
    site_web: null,
    sources: { adresse: 'mairie', telephone: 'commune', email: 'commune', site_web: null },
  })
  expect(infos.complements.map(({ valeur }: { valeur: string }) => valeur)).toEqual([' ', '03'])
})

test.each([
  ['there is none', null],
  ['it is inactive', { ...complete, active: false }],
  ['it is deleted', { ...complete, deleted_at: new Date() }],
])(
  'GET /communes/{id}/infos falls back to the commune when the mairie is missing: %s',
  async (_why, mairie) => {
    const infos = await communeWith(mairie, [['adresse', '2 rue']])
    expect(infos).toMatchObject({
      adresse: '2 rue',
      telephone: null,
      complements: [],
      sources: { adresse: 'commune' },
    })
  },
)

test('GET /communes/{id}/collectes?adresse= returns 200 with the collections of its secteur and what else may be meant', async () => {
  const { id } = await commune({ code_insee: '73065' })
  const bin = (libelle: string, secteur: string | null) => ({
    ...{ id: uuidv7(), commune_id: id, libelle, secteur, type_dechet: 'verre', mode: 'porte_a_porte' },
    ...{ jours: ['mardi'], toutes_les_semaines: 1, dates: [], exceptions: '[]', position: 0 },
  })
  const bins = [bin('Verre', null), bin('Bac du centre', 'Centre'), bin('Bac des hauts', 'Hauts')]
  await db
    .insertInto('collectes')
    .values(bins as never)
    .execute()
  const street = async (nom: string, lines: string[]) => {
    const rues = lines.map((line) => streetOf(line) ?? expect.fail(line))
    await sql`delete from secteurs where commune_id = ${id} and nom = ${nom}`.execute(db)
    await insertSecteur(db, { id: uuidv7(), commune_id: id, nom, nom_initial: nom, rues, zone: null })
  }
  await street('Centre', ['Rue Haute : 1-9', 'Place Saint-Léger'])
  await street('Hauts', ['Rue Haute : 10-'])
  const all = bins.map(({ libelle }) => libelle)
  const read = async (adresse: string) => {
    const { status, body, headers } = await get(
      `/communes/${id}/collectes?adresse=${encodeURIComponent(adresse)}`,
    )
    expect(status).toBe(200)
    expect([headers.get('cache-control'), headers.get('etag')]).toEqual(['no-store', null])
    return { shown: body.data.map(({ libelle }: { libelle: string }) => libelle), meta: body.meta }
  }
  const none = { secteurs: [], needs_number: false, suggestions: [] }
  const hauts = { ...none, secteurs: ['Hauts'] }
  expect(await read('12, rue haute')).toEqual({ shown: ['Verre', 'Bac des hauts'], meta: hauts })
  expect(await read('rue haute')).toEqual({
    shown: all,
    meta: { ...none, secteurs: ['Centre', 'Hauts'], needs_number: true },
  })
  expect(await read('2 léger')).toEqual({
    shown: all,
    meta: { ...none, suggestions: ['2 Place Saint-Léger'] },
  })
  expect(await read('3 rue inconnue')).toEqual({ shown: all, meta: none })
  expect(await read('')).toEqual({ shown: all, meta: none })
  expect(await get(`/communes/${id}/collectes?adresse=${'x'.repeat(201)}`)).toBeError(
    422,
    'validation_failed',
  )
  expect(await get(`/communes/${uuidv7()}/collectes?adresse=rue`)).toBeError(404, 'not_found')
  const whole = await get(`/communes/${id}/collectes`)
  expect(Object.keys(whole.body)).toEqual(['data'])
  expect(whole.headers.get('cache-control')).toBe('public, max-age=0, must-revalidate')
})
