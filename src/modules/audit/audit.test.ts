import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openWorld, run } from '../../../test/support/world.ts'
import { modules } from '../../app.ts'
import { operator } from '../../platform/access/caller.ts'
import { identityDigests } from '../../platform/access/erased-identities.ts'
import { recordAudit } from '../../platform/audit/record.ts'
import type { Database } from '../../platform/database/connect.ts'
import { uuidv7 } from '../../platform/formats/uuid.ts'
import { readList } from '../../platform/http/listing/list.ts'
import { pagingOf } from '../../platform/http/listing/paging.ts'
import { claimsKit } from '../claims/claims.test-kit.ts'
import { erasePerson } from '../privacy/erase.ts'
import { insertPublication } from '../publications/publications.test-kit.ts'
import { auditList } from './routes.admin.ts'
import { readNames } from './sentences/names.ts'
import { summaryOf } from './sentences/summary.ts'

const world = await openWorld()
const { acteur, as, client, config, db, commune, database, jobs, user } = world
const admin = await as('admin')

const kind = { entity: 'commune', personal: [] }
const erase = (userId: string) =>
  erasePerson(
    { db, jobs, modules, config, clock: () => new Date(), digests: identityDigests(config) },
    { user: userId },
  )
const record = (entityId: string, action: string) =>
  recordAudit(db, operator, {
    action,
    kind,
    entityId,
    before: { a: 1, b: 2 },
    after: { a: 1, b: 3 },
  })

test('GET /admin/audit returns 200 with the newest first, by each filter', async () => {
  const id = uuidv7()
  await record(id, 'test.first')
  const between = new Date(Date.now() + 5).toISOString()
  await new Promise((resolve) => setTimeout(resolve, 20))
  await record(id, 'test.second')
  const actions = async (query: string) => {
    const { status, body } = await admin.get(`/admin/audit?entity_id=${id}&${query}`)
    expect(status).toBe(200)
    return body.data.map(({ action }: { action: string }) => action)
  }
  expect(await actions('')).toEqual(['test.second', 'test.first'])
  expect((await admin.get(`/admin/audit?entity_id=${id.toUpperCase()}`)).body.data).toHaveLength(2)
  expect(await actions('action=test.first')).toEqual(['test.first'])
  expect(await actions('action=test.first,test.second')).toEqual(['test.second', 'test.first'])
  expect(await actions('action=test.first&action=test.third')).toEqual(['test.first'])
  expect(await actions('sort=at_asc')).toEqual(['test.first', 'test.second'])
  expect(await actions('sort=at_desc')).toEqual(['test.second', 'test.first'])
  const { body: all } = await admin.get(`/admin/audit?entity_id=${id}`)
  expect(await actions(`ids=${all.data[1].id},${uuidv7()}`)).toEqual(['test.first'])
  expect(await actions('entity=commune')).toHaveLength(2)
  expect(await actions('entity=user,commune')).toHaveLength(2)
  expect(await actions('entity=user')).toEqual([])
  expect(await actions(`since=${between}`)).toEqual(['test.second'])
  expect(await actions(`until=${between}`)).toEqual(['test.first'])
  expect(await actions(`user_id=${uuidv7()}`)).toEqual([])
  const { body } = await admin.get(`/admin/audit?entity_id=${id}&per_page=1&page=2`)
  expect(body.meta).toEqual({ current_page: 2, last_page: 2, per_page: 1, total: 2, next: null })
  expect(body.data[0]).toMatchObject({
    action: 'test.first',
    user_id: null,
    before: { b: 2 },
    after: { b: 3 },
  })
})

