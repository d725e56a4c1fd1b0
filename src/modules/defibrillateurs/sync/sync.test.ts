import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { slowdown } from '../../../../test/processes/service.ts'
import { openWorld, run as runSql } from '../../../../test/support/world.ts'
import { ownConnections } from '../../../platform/database/connections/own-connection.ts'
import { uuidv7 } from '../../../platform/formats/uuid.ts'
import { defaultLimits } from './download.ts'
import { runSync } from './jobs.ts'
import {
  columns,
  csv,
  device,
  formerColumns,
  json,
  openRegistry,
  type RegistryFields,
  type Talk,
} from './registry.test-kit.ts'

const registry = await openRegistry()
afterAll(registry.close)
const world = await openWorld({
  env: { GEODAE_CSV_URL: registry.csvUrl, GEODAE_API_URL: registry.apiUrl },
})
const { db, config, as, commune, database, get } = world
const deps = { db, config, onOwnConnection: ownConnections(database.service) }
const admin = await as('admin')
const etienne = await commune({
  nom: 'Saint-Étienne',
  code_insee: '42218',
  codes_postaux: ['42000', '42100'],
})
await db
  .insertInto('commune_aliases')
  .values({ code_insee: '42998', commune_id: etienne.id, nom: 'Terrenoire', type: 'associee' })
  .execute()

beforeEach(async () => {
  await db.deleteFrom('defibrillateurs').execute()
  await db.deleteFrom('defibrillateur_syncs').execute()
})

await sql`insert into commune_former_names (commune_id, nom) values (${etienne.id}, 'Saint-Victor-sur-Loire')`.execute(
  db,
)

const france = '/admin/defibrillateurs-france/sync'
const ofCommune = `/admin/communes/${etienne.id}/defibrillateurs/sync`

type Options = Partial<Parameters<typeof runSync>[2]>

/** Requests and runs a sync and returns its result. */
async function sync(path = france, options: Options = {}) {
  const answer = await admin.post(path)
  expect(answer.status, answer.text).toBe(202)
  return run(answer.body.data.id, options)
}

async function run(id: string, options: Options = {}) {
  await runSync(deps, id, { signal: new AbortController().signal, ...options })
  return ended(id)
}

const ended = (id: string) =>
  db.selectFrom('defibrillateur_syncs').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

const stored = () => db.selectFrom('defibrillateurs').selectAll().orderBy('gid').execute()
const row = (gid: string) =>
  db.selectFrom('defibrillateurs').selectAll().where('gid', '=', gid).executeTakeFirstOrThrow()
/** A state that any write changes, even one of equal values. */
const state = async () =>
  (await sql`select xmin::text, to_jsonb(d) as row from defibrillateurs d order by gid`.execute(db)).rows
const received = () => db.selectFrom('defibrillateurs_received').selectAll().execute()
const many = (count: number, given: RegistryFields = {}) =>
  Array.from({ length: count }, (_, n) => device(n + 1, given))

test('a catalogue that was empty at the last ANALYZE is not scanned for each device', async () => {
  type Told = { seq_scan: string; n_tup_ins: string }
  const look = async (): Promise<Told> => (await runSql(database.owner, told)).rows[0]
  const told = "select seq_scan, n_tup_ins from pg_stat_user_tables where relname = 'defibrillateurs'"
  await runSql(database.owner, 'analyze defibrillateurs')
  const before = await look()
  registry.has(many(500))
  expect(await sync()).toMatchObject({ status: 'succeeded' })
  // Statistics are reported once the connection has ended.
  let after = await look()
  while (Number(after.n_tup_ins) - Number(before.n_tup_ins) < 500) after = await look()
  expect(Number(after.seq_scan) - Number(before.seq_scan)).toBeLessThan(50)
})

