import { expect, test } from 'vitest'
import { openWorld } from '../../../../test/support/world.ts'
import { uuidv7 } from '../../../platform/formats/uuid.ts'

const { as, commune, acteur, db, get, post } = await openWorld()
const admin = await as('admin')

const chambery = {
  nom: 'Chambéry',
  code_insee: '73065',
  codes_postaux: ['73000'],
  region: '84',
  population: 59_856,
  latitude: 45.56,
  longitude: 5.92,
}
const elu = { nom: 'Vauquelin', prenom: 'Odile', fonction: 'Maire' }
const collecte = { type_dechet: 'verre', libelle: 'Verre', mode: 'apport_volontaire' }
const site = (valeur: string) => ({ infos: [{ cle: 'site_web', libelle: 'Site', valeur }] })
const info = { cle: 'horaires', libelle: 'Horaires', valeur: '9 h – 17 h' }

test('POST /admin/communes returns 201 with the complete commune', async () => {
  const answer = await admin.post('/admin/communes', {
    ...chambery,
    elus: [elu],
    collectes: [collecte],
    infos: [info],
  })
  expect(answer.status).toBe(201)
  expect(answer.headers.get('etag')).toBe('"1"')
  expect(answer.body.data).toMatchObject({
    ...chambery,
    slug: 'chambery',
    departement: '73',
    mairie_actor_id: null,
    mairie: null,
    version: 1,
    elus: [{ ...elu, ordre: 1, photo_url: null, mandat_debut: null }],
    collectes: [
      {
        ...collecte,
        jours: [],
        dates: [],
        exceptions: [],
        toutes_les_semaines: 1,
        rang: null,
        prochaines: [],
      },
    ],
    commune_infos: [{ ...info, position: 1 }],
    infos: { adresse: null, complements: [info] },
    counts: { publications: 0, acteurs: 0, claims_pending: 0, defibrillateurs: 0 },
  })
  expect((await get('/communes/chambery')).status).toBe(200)
})

test('POST /admin/communes returns 409 for a taken INSEE code and for a taken slug', async () => {
  await commune({ slug: 'belley', code_insee: '01034' })
  const again = { nom: 'Belley', region: '84' }
  expect(await admin.post('/admin/communes', { ...again, code_insee: '01034' })).toBeError(409, 'conflict')
  const taken = await admin.post('/admin/communes', { ...again, code_insee: '01999', slug: 'belley' })
  expect(taken).toBeError(409, 'slug_taken')
  const named = await admin.post('/admin/communes', { ...again, code_insee: '01999' })
  expect(named.body.data.slug).toBe('belley-01')
  const third = await admin.post('/admin/communes', { ...again, code_insee: '01998' })
  expect(third.body.data.slug).toBe('belley-01998')
})

test('concurrent namesakes get different slugs, and those of one INSEE code 409 conflict', async () => {
  const made = (codes: string[]) =>
    Promise.all(
      codes.map((code_insee) => admin.post('/admin/communes', { nom: 'Jumelle', code_insee, region: '84' })),
    )
  const namesakes = await made(['01901', '38901', '69901'])
  expect(namesakes.map(({ status }) => status)).toEqual([201, 201, 201])
  expect(new Set(namesakes.map(({ body }) => body.data.slug)).size).toBe(3)
  const same = await made(['01902', '01902', '01902'])
  expect(same.map(({ status }) => status).sort()).toEqual([201, 409, 409])
  for (const refused of same.filter(({ status }) => status === 409))
    expect(refused).toBeError(409, 'conflict')
})

test('a slug in the form of an id is 422, and a name in that form gets another slug', async () => {
  const { id } = await commune({ code_insee: '01903' })
  const changed = await admin.patch(`/admin/communes/${id}`, { slug: id })
  expect(changed).toBeError(422, 'validation_failed')
  expect(changed.body.details[0].field).toBe('slug')
  const fields = { code_insee: '01904', region: '84' }
  const made = await admin.post('/admin/communes', { ...fields, nom: 'Sans', slug: id })
  expect(made).toBeError(422, 'validation_failed')
  const named = (await admin.post('/admin/communes', { ...fields, nom: id })).body.data
  expect(named.slug).toBe(`n-${id}`)
  expect((await get(`/communes/${named.slug}`)).body.data.id).toBe(named.id)
})

test('POST /admin/communes takes the region from other communes of the département', async () => {
  await commune({ code_insee: '97101', departement: '971', region: '01' })
  const answer = await admin.post('/admin/communes', { nom: 'Neuve', code_insee: '97199' })
  expect(answer.body.data).toMatchObject({ departement: '971', region: '01' })
  const alone = await admin.post('/admin/communes', { nom: 'Seule', code_insee: '98101' })
  expect(alone).toBeError(422, 'validation_failed')
  expect(alone.body.details[0].field).toBe('region')
})