test('GET /admin/audit returns 200 with a sentence in the language of the caller, names and changes', async () => {
  const { id } = await commune({ nom: 'Les Accoules' })
  await record(id, 'commune.update')
  const read = async (language: string) => {
    const { body } = await admin.get(`/admin/audit?entity_id=${id}`, {
      headers: { 'accept-language': language },
    })
    return body.data[0]
  }
  expect(await read('fr')).toMatchObject({
    summary: 'Le service a modifié la commune «\u00a0Les Accoules\u00a0»',
    name: 'Les Accoules',
    changes: [{ field: 'b', label: 'b', before: 2, after: 3, before_name: null, personal: false }],
  })
  expect((await read('en')).summary).toBe('The service edited the commune “Les Accoules”')
})

test('GET /admin/audit finds entries by the name of the record that their sentence shows', async () => {
  const town = await commune({ nom: 'Quincampoix' })
  const club = await acteur({ nom: 'Amicale des Boulistes', commune_id: town.id })
  const { id: publicationId } = await insertPublication(world, {
    title: 'Grand concours de zzyva',
    body: 'Samedi',
  })
  const claimed = await claimsKit(world).claim({ acteur: club, email: 'zyx@example.org' })
  const { body: template } = await admin.post('/admin/templates', {
    kind: 'reply',
    name: 'Xylophone perdu',
    body: 'Bonjour',
  })
  await record(town.id, 'commune.update')
  await record(club.id, 'test.acteur')
  await record(publicationId, 'test.publication')
  expect((await admin.delete(`/admin/templates/${template.data.id}`)).status).toBe(200)
  const found = async (q: string) => {
    const { status, body, text } = await admin.get(`/admin/audit?q=${encodeURIComponent(q)}`)
    expect(status, text).toBe(200)
    return body.data.map(({ action }: { action: string }) => action).sort()
  }
  expect(await found('quincamp')).toEqual(['commune.update'])
  expect(await found('BOULISTES')).toEqual(['claim.create', 'test.acteur'])
  expect(claimed).toBeTypeOf('string')
  expect(await found('zzyva')).toEqual(['test.publication'])
  // Nothing is left of it but its entries.
  expect(await found('xylophone')).toEqual(['template.create', 'template.delete'])
  expect(await found('personal')).toEqual([])
})

test('GET /admin/audit?q= finds the entries of the newest records where too many have the name, and says so', async () => {
  const named = (nom: string, slug: string, count: number) =>
    run(
      database.owner,
      `insert into acteurs (id, nom, slug, type)
       select ('01890000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, '${nom} ' || n, '${slug}-' || n, 'association'
       from generate_series(1, ${count}) n`,
    )
  await named('Wapiti', 'wapiti', 501)
  const of = (n: number) => `01890000-0000-7000-8000-${String(n).padStart(12, '0')}`
  for (const n of [1, 2, 501]) await record(of(n), 'test.many')
  const { body } = await admin.get('/admin/audit?q=wapiti')
  expect(body.meta).toMatchObject({ names_cut: true, total: 2 })
  expect(body.data.map((entry: { entity_id: string }) => entry.entity_id).sort()).toEqual([of(2), of(501)])
  const exact = (await admin.get('/admin/audit?q=wapiti%20501')).body
  expect([exact.meta.names_cut, exact.data.length]).toEqual([undefined, 1])
  // A word of sentences finds the actions, of all records.
  expect((await admin.get('/admin/audit?q=commune')).body.meta.names_cut).toBeUndefined()
})

test('GET /admin/audit?q= reads the newest titles where too many texts have the words', async () => {
  const { id } = await insertPublication(world, { title: 'Fête du quinquina', body: 'Samedi' })
  await record(id, 'test.old')
  await run(
    database.owner,
    `insert into publications (id, slug, title, body, duplicate_key)
     select gen_random_uuid(), 'quinquina-' || n, 'Autre titre ' || n, 'Fête du quinquina', 's:' || md5(n::text)
     from generate_series(1, 5001) n`,
  )
  const { body } = await admin.get('/admin/audit?q=quinquina')
  expect(body.meta.names_cut).toBe(true)
  expect(body.data.map((entry: { action: string }) => entry.action)).toContain('test.old')
})