test('POST /admin/defibrillateurs-france/sync returns 202, and the registry is loaded when its job is done', async () => {
  registry.has([
    device(1800, {
      c_nom: 'Mairie; "centre"',
      c_lat_coor1: '45.61',
      c_acc_complt: 'À gauche\tde\\n l’entrée',
      cc_photo1: 'https://photos.example/1.jpg',
    }),
  ])
  const answer = await admin.post(france)
  expect(answer.status).toBe(202)
  expect(answer.body).toEqual({ data: { id: expect.any(String), status: 'queued' } })
  expect(await run(answer.body.data.id)).toMatchObject({
    status: 'succeeded',
    error: null,
    commune_id: null,
    counts: { read: 1, received: 1, created: 1, updated: 0, unchanged: 0, absent: 0, returned: 0 },
    finished_at: expect.any(Date),
  })
  const { body } = await get(`/communes/${etienne.id}/defibrillateurs`)
  expect(body.meta).toEqual({ count: 1, last_synced_at: expect.any(String), sync_status: 'succeeded' })
  expect(body.defibrillateurs[0]).toEqual({
    id: expect.any(String),
    gid: '1800',
    nom: 'Mairie; "centre"',
    adresse: '1 Place de la Mairie',
    code_postal: '42000',
    commune_nom: 'Saint-Étienne',
    code_insee: '42218',
    latitude: 45.61,
    longitude: 4.05,
    acces: 'Extérieur',
    acces_libre: true,
    etage: '0',
    acces_complement: 'À gauche de\\n l’entrée',
    disponibilite: '24/7',
    disponibilite_complement: null,
    ouvert: true,
    etat_fonctionnement: 'En fonctionnement',
    photo_url: 'https://photos.example/1.jpg',
    date_installation: '2019-11-18',
    mis_a_jour_le: '2023-04-11T19:30:44.302Z',
  })
  expect(await received()).toEqual([])
})

test('a second sync of the same data writes no defibrillator, and otherwise only differences', async () => {
  const rows = many(60)
  registry.has(rows)
  await sync()
  const before = await state()
  expect(await sync()).toMatchObject({ counts: { created: 0, updated: 0, unchanged: 60, absent: 0 } })
  expect(await state()).toEqual(before)
  registry.has([device(1, { c_nom: 'Gare' }), ...rows.slice(2), device(99)])
  expect(await sync()).toMatchObject({
    counts: { received: 60, created: 1, updated: 1, unchanged: 58, absent: 1, returned: 0 },
  })
  expect(await row('1')).toMatchObject({ nom: 'Gare', version: 2 })
  expect((await row('3')).version).toBe(1)
  expect(await row('2')).toMatchObject({ visible: false, absent_depuis: expect.any(Date) })
  registry.has([...rows, device(99)])
  expect(await sync()).toMatchObject({ counts: { updated: 1, returned: 1, absent: 0 } })
  expect(await row('2')).toMatchObject({ visible: true, absent_depuis: null })
})

test("administrators' statuses survive every sync", async () => {
  registry.has([device(1), device(2)])
  await sync()
  const { id } = await row('1')
  await admin.patch(`/admin/defibrillateurs/${id}`, { statut_admin: 'masque', note: 'Volé' })
  await admin.patch(`/admin/defibrillateurs-france/${id}`, { statut_admin: 'a_verifier' })
  registry.has([device(1, { c_nom: 'Gare' }), device(2)])
  await sync()
  expect(await row('1')).toMatchObject({
    id,
    nom: 'Gare',
    statut_admin_commune: 'masque',
    note_commune: 'Volé',
    statut_admin_france: 'a_verifier',
    visible: false,
  })
})

test('the newer of two versions wins, also for a device listed twice', async () => {
  const at = (day: number, c_nom: string) => device(1, { c_nom, c__edit_datemaj: `2026-03-0${day} 10:00:00` })
  registry.has([at(2, 'deux'), at(5, 'cinq'), at(3, 'trois'), device(2)])
  expect(await sync()).toMatchObject({ counts: { read: 4, received: 2, refused: { doubled: 2 } } })
  expect((await row('1')).nom).toBe('cinq')
  registry.has([at(4, 'quatre'), device(2)])
  expect(await sync()).toMatchObject({ counts: { updated: 0, unchanged: 2 } })
  expect((await row('1')).nom).toBe('cinq')
  registry.has([at(6, 'six'), device(2)])
  await sync()
  expect((await row('1')).nom).toBe('six')
})