test.each([
  ['nom', { nom: '' }],
  ['nom', { nom: ' … ' }],
  ['nom', { nom: 'Cham\nbéry' }],
  ['code_insee', { code_insee: '7306' }],
  ['population', { population: -1 }],
  ['latitude', { latitude: 91, longitude: 0 }],
  ['latitude', { latitude: 45 }],
  ['mairie_actor_id', { mairie_actor_id: '0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e' }],
  ['slug', { slug: 'Chambéry' }],
  ['inconnu', { inconnu: 1 }],
  ['elus.0.nom', { elus: [{ ...elu, nom: '' }] }],
  ['elus.0.nom', { elus: [{ ...elu, nom: 'Vauquelin\n' }] }],
  ['elus.0.prenom', { elus: [{ ...elu, prenom: 'Odile\u0085' }] }],
  ['elus.0.fonction', { elus: [{ ...elu, fonction: 'Maire\tadjointe' }] }],
  ['elus.0.naissance', { elus: [{ ...elu, naissance: '1960-01-01' }] }],
  ['elus.0.photo_url', { elus: [{ ...elu, photo_url: 'javascript:alert(1)' }] }],
  ['elus.0.photo_url', { elus: [{ ...elu, photo_url: 'https://mairie.example/\u0000' }] }],
  ['elus.0.id', { elus: [{ ...elu, id: '0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e' }] }],
  ['collectes.0.jours.0', { collectes: [{ ...collecte, jours: ['monday'] }] }],
  ['collectes', { collectes: [{ ...collecte, jours: ['lundi'], toutes_les_semaines: 2 }] }],
  ['collectes.0.rang', { collectes: [{ ...collecte, jours: ['lundi'], rang: 5 }] }],
  ['collectes', { collectes: [{ ...collecte, jours: ['lundi', 'jeudi'], rang: 2 }] }],
  ['collectes.0.libelle', { collectes: [{ ...collecte, libelle: 'Verre\nblanc' }] }],
  ['collectes.0.secteur', { collectes: [{ ...collecte, secteur: 'Centre\u0000' }] }],
  ['collectes.0.dates.0', { collectes: [{ ...collecte, dates: ['2026-02-30'] }] }],
  [
    'collectes.1.exceptions.1.date',
    {
      collectes: [
        collecte,
        { ...collecte, exceptions: Array(2).fill({ date: '2026-12-25', reportee_au: '2026-12-26' }) },
      ],
    },
  ],
  ['infos.0.libelle', { infos: [{ ...info, libelle: 'Horaires\n' }] }],
  ['infos.0.valeur', site('javascript:alert(1)')],
  ['infos.0.valeur', site('https://')],
  ['infos.0.valeur', site('https://mairie.example/<script>')],
  ['infos.0.valeur', site('https://mairie.example et https://autre.example')],
  ['infos.0.valeur', site('https://mairie.example@autre.example')],
])('PATCH /admin/communes/{id} returns 422 and changes nothing: %s', async (field, body) => {
  const before = await commune()
  const answer = await admin.patch(`/admin/communes/${before.id}`, body)
  expect(answer).toBeError(422, 'validation_failed')
  expect(answer.body.details.map((problem: { field: string }) => problem.field)).toContain(field)
  const after = await db.selectFrom('communes').selectAll().where('id', '=', before.id).executeTakeFirst()
  expect(after).toEqual(before)
})

test('POST /admin/communes returns 422 for a name that gives no slug', async () => {
  const answer = await admin.post('/admin/communes', { nom: '東京', code_insee: '01997', region: '84' })
  expect(answer).toBeError(422, 'validation_failed')
  expect(answer.body.details[0].field).toBe('nom')
})

test('POST /admin/communes returns 422 without a name or a code', async () => {
  const answer = await admin.post('/admin/communes', {})
  expect(answer).toBeError(422, 'validation_failed')
  expect(answer.body.details.map(({ field }: { field: string }) => field)).toEqual(['nom', 'code_insee'])
})

test('PATCH /admin/communes/{id} returns 200 with the updated commune, and its slug stays', async () => {
  const { id, slug } = await commune({ nom: 'Avant' })
  const answer = await admin.patch(`/admin/communes/${id}`, { nom: 'Après', population: 12 })
  expect(answer.status).toBe(200)
  expect(answer.body.data).toMatchObject({ id, slug, nom: 'Après', population: 12, version: 2 })
  expect(answer.headers.get('etag')).toBe('"2"')
  const renamed = await admin.patch(`/admin/communes/${id}`, { slug: 'apres' })
  expect(renamed.body.data.slug).toBe('apres')
})

test('PATCH /admin/communes/{id} replaces given sub-lists, keeps ids and increments the version', async () => {
  const { id } = await commune()
  const path = `/admin/communes/${id}`
  const made = await admin.patch(path, {
    elus: [elu, { ...elu, prenom: 'Régis' }],
    collectes: [collecte],
    infos: [info],
  })
  expect(made.body.data.version).toBe(2)
  const [first, second] = made.body.data.elus
  const kept = await admin.patch(path, { elus: [{ ...second, ordre: 1 }] })
  expect(kept.body.data).toMatchObject({ version: 3, elus: [{ id: second.id, prenom: 'Régis', ordre: 1 }] })
  expect(kept.body.data.collectes).toEqual(made.body.data.collectes)
  const same = await admin.patch(path, { elus: kept.body.data.elus })
  expect(same.body.data.version).toBe(3)
  const twice = await admin.patch(path, { elus: [{ ...first, id: second.id }, second] })
  expect(twice).toBeError(422, 'validation_failed')
  const none = await admin.patch(path, { elus: [], infos: [] })
  expect(none.body.data).toMatchObject({ version: 4, elus: [], commune_infos: [] })
})