test('names of records and people follow the records; erased people and former values leave no name', async () => {
  const [person, erased] = [await user({ nom: 'Zoé Lambert' }), await user({ nom: 'Odile Effacée' })]
  const change = (id: string) => admin.patch(`/admin/users/${id}`, { actif: false })
  for (const { id } of [person, erased]) expect((await change(id)).status).toBe(200)
  await db.updateTable('users').set({ nom: 'Zoé Martin' }).where('id', '=', person.id).execute()
  await erase(erased.id)
  const summaryOf = async (id: string) =>
    (
      await admin.get(`/admin/audit?entity_id=${id}&action=user.update`, {
        headers: { 'accept-language': 'fr' },
      })
    ).body.data[0].summary
  expect(await summaryOf(person.id)).toMatch(/ a désactivé le compte de Zoé Martin$/)
  expect(await summaryOf(erased.id)).toMatch(/ a désactivé le compte d’une personne effacée$/)
  // An entry of a deleted record holds its name.
  const id = uuidv7()
  const gone = { entity: 'alerte', personal: [] }
  const values = { titre: 'Coupure d’eau', niveau: 'info' }
  await recordAudit(db, operator, {
    action: 'alerte.delete',
    kind: gone,
    entityId: id,
    before: values,
    after: null,
  })
  const { body } = await admin.get(`/admin/audit?entity_id=${id}`)
  expect(body.data[0].summary).toBe('The service deleted the alert “Coupure d’eau”')
})

test('a role that opens the audit log alone sees no names of records, and no names of people it may not open', async () => {
  const { id } = await commune({ nom: 'Les Accoules' })
  const zoe = await user({ nom: 'Zoé Lambert' })
  await record(id, 'commune.update')
  await admin.patch(`/admin/users/${zoe.id}`, { actif: false })
  const { rows } = await readList(db, auditList(), {}, pagingOf({}, 100))
  const ours = rows.filter(({ entity_id }) => [id, zoe.id].includes(entity_id))
  const names = await readNames(db, ours, ['support'])
  const summaries = ours.map((row) => summaryOf(row, names, 'en'))
  expect(summaries.join('\n')).not.toMatch(/Accoules|Lambert/)
  expect(summaries).toContain('The service edited the commune')
})

test('GET /admin/audit?q= finds actions, sentences, records, and what people did or what was done to them', async () => {
  const zoe = await user({ nom: 'Aglaé Quintessence', roles: ['admin'] })
  const { id } = await commune()
  const hers = client({ source: 'backoffice', token: zoe.token })
  expect((await hers.patch(`/admin/communes/${id}`, { population: 77 })).status).toBe(200)
  expect((await admin.patch(`/admin/users/${zoe.id}`, { actif: false })).status).toBe(200)
  const found = async (q: string, more = '') => {
    const { body, status, text } = await admin.get(`/admin/audit?q=${encodeURIComponent(q)}${more}`)
    expect(status, text).toBe(200)
    expect(body.meta.total).toBe(body.data.length)
    return body.data.map(
      ({ action, entity_id }: { action: string; entity_id: string }) => `${action} ${entity_id}`,
    )
  }
  const both = [`user.update ${zoe.id}`, `commune.update ${id}`]
  expect(await found('quintess')).toEqual(both)
  expect(await found('aglaé QUINT')).toEqual(both)
  expect(await found('quintess', '&sort=at_asc')).toEqual(both.toReversed())
  expect(await found('quintess', '&entity=commune')).toEqual(both.slice(1))
  expect(await found('quintess', `&user_id=${zoe.id}`)).toEqual(both.slice(1))
  expect(await found(zoe.id)).toEqual(both)
  expect(await found(id.toUpperCase())).toEqual([`commune.update ${id}`])
  for (const q of ['commune.update', 'modifié la commune', 'edited the comm']) {
    const actions = new Set((await found(q, '&per_page=100')).map((line: string) => line.split(' ')[0]))
    expect(actions, q).toEqual(new Set(['commune.update']))
  }
  for (const q of ['nobody at all', '%', '..', '\\', "'", ' _ ']) expect(await found(q), q).toEqual([])
})