test('a stored date in the future does not keep a device from being updated', async () => {
  registry.has([device(1), device(2)])
  await sync()
  const put = (values: object) =>
    db.updateTable('defibrillateurs').set(values).where('gid', '=', '1').execute()
  await put({ mis_a_jour_le: new Date('9999-12-31') })
  registry.has([device(1, { c_nom: 'Gare' }), device(2)])
  expect(await sync()).toMatchObject({ counts: { updated: 1, unchanged: 1 } })
  expect(await row('1')).toMatchObject({ nom: 'Gare', mis_a_jour_le: new Date('2023-04-11T19:30:44.302Z') })
  await put({ mis_a_jour_le: new Date('9999-12-31'), absent_depuis: new Date() })
  registry.has([device(1, { c__edit_datemaj: '9999-12-31 00:00:00' }), device(2)])
  expect(await sync()).toMatchObject({ counts: { updated: 1, cleaned: { impossible_date: 1 } } })
  expect(await row('1')).toMatchObject({ mis_a_jour_le: null, absent_depuis: null })
})

test('coordinates shared by many addresses are not used, for France and for a commune', async () => {
  const point = { c_lat_coor1: '45.7', c_long_coor1: '4.1' }
  const shared = many(10, point).map((one, n) => ({ ...one, c_adr_voie: `Rue ${n % 5}` }))
  const campus = many(12, { c_lat_coor1: '45.8' }).map((one, n) => ({ ...one, c_gid: `${n + 20}` }))
  registry.has([...shared, ...campus, device(50)])
  expect(await sync()).toMatchObject({ counts: { cleaned: { shared_point: 10 } } })
  const placed = async () => (await stored()).filter(({ latitude }) => latitude !== null).length
  expect(await placed()).toBe(13)
  const before = await state()
  registry.answersPages([...shared, ...campus, device(50)], 50)
  expect(await sync(ofCommune)).toMatchObject({ counts: { updated: 0, unchanged: 23 } })
  expect(await state()).toEqual(before)
})

test('resolves a blank code by postal code and name, a former one by alias, and leaves unknown ones blank', async () => {
  await commune({ nom: 'Ambigu', code_insee: '42001', codes_postaux: ['42990'] })
  await commune({ nom: 'Ambigu', code_insee: '42002', codes_postaux: ['42990'] })
  registry.has([
    device(1, { c_com_insee: '', c_com_nom: 'ST ETIENNE CEDEX 2' }),
    device(2, { c_com_insee: '', c_com_nom: 'Terrenoire', c_com_cp: '42100' }),
    device(3, { c_com_insee: '42998' }),
    device(4, { c_com_insee: '', c_com_cp: '42990', c_com_nom: 'Ambigu' }),
    device(5, { c_com_insee: '', c_com_nom: 'Lyon' }),
    device(6, { c_com_insee: '99999' }),
  ])
  expect(await sync()).toMatchObject({
    counts: { cleaned: { code_by_name: 3, code_by_alias: 1, code_unknown: 2 } },
  })
  expect((await stored()).map(({ code_insee }) => code_insee)).toEqual([
    '42218',
    '42218',
    '42218',
    null,
    null,
    '42218',
  ])
})

test('reads the former generation of columns', async () => {
  registry.has(
    [
      device(1, { c_disp_j: '{7j/7}', c_disp_h: '{24h/24}' }),
      device(2, { c_disp_j: '{lundi,mardi}', c_disp_h: '{"heures ouvrables"}' }),
    ],
    formerColumns,
  )
  expect((await sync()).status).toBe('succeeded')
  const { body } = await get(`/communes/${etienne.id}/defibrillateurs`)
  expect(body.defibrillateurs.map(({ ouvert }: { ouvert: boolean }) => ouvert)).toEqual([true, null])
})