test('PATCH /admin/communes/{id} trims the address of a web site or stores none', async () => {
  const { id } = await commune()
  for (const [given, kept, shown] of [
    [' https://mairie.example/accueil\n', 'https://mairie.example/accueil', 'https://mairie.example/accueil'],
    ['  ', '', null],
  ] as const) {
    const { body } = await admin.patch(`/admin/communes/${id}`, site(given))
    expect(body.data).toMatchObject({ commune_infos: [{ valeur: kept }], infos: { site_web: shown } })
  }
})

test('validates the body before it looks the record up', async () => {
  const strange = site('javascript:alert(1)')
  const refused = await admin.patch(`/admin/communes/${uuidv7()}`, strange)
  expect(refused).toBeError(422, 'validation_failed')
  const made = await admin.post('/admin/communes', { ...chambery, ...strange })
  expect(made).toBeError(422, 'validation_failed')
  expect(made.body.details).toMatchObject([{ field: 'infos.0.valeur' }])
})

test('PATCH /admin/communes/{id} names a mairie, which must be of that type', async () => {
  const { id } = await commune()
  const mairie = await acteur({ type: 'mairie', nom: 'Mairie', telephone: '01 99 00 00 00' })
  const answer = await admin.patch(`/admin/communes/${id}`, { mairie_actor_id: mairie.id })
  expect(answer.body.data).toMatchObject({
    mairie: { id: mairie.id, nom: 'Mairie', active: true },
    infos: { telephone: '01 99 00 00 00', sources: { telephone: 'mairie' } },
  })
  const shop = await acteur({ type: 'commerce' })
  expect(await admin.patch(`/admin/communes/${id}`, { mairie_actor_id: shop.id })).toBeError(
    422,
    'validation_failed',
  )
})

test.each([
  ['PATCH', ''],
  ['GET', '/full'],
])('returns 404 for an unknown or malformed id (%s%s)', async (method, rest) => {
  for (const id of [uuidv7(), '12']) {
    expect(
      await admin.send(method, `/admin/communes/${id}${rest}`, method === 'PATCH' ? {} : undefined),
    ).toBeError(404, 'not_found')
  }
})

test('PATCH /admin/communes/{id} returns 404 for an unknown commune', async () => {
  expect(await admin.patch(`/admin/communes/${uuidv7()}`, { population: 1 })).toBeError(404, 'not_found')
})

test('GET /admin/communes/{id}/full returns 404 for an unknown commune', async () => {
  expect(await admin.get(`/admin/communes/${uuidv7()}/full`)).toBeError(404, 'not_found')
})

test('GET /admin/communes/{id}/full returns 200 with its parts and counts', async () => {
  const { id } = await commune()
  await acteur({ commune_id: id })
  await acteur({ commune_id: id, deleted_at: new Date() })
  const { id: claimed } = await acteur({ commune_id: id })
  await post('/claims', {
    acteur_id: claimed,
    message: 'Je préside cette association.',
    email: 'odile@example.org',
  })
  const published = { acteur_id: claimed, title: 'Loto', body: 'Samedi.' }
  await db.updateTable('acteurs').set({ valide: true }).where('id', '=', claimed).execute()
  expect((await admin.post('/publications', published)).status).toBe(201)
  const { status, body, headers } = await admin.get(`/admin/communes/${id}/full`)
  expect(status).toBe(200)
  expect(body.data.counts).toEqual({ publications: 1, acteurs: 2, claims_pending: 1, defibrillateurs: 0 })
  expect(headers.get('cache-control')).toBe('no-store')
})

test('creating and updating a commune is audited with user, action and changed fields, nothing personal', async () => {
  const answer = await admin.post('/admin/communes', { nom: 'Tracée', code_insee: '73999', region: '84' })
  const { id } = answer.body.data
  await admin.patch(`/admin/communes/${id}`, { population: 5, elus: [elu] })
  await admin.patch(`/admin/communes/${id}`, { population: 5 })
  const rows = await db
    .selectFrom('audit_log')
    .selectAll()
    .where('entity_id', '=', id)
    .orderBy('at')
    .orderBy('id')
    .execute()
  expect(rows).toMatchObject([
    {
      action: 'commune.create',
      entity: 'commune',
      before: null,
      after: { nom: 'Tracée', code_insee: '73999' },
    },
    {
      action: 'commune.update',
      before: { elus: '(personal)' },
      after: { population: 5, elus: '(personal)' },
    },
  ])
  expect(rows[0]).toMatchObject({ app_source: 'backoffice', request_id: answer.headers.get('x-request-id') })
  expect(rows[0]?.user_id).toMatch(/^[0-9a-f-]{36}$/)
  expect(JSON.stringify(rows)).not.toContain('Vauquelin')
})