test('GET /admin/audit finds the entries of a payment event by its id, which has capitals', async () => {
  const id = 'evt_1R9zQ2'
  const values = { action: 'payment_event.replay', entity: 'payment_event', entity_id: id }
  await db
    .insertInto('audit_log')
    .values({ ...values, id: uuidv7() })
    .execute()
  for (const query of [`entity_id=${id}`, `q=${id}`]) {
    const { body } = await admin.get(`/admin/audit?${query}`)
    expect(body.data, query).toMatchObject([values])
  }
})

test('GET /admin/audit?q= finds what the newest of many people did, and returns 422 for nothing but blanks', async () => {
  await sql`
    insert into users (id, issuer, subject, nom)
    select ('01890000-0000-7000-9000-' || lpad(n::text, 12, '0'))::uuid, 'many', n, 'Tropdegens ' || n
    from generate_series(1, 501) n`.execute(db)
  const of = (n: number) => `01890000-0000-7000-9000-${String(n).padStart(12, '0')}`
  for (const n of [1, 501])
    expect((await admin.patch(`/admin/users/${of(n)}`, { actif: false })).status).toBe(200)
  const { body } = await admin.get('/admin/audit?q=tropdegens')
  expect(body.meta.names_cut).toBe(true)
  expect(body.data.map((entry: { entity_id: string }) => entry.entity_id)).toEqual([of(501)])
  expect((await admin.get('/admin/audit?q=tropdegens%2077')).body.meta.names_cut).toBeUndefined()
  expect(await admin.get('/admin/audit?q=%20')).toBeError(422, 'validation_failed')
})

test('changes name the records that they refer to, for callers who may open them', async () => {
  const { id } = await commune({ nom: 'Les Accoules' })
  const { id: source_id } = await acteur({ nom: 'Boule des Accoules' })
  const change = { action: 'acteur.update', kind: { entity: 'acteur', personal: [] }, entityId: source_id }
  await recordAudit(db, operator, { ...change, before: { commune_id: null }, after: { commune_id: id } })
  const { body } = await admin.get(`/admin/audit?entity_id=${source_id}&action=acteur.update`)
  expect(body.data[0].changes).toMatchObject([
    { field: 'commune_id', after: id, before_name: null, after_name: 'Les Accoules' },
  ])
  const { rows } = await readList(db, auditList(), { entity_id: source_id }, pagingOf({}, 10))
  const names = await readNames(db, rows, ['support'])
  expect(names.referred('commune_id', id)).toBeNull()
})

test('GET /admin/audit?request_id= returns the entries of one request', async () => {
  const { id } = await commune()
  const changed = await admin.patch(`/admin/communes/${id}`, { population: 8 })
  const requestId = changed.headers.get('x-request-id')
  const { body } = await admin.get(`/admin/audit?request_id=${requestId}`)
  expect(body.data).toMatchObject([{ action: 'commune.update', entity_id: id, request_id: requestId }])
  expect((await admin.get('/admin/audit?request_id=unknown')).body.data).toEqual([])
})

test('a page of a hundred entries about every kind of record reads its names in one statement', async () => {
  const kinds = [
    'publication',
    'acteur',
    'claim',
    'thread',
    'user',
    'session',
    'alerte',
    'app_source',
    'import_run',
  ]
  for (let n = 0; n < 100; n++)
    await recordAudit(db, operator, {
      action: 'test.many',
      kind: { entity: kinds[n % kinds.length] ?? '', personal: [] },
      entityId: n % 10 === 0 ? `not-a-uuid-${n}` : uuidv7(),
      before: null,
      after: { n },
    })
  const { rows } = await readList(db, auditList(), { action: ['test.many'] }, pagingOf({}, 100))
  expect(rows).toHaveLength(100)
  let statements = 0
  const counting = db.withPlugin({
    transformQuery: ({ node }) => {
      statements++
      return node
    },
    transformResult: async ({ result }) => result,
  })
  await readNames(counting as Database, rows, ['admin'])
  expect(statements).toBe(1)
})