describe('failures leave the catalogue unchanged and are reported', () => {
  const ok = csv(many(50))
  const cases: [string, Talk, RegExp, Options?][] = [
    ['500', (response) => response.writeHead(500).end('no'), /answered 500/],
    ['404', (response) => response.writeHead(404).end('no'), /answered 404/],
    [
      'a web page',
      (response) => response.end('<!DOCTYPE html><html><body>Maintenance</body></html>'),
      /web page/,
    ],
    ['nothing', (response) => response.end(''), /empty/],
    ['only a header', (response) => response.end(csv([])), /no defibrillator/],
    ['other columns', (response) => response.end('id;name\r\n1;x\r\n'), /lacks columns.*c_gid/],
    ['no hours', (response) => response.end(csv([device(1)], columns.slice(0, -1))), /c_dispo_horaires/],
    ['cut within a row', (response) => response.end(ok.slice(0, ok.length - 200)), /cut short/],
    [
      'cut within quotes',
      (response) => response.end(`${ok}51;"51;validées`),
      /cannot be read as CSV after 50 rows, at line 52 /,
    ],
    [
      'a quote within a field',
      (response) => response.end(csv(many(50)).replace(';Mairie;', ';"Mai"rie;')),
      /cannot be read as CSV after 0 rows, at line 2 /,
    ],
    [
      'windows-1252 instead of UTF-8',
      (response) => response.end(Buffer.from(csv(many(50)), 'latin1')),
      /not text in UTF-8/,
    ],
    ['few rows', (response) => response.end(csv(many(24))), /lists 24 of 50 devices/],
    [
      'as many rows, but of other devices',
      (response) => response.end(csv(many(100).slice(30))),
      /lists 20 of 50 devices/,
    ],
    [
      'rows that are not validated',
      (response) => response.end(csv(many(50, { c_etat_valid: '' }))),
      /retains 0 of 50 devices/,
    ],
    [
      'more than half out of order',
      (response) => response.end(csv([...many(50, { c_etat_fonct: 'Hors service' }).slice(24), ...many(24)])),
      /retains 24 of 50 devices/,
    ],
    [
      'shorter than announced',
      (response) =>
        response
          .writeHead(200, { 'content-length': ok.length })
          .end(ok.slice(0, -5_000), () => response.destroy()),
      /cut|reached/,
    ],
    [
      'the connection cut in the middle',
      (response) => response.write(ok, () => response.destroy()),
      /was cut/,
    ],
    [
      'redirects without end',
      (response) => response.writeHead(302, { location: '/again' }).end(),
      /redirects without end/,
    ],
    [
      'a redirect to nowhere',
      (response) => response.writeHead(302, { location: 'file:///etc/passwd' }).end(),
      /an invalid address/,
    ],
    [
      'compressed',
      (response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end('x'),
      /compressed/,
    ],
    [
      'a slow drip',
      (response) => {
        const timer = setInterval(() => response.write('x'), 20)
        response.on('close', () => clearInterval(timer))
      },
      /too slowly/,
      { limits: { ...defaultLimits, windowMs: 100 } },
    ],
    [
      'too long in all',
      (response) => {
        const timer = setInterval(() => response.write(ok), 20)
        response.on('close', () => clearInterval(timer))
      },
      /takes too long/,
      { limits: { ...defaultLimits, totalMs: 100 } },
    ],
    [
      'too much',
      (response) => response.end(ok),
      /more data than expected/,
      { limits: { ...defaultLimits, maxBytes: 10_000 } },
    ],
    ['silence', () => {}, /in time/, { limits: { ...defaultLimits, silenceMs: 100 } }],
    [
      'silence in the middle',
      (response) => response.write(ok),
      /in time/,
      { limits: { ...defaultLimits, silenceMs: 100 } },
    ],
  ]

  test.each(cases)('%s', async (_name, talk, error, options = {}) => {
    registry.has(many(50))
    await sync()
    const before = await state()
    registry.says(talk)
    const failed = await sync(france, options)
    expect(failed).toMatchObject({ status: 'failed', finished_at: expect.any(Date) })
    expect(failed.error).toMatch(error)
    expect(await state()).toEqual(before)
    expect(await received()).toEqual([])
    const { body } = await admin.get('/admin/defibrillateurs-france')
    expect(body.meta).toMatchObject({
      sync_status: 'failed',
      sync_error: failed.error,
      last_synced_at: expect.any(String),
    })
    registry.has(many(50))
    expect((await sync()).status).toBe('succeeded')
  })

  test('the server does not respond', async () => {
    const nobody = {
      ...config,
      modules: new Map(config.modules).set('defibrillateurs', {
        csvUrl: 'http://127.0.0.1:1/',
        apiUrl: '',
        daily: true,
      }),
    }
    const { body } = await admin.post(france)
    await runSync({ ...deps, config: nobody }, body.data.id, { signal: new AbortController().signal })
    expect(await ended(body.data.id)).toMatchObject({
      status: 'failed',
      error: 'The registry cannot be reached (ECONNREFUSED).',
    })
  })
})

test('follows a redirect', async () => {
  registry.says((response, request) => {
    if (request.url === '/moved') response.end(csv([device(1)]))
    else response.writeHead(302, { location: '/moved' }).end()
  })
  expect((await sync()).status).toBe('succeeded')
})

test('accept_fall=true accepts a registry that lost more than half', async () => {
  registry.has(many(30))
  await sync()
  registry.has(many(2))
  expect((await sync()).status).toBe('failed')
  expect(await sync(`${france}?accept_fall=true`)).toMatchObject({
    status: 'succeeded',
    counts: { absent: 28 },
  })
})

test('counts a fall by the devices that were public, not by rows that never were', async () => {
  registry.has([...many(40), ...many(100, { c_etat_valid: 'en attente de validation' }).slice(40)])
  await sync()
  registry.has([...many(10), ...many(100, { c_etat_valid: 'en attente de validation' }).slice(10)])
  const { failure } = await sync()
  expect(failure).toMatchObject({ code: 'fall', received: 100, present: 40, missing: 30 })
  expect((failure as { examples: object[] }).examples).toHaveLength(10)
  expect((await sync(`${france}?accept_fall=true`)).status).toBe('succeeded')
  expect((await stored()).filter(({ visible }) => visible)).toHaveLength(10)
})

test('the first sync replaces the devices of the demo', async () => {
  registry.has(many(30).map((one) => ({ ...one, c_gid: `demo-${one.c_gid}` })))
  await sync()
  registry.has(many(10))
  expect(await sync()).toMatchObject({ status: 'succeeded', counts: { created: 10, absent: 30 } })
})

test('refuses a small registry that lost more than half, too', async () => {
  registry.has(many(4))
  await sync()
  registry.has(many(1))
  expect((await sync()).status).toBe('failed')
  registry.has(many(2))
  expect(await sync()).toMatchObject({ status: 'succeeded', counts: { absent: 2 } })
})

describe('one at a time', () => {
  test.each([
    ['two of France', france, france],
    ['two of a commune', ofCommune, ofCommune],
    ['of France beside a commune', ofCommune, france],
    ['of a commune beside France', france, ofCommune],
  ])('POST returns 409 sync_in_progress to the second request: %s', async (_name, first, second) => {
    expect((await admin.post(first)).status).toBe(202)
    expect(await admin.post(second)).toBeError(409, 'sync_in_progress')
  })

  test('two communes do not wait for each other', async () => {
    const { id } = await commune()
    expect((await admin.post(ofCommune)).status).toBe(202)
    expect((await admin.post(`/admin/communes/${id}/defibrillateurs/sync`)).status).toBe(202)
  })

  test('of ten concurrent requests one starts and the others get 409', async () => {
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) => admin.post(n % 2 ? france : ofCommune)),
    )
    const statuses = answers.map(({ status }) => status)
    if (answers.some(({ body }) => body.data))
      expect(statuses.filter((status) => status === 202)).toHaveLength(1)
    expect(statuses.filter((status) => status === 409)).toHaveLength(9)
  })

  test('while one is running, and until it has ended', async () => {
    const half = gate()
    const reached = gate()
    registry.says(async (response) => {
      response.write(csv(many(30)))
      reached.open()
      await half.passed
      response.end()
    })
    const { body } = await admin.post(france)
    const running = run(body.data.id)
    await reached.passed
    expect(await admin.post(ofCommune)).toBeError(409, 'sync_in_progress')
    expect(await stored()).toEqual([])
    expect((await admin.get('/admin/defibrillateurs-france')).body.meta.sync_status).toBe('running')
    half.open()
    expect((await running).status).toBe('succeeded')
    expect((await admin.post(ofCommune)).status).toBe(202)
  })
})