test('GET /admin/audit as CSV has the sentences, in French with semicolons', async () => {
  const { id } = await commune({ nom: 'Les Accoules' })
  await record(id, 'commune.update')
  const { text } = await admin.get(`/admin/audit?entity_id=${id}`, {
    headers: { accept: 'text/csv', 'accept-language': 'fr' },
  })
  const [head = '', line = ''] = text.replace('\uFEFF', '').split('\r\n')
  expect(head.split(';')).toEqual(expect.arrayContaining(['at', 'action', 'summary', 'name']))
  expect(line).toContain('Le service a modifié la commune «\u00a0Les Accoules\u00a0»')
})

test('GET /admin/audit returns 200 and an empty page without matching entries', async () => {
  const { body } = await admin.get('/admin/audit?action=never')
  expect(body).toEqual({
    data: [],
    meta: { current_page: 1, last_page: 1, per_page: 25, total: 0, next: null },
  })
})

const unreadable = [
  'sort=action_asc',
  'ids=1',
  'since=yesterday',
  'since=2026-11-20T08:30:00Z[Europe/Paris]',
  'until=2016-12-31T23:59:60Z',
  'user_id=1',
  'page=0',
  'q=',
  `q=${'x'.repeat(201)}`,
]
test.each(unreadable)('GET /admin/audit returns 422 for %s', async (query) => {
  expect(await admin.get(`/admin/audit?${query}`)).toBeError(422, 'validation_failed')
})

test.each(['support', 'moderator'] as const)('the audit log is not accessible to %s', async (role) => {
  expect(await (await as(role)).get('/admin/audit')).toBeError(403, 'admin_required')
})

test.each([
  ["update audit_log set action = 'x'", 'service'],
  ['delete from audit_log', 'service'],
  ['truncate audit_log', 'service'],
  ["update audit_log set action = 'x'", 'owner'],
  ['delete from audit_log', 'owner'],
  ['truncate audit_log', 'owner'],
] as const)('the audit log is append-only: %s, as %s', async (statement, role) => {
  await record(uuidv7(), 'test.kept')
  await expect(run(database[role], statement)).rejects.toThrow(/permission denied|append-only/)
})

test('a change and its audit entry are committed together or not at all', async () => {
  const { id } = await commune()
  const failing = db.transaction().execute(async (tx) => {
    await tx.updateTable('communes').set({ population: 7 }).where('id', '=', id).execute()
    await record(id, 'test.rolled-back')
    throw new Error('crash')
  })
  await expect(failing).rejects.toThrow('crash')
  const { population } = await db
    .selectFrom('communes')
    .select('population')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  expect(population).toBeNull()
})

test('a change without effect writes no audit entry', async () => {
  const id = uuidv7()
  const same = {
    kind,
    entityId: id,
    before: { a: [1], version: 1 },
    after: { a: [1], version: 2 },
  } as const
  await recordAudit(db, operator, { action: 'test.nothing', ...same })
  expect(await db.selectFrom('audit_log').select('id').where('entity_id', '=', id).execute()).toEqual([])
})

test('an audit entry cannot be backdated by any role', async () => {
  const id = uuidv7()
  const before = Date.now()
  for (const connection of [database.service, database.owner]) {
    await run(
      connection,
      `insert into audit_log (id, at, action, entity, entity_id)
       values (gen_random_uuid(), '2020-01-01', 'test.back', 'commune', '${id}')`,
    )
  }
  const rows = await db.selectFrom('audit_log').select('at').where('entity_id', '=', id).execute()
  expect(rows).toHaveLength(2)
  for (const { at } of rows) expect(at.getTime()).toBeGreaterThanOrEqual(before - 1)
})