describe('a worker that is stopped or loses its connection', () => {
  async function amid(cut: (stop: AbortController) => Promise<unknown>) {
    registry.has(many(10))
    await sync()
    const before = await state()
    const reached = gate()
    registry.says((response) => {
      response.write(csv(many(30, { c_nom: 'Autre' })), () => reached.open())
    })
    const { body } = await admin.post(france)
    const stop = new AbortController()
    const running = runSync(deps, body.data.id, { signal: stop.signal })
    const failed = expect(running).rejects.toThrow()
    await reached.passed
    await cut(stop)
    await failed
    expect(await state()).toEqual(before)
    expect(await received()).toEqual([])
    expect(await ended(body.data.id)).toMatchObject({ status: 'running', error: null })
    // Its job is retried.
    registry.has(many(30, { c_nom: 'Autre' }))
    expect(await run(body.data.id)).toMatchObject({
      status: 'succeeded',
      counts: { updated: 10, created: 20 },
    })
    const after = await state()
    await run(body.data.id)
    expect(await state()).toEqual(after)
  }

  test('leaves no partial changes, and its job runs again: stopped', () =>
    amid(async (stop) => stop.abort(new Error('the service stops'))))

  test('leaves no partial changes, and its job runs again: disconnected', () =>
    amid(async () => {
      const bulk = sql`select pg_terminate_backend(pid, 5000) from pg_stat_activity
        where datname = current_database() and application_name = 'parvis-bulk'`
      // PostgreSQL reports when the copy has begun.
      await expect.poll(async () => (await bulk.execute(db)).rows.length).toBeGreaterThan(0)
    }))
})

test('a process killed during a sync leaves no partial changes, and the next sync completes', async () => {
  registry.has(many(10))
  await sync()
  const before = await state()
  const reached = gate()
  registry.says((response) => {
    response.write(csv(many(3_000, { c_nom: 'Autre' })), () => reached.open())
  })
  const { body } = await admin.post(france)
  const file = fileURLToPath(new URL('./sync.test-worker.ts', import.meta.url))
  const worker = spawn(process.execPath, [file, JSON.stringify(database.service), body.data.id], {
    env: { PATH: process.env.PATH, GEODAE_CSV_URL: registry.csvUrl },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const exited = once(worker, 'exit')
  await Promise.race([reached.passed, exited])
  worker.kill('SIGKILL')
  expect(await exited).toEqual([null, 'SIGKILL'])
  expect(await state()).toEqual(before)
  expect(await ended(body.data.id)).toMatchObject({ status: 'running' })
  registry.has(many(30, { c_nom: 'Autre' }))
  expect(await run(body.data.id)).toMatchObject({
    status: 'succeeded',
    counts: { updated: 10, created: 20 },
  })
  expect((await sync()).status).toBe('succeeded')
})

test('an abandoned sync does not block; a running one does', async () => {
  const lost = { id: uuidv7(), source: 'fichier', status: 'running' }
  await db.insertInto('defibrillateur_syncs').values(lost).execute()
  await db.transaction().execute(async (tx) => {
    await tx.selectFrom('defibrillateur_syncs').select('id').where('id', '=', lost.id).forUpdate().execute()
    expect(await admin.post(france)).toBeError(409, 'sync_in_progress')
  })
  const { body } = await admin.post(france)
  expect(await ended(lost.id)).toMatchObject({ status: 'failed', error: 'It was interrupted.' })
  await db
    .updateTable('defibrillateur_syncs')
    .set({ created_at: sql<Date>`now() - interval '4 hours'` })
    .where('id', '=', body.data.id)
    .execute()
  expect((await admin.post(france)).status).toBe(202)
})

test('GET /admin/defibrillateurs-france/syncs returns 200 with their results, latest first', async () => {
  registry.has([device(1), { ...device(2), c_gid: '' }])
  await sync()
  registry.says((response) => response.writeHead(503).end())
  await sync()
  const path = '/admin/defibrillateurs-france/syncs'
  const { status, body } = await admin.get(path)
  expect(status).toBe(200)
  expect(body.data).toMatchObject([
    { status: 'failed', error: 'The registry answered 503.', commune_id: null, source: 'registre' },
    { status: 'succeeded', error: null, counts: { read: 2, created: 1, refused: { no_identifier: 1 } } },
  ])
  expect((await admin.get(`${path}?commune_id=${etienne.id}`)).body.meta.total).toBe(0)
  expect(await admin.get(`${path}?commune_id=x`)).toBeError(422, 'validation_failed')
})

test('keeps fifty syncs and the last successful one', async () => {
  const old = (n: number) => ({
    id: `0199c9a3-0000-7000-8000-${String(n).padStart(12, '0')}`,
    source: 'registre',
    status: n === 1 ? 'succeeded' : 'failed',
    error: n === 1 ? null : 'x',
    finished_at: new Date(),
  })
  await db
    .insertInto('defibrillateur_syncs')
    .values(Array.from({ length: 80 }, (_, n) => old(n + 1)))
    .execute()
  registry.has([device(1)])
  await sync()
  const { body } = await admin.get('/admin/defibrillateurs-france/syncs?per_page=100')
  expect(body.meta.total).toBe(50)
})

test('POST /admin/defibrillateurs-france/sync returns 422 for unknown parameters', async () => {
  expect(await admin.post(`${france}?force=true`)).toBeError(422, 'validation_failed')
  expect(await admin.post(`${france}?accept_fall=oui`)).toBeError(422, 'validation_failed')
})

describe('a commune', () => {
  test('POST /admin/communes/{id}/defibrillateurs/sync returns 202 and fetches each of its codes page by page', async () => {
    registry.asked.length = 0
    registry.answersPages([
      ...[1, 2, 3, 4, 5].map((gid) => device(gid)),
      device(6, { c_com_insee: '42998', c_com_nom: 'Terrenoire' }),
      device(7, { c_com_insee: '42219' }),
    ])
    expect(await sync(ofCommune)).toMatchObject({
      status: 'succeeded',
      commune_id: etienne.id,
      counts: { read: 6, created: 6, cleaned: { code_by_alias: 1 } },
    })
    expect(registry.asked).toHaveLength(4)
    expect(registry.asked[0]).toBe('/api/resources/r/data/?c_com_insee__exact=42218&page=1&page_size=50')
    expect(await stored()).toMatchObject(
      Array.from({ length: 6 }, () => ({ code_insee: '42218', acces_libre: true, visible: true })),
    )
    const { body } = await get(`/communes/${etienne.id}/defibrillateurs`)
    expect(body.meta).toMatchObject({ count: 6, sync_status: 'succeeded' })
  })

  test('marks absent only devices that the registry lists under its codes', async () => {
    registry.has([device(1), device(2), device(3, { c_com_insee: '42998' }), device(4, { c_com_insee: '' })])
    await sync()
    registry.answersPages([device(1)])
    expect(await sync(ofCommune)).toMatchObject({ counts: { unchanged: 1, absent: 2 } })
    const absent = (await stored()).filter(({ absent_depuis }) => absent_depuis !== null)
    expect(absent.map(({ gid }) => gid)).toEqual(['2', '3'])
    const before = await state()
    await sync(ofCommune)
    expect(await state()).toEqual(before)
  })

  test.each<[string, Talk, RegExp]>([
    ['500', (response) => response.writeHead(500).end(), /answered 500/],
    ['a web page', (response) => response.end('<html>'), /not JSON/],
    ['no list', (response) => json(response, { error: 'x' }), /not a list/],
    ['null', (response) => json(response, null), /not a list/],
    [
      'windows-1252 instead of UTF-8',
      (response) => {
        const body = { data: many(3), links: {}, meta: { total: 3 } }
        response.end(Buffer.from(JSON.stringify(body), 'latin1'))
      },
      /not text in UTF-8/,
    ],
    [
      'less than it says',
      (response) => json(response, { data: [device(1)], links: {}, meta: { total: 9 } }),
      /1 rows of 42218.*has 9/,
    ],
    [
      'another host',
      (response) =>
        json(response, { data: [device(1)], links: { next: 'http://other.example/api?page=2' }, meta: {} }),
      /another host/,
    ],
    [
      'pages that go round',
      (response, request) => json(response, { data: [device(1)], links: { next: request.url }, meta: {} }),
      /no end/,
    ],
  ])('what goes wrong leaves the catalogue as it was: %s', async (_name, talk, error) => {
    registry.has(many(3))
    await sync()
    const before = await state()
    registry.says(talk)
    const failed = await sync(ofCommune)
    expect(failed.status).toBe('failed')
    expect(failed.error).toMatch(error)
    expect(await state()).toEqual(before)
    const { body } = await admin.get(`/admin/communes/${etienne.id}/defibrillateurs`)
    expect(body.meta).toMatchObject({ sync_status: 'failed', sync_error: failed.error })
  })

  test('accepts a loss of more than half below twenty devices if the registry confirms it', async () => {
    registry.has(many(19))
    await sync()
    registry.says((response) => json(response, { data: [], links: {} }))
    expect(await sync(ofCommune)).toMatchObject({
      status: 'failed',
      error: expect.stringMatching(/0 of 19 devices/),
    })
    registry.answersPages([])
    expect(await sync(ofCommune)).toMatchObject({ status: 'succeeded', counts: { absent: 19 } })
    registry.has(many(20))
    await sync()
    registry.answersPages(many(9))
    expect((await sync(ofCommune)).status).toBe('failed')
    expect(await sync(`${ofCommune}?accept_fall=true`)).toMatchObject({ counts: { absent: 11 } })
  })

  test('of fewer than twenty devices, believes those out of order, but not a blank column', async () => {
    registry.has(many(5))
    await sync()
    const before = await state()
    registry.answersPages(many(5, { c_etat_valid: '' }))
    expect(await sync(ofCommune)).toMatchObject({
      status: 'failed',
      error: expect.stringMatching(/retains 0 of 5 devices/),
    })
    expect(await state()).toEqual(before)
    registry.answersPages(many(5, { c_etat_fonct: 'Hors service' }))
    expect(await sync(ofCommune)).toMatchObject({ status: 'succeeded', counts: { updated: 5 } })
  })

  test('POST /admin/communes/{id}/defibrillateurs/sync returns 404 for an unknown commune and 422 for unknown parameters', async () => {
    const path = `/admin/communes/${uuidv7()}/defibrillateurs/sync`
    expect(await admin.post(path)).toBeError(404, 'not_found')
    expect(await admin.post(`${ofCommune}?q=x`)).toBeError(422, 'validation_failed')
  })
})

/** A promise with its resolver, released when the test ends so that no response hangs. */
function gate() {
  const { promise, resolve } = Promise.withResolvers<void>()
  onTestFinished(() => resolve())
  return { passed: promise, open: () => resolve() }
}

test.each([
  ['the file of France', france],
  ['the pages of a commune', ofCommune],
])('requests are served while a worker thread reads hostile rows from %s', async (_name, path) => {
  const rows = many(40, { c_nom: `${'a'.repeat(120_000)}<`, c_acc_complt: '<script '.repeat(6_000) })
  if (path === france) registry.has(rows)
  else registry.answersPages(rows, 20)
  const thread = new Promise((resolve) => process.once('worker', resolve))
  let isRunning = true
  const running = sync(path).finally(() => {
    isRunning = false
  })
  let slowestMs = 0
  while (isRunning) {
    const start = performance.now()
    expect((await get('/communes?per_page=1')).status).toBe(200)
    slowestMs = Math.max(slowestMs, performance.now() - start)
  }
  expect(await running).toMatchObject({ status: 'succeeded', counts: { created: 40 } })
  await thread
  // Each row used to block all responses for 49 seconds.
  expect(slowestMs).toBeLessThan(5_000 * slowdown())
})

test('a device without a code that names a former commune is assigned to the present commune', async () => {
  registry.has([
    device(1, { c_com_insee: '', c_com_cp: '42000', c_com_nom: 'ST VICTOR SUR LOIRE' }),
    device(2, { c_com_insee: '', c_com_cp: '01000', c_com_nom: 'ST VICTOR SUR LOIRE' }),
  ])
  expect(await sync()).toMatchObject({
    status: 'succeeded',
    counts: { cleaned: { code_by_name: 1, code_unknown: 1 } },
  })
  expect((await row('1')).code_insee).toBe('42218')
  expect((await row('2')).code_insee).toBeNull()
})
