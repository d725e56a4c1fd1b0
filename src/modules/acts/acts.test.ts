import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { openWorld, run } from '../../../test/support/world.ts'
import { operator } from '../../platform/access/caller.ts'
import type { Database } from '../../platform/database/connect.ts'
import { uuidv7 } from '../../platform/formats/uuid.ts'
import { formOf, pdf, png } from '../media/media.test-kit.ts'
import { actForm, actPdf, actsOf, asOwner } from './acts.test-kit.ts'
import { publishAct } from './publishing.ts'

const world = await openWorld()
const { db, acteur, client, url, database } = world

/** A mairie of one commune, with whom may act for it. */
async function open({ acteur, commune, user, client } = world) {
  const hall = await acteur({ type: 'mairie', valide: true })
  const town = await commune({ mairie_actor_id: hall.id })
  const member = async (options: Parameters<typeof user>[0]) =>
    client({ source: 'mairie', token: (await user(options)).token })
  const clerk = await member({ memberships: [{ acteur: hall, permissions: ['publish_acts'] }] })
  const editor = await member({ memberships: [{ acteur: hall, permissions: ['manage_commune'] }] })
  return { hall, town, clerk, editor, ...actsOf(clerk, hall.id) }
}

const reader = client({ source: 'public' })
const bytesOf = async (path: string, headers: Record<string, string> = {}) => {
  const response = await fetch(`${url}${path}`, { headers: { 'x-app-source': 'public', ...headers } })
  return { response, bytes: Buffer.from(await response.arrayBuffer()) }
}
const hex = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
const threeMonthsAgo = new Date(Date.now() - 93 * 86_400_000)

test('a draft is for its mairie alone, and is public with its seal once it is published', async () => {
  const { hall, town, clerk, path, prepare } = await open()
  // The last line end is stored too: a signature may cover it.
  const file = Buffer.concat([actPdf('Budget primitif'), Buffer.from('\r\n')])
  const draft = await prepare({ number: '2026-001', subject: '7.1', kind: 'budget' }, file)
  expect(draft).toMatchObject({
    ...{ state: 'draft', acteur_id: hall.id, number: '2026-001', subject: '7.1', seal: null },
    ...{ sha256: hex(file), bytes: file.length, pages: 1, warnings: ['before_mairie'] },
    can: ['edit', 'delete', 'publish'],
  })
  expect(await reader.get(`/acts/${draft.id}`)).toBeError(404, 'not_found')
  expect((await bytesOf(`/api/v1/acts/${draft.id}/pdf`)).response.status).toBe(404)
  expect((await reader.get(`/communes/${town.id}/acts`)).body.data).toEqual([])
  expect((await clerk.get(`${path}/${draft.id}/pdf`)).status).toBe(200)

  const { status, body } = await clerk.patch(`${path}/${draft.id}/publish`)
  expect(status).toBe(200)
  expect(body.data).toMatchObject({ state: 'published', can: ['occult'] })
  const { data } = (await reader.get(`/acts/${draft.id}`)).body
  expect(data).toMatchObject({
    ...{ id: draft.id, acteur: { id: hall.id }, communes: [{ id: town.id }], state: 'published' },
    ...{ author_first_name: 'Camille', author_name: 'Roux', author_quality: 'Maire', sha256: hex(file) },
  })
  const { response, bytes } = await bytesOf(data.url)
  expect(response.headers.get('content-type')).toBe('application/pdf')
  expect(bytes.equals(file)).toBe(true)
  const part = await bytesOf(data.url, { range: 'bytes=0-4' })
  expect([part.response.status, part.bytes.toString()]).toEqual([206, '%PDF-'])
  const ranged = { headers: { range: 'bytes=0-4' } }
  expect((await reader.get(`/acts/${draft.id}/pdf`, ranged)).status).toBe(206)
  expect((await clerk.get(`${path}/${draft.id}/pdf`, ranged)).status).toBe(206)
  for (const list of ['/acts', `/acts?commune_id=${town.id}`, `/communes/${town.id}/acts`])
    expect((await reader.get(list)).body.data.map(({ id }: { id: string }) => id)).toContain(draft.id)
  const { rows } = await sql<{ action: string; acteur_id: string; after: object }>`
    select action, acteur_id, after from audit_log where entity_id = ${draft.id} order by seq`.execute(db)
  expect(rows.map(({ action }) => action)).toEqual(['act.create', 'act.publish'])
  expect(rows[1]).toMatchObject({ acteur_id: hall.id, after: { seal: data.seal.seal, state: 'published' } })
})

test('a draft is read with what its text proposes, a published act without', async () => {
  const { clerk, path, prepare } = await open()
  const text = 'DELIBERATION N° 2026-031\nSeance du 12 mars 2026\nOBJET : Tarifs de la cantine'
  const proposal = {
    ...{ kind: 'deliberation', number: '2026-031', title: 'Tarifs de la cantine', date: '2026-03-12' },
  }
  const draft = await prepare({ title: 'scan 12' }, actPdf(text))
  expect(draft).toMatchObject({ title: 'scan 12', number: null, proposal })
  expect((await clerk.get(`${path}/${draft.id}`)).body.data.proposal).toEqual(proposal)
  await clerk.patch(`${path}/${draft.id}/publish`)
  expect((await clerk.get(`${path}/${draft.id}`)).body.data.proposal).toBeNull()
})

test('the lists of a commune are filtered by kind, year, subject and words, the latest first', async () => {
  const { town, publish } = await open()
  const road = await publish({
    title: 'Réfection de la voirie',
    date: '2025-05-02',
    subject: '8.3',
    kind: 'arrete',
  })
  const school = await publish(
    { title: 'Cantine', date: '2026-01-02', subject: '8.1' },
    actPdf('tarifs du goûter'),
  )
  const ids = async (query: string) =>
    (await reader.get(`/communes/${town.id}/acts${query}`)).body.data.map(({ id }: { id: string }) => id)
  expect(await ids('')).toEqual([school.id, road.id])
  expect(await ids('?kind=arrete')).toEqual([road.id])
  expect(await ids('?kind=arrete,deliberation')).toHaveLength(2)
  expect(await ids('?year=2025')).toEqual([road.id])
  expect(await ids('?subject=8.1')).toEqual([school.id])
  expect(await ids('?q=voirie')).toEqual([road.id])
  expect(await ids('?q=gouter')).toEqual([school.id])
  expect(await ids('?q=piscine')).toEqual([])
  expect(await ids('?per_page=1&page=2')).toEqual([road.id])
  for (const query of ['kind=loi', 'year=0', 'subject=10.1', 'q=%20'])
    for (const path of ['/acts', `/communes/${town.id}/acts`])
      expect(await reader.get(`${path}?${query}`)).toBeError(422, 'validation_failed')
  expect(await reader.get(`/communes/${uuidv7()}/acts`)).toBeError(404, 'not_found')
})

test('the list of the mairie has every state; other members read it and may do nothing', async () => {
  const { path, prepare, publish, clerk, editor } = await open()
  const published = await publish()
  const draft = await prepare({ title: 'Brouillon' })
  const { data, meta } = (await editor.get(path)).body
  expect(data.map(({ id, can }: { id: string; can: string[] }) => [id, can])).toEqual([
    [draft.id, []],
    [published.id, []],
  ])
  expect(meta.total).toBe(2)
  expect((await clerk.get(`${path}?state=draft&kind=deliberation&year=2026`)).body.data).toHaveLength(1)
  for (const [method, end, body] of [
    ['PATCH', '', { title: 'x' }],
    ['DELETE', '', undefined],
    ['PATCH', '/publish', undefined],
  ] as const)
    expect(await editor.send(method, `${path}/${draft.id}${end}`, body)).toBeError(403, 'forbidden')
  const other = await open()
  expect(await other.clerk.get(`${path}/${draft.id}`)).toBeError(403, 'scope_violation')
  expect(await other.clerk.patch(`${other.path}/${draft.id}/publish`)).toBeError(404, 'not_found')
})

test('a draft changes in everything but its file, and can be deleted', async () => {
  const { path, clerk, prepare } = await open()
  const { id, version } = await prepare({ number: ' 2026-007 ' })
  const changed = await clerk.patch(
    `${path}/${id}`,
    { title: 'Un  autre\u202e titre', number: null, author_name: null, individual: true },
    { headers: { 'if-match': `"${version}"` } },
  )
  expect(changed.body.data).toMatchObject({ title: 'Un autre titre', number: null, individual: true })
  expect(
    await clerk.patch(`${path}/${id}`, { title: 'x' }, { headers: { 'if-match': `"${version}"` } }),
  ).toBeError(412, 'precondition_failed')
  expect(await clerk.patch(`${path}/${id}`, { title: ' \u200b' })).toBeError(422, 'validation_failed')
  const incomplete = await clerk.patch(`${path}/${id}/publish`)
  expect(incomplete).toBeError(422, 'validation_failed')
  expect(incomplete.body.details[0].field).toBe('author_name')
  expect((await clerk.delete(`${path}/${id}`)).status).toBe(200)
  expect(await clerk.get(`${path}/${id}`)).toBeError(404, 'not_found')
  expect((await db.selectFrom('act_files').select('act_id').where('act_id', '=', id).execute()).length).toBe(
    0,
  )
})

test.each([
  ['a picture', async () => png(), 'file'],
  [
    'a PDF with a program',
    async () => pdf(['x'], { catalog: '/OpenAction << /S /JavaScript /JS (app.alert\\(1\\)) >>' }),
    'file',
  ],
  ['a truncated PDF', async () => actPdf('coupé').subarray(0, 300), 'file'],
  ['nothing', async () => Buffer.alloc(0), 'file'],
])('refuses %s as the file', async (_name, file, field) => {
  const { clerk, path } = await open()
  const answer = await clerk.post(path, actForm({}, await file()))
  expect(answer).toBeError(422, 'validation_failed')
  expect(answer.body.details[0].field).toBe(field)
})

test.each([
  ['a date in the future', { date: '2999-01-01' }, 'date'],
  ['no date', { date: '2026-02-30' }, 'date'],
  ['an unknown kind', { kind: 'loi' }, 'kind'],
  ['an unknown subject', { subject: '6.9' }, 'subject'],
  ['a title of control characters', { title: '\u0007 ' }, 'title'],
  ['a long number', { number: 'x'.repeat(51) }, 'number'],
  ['an unknown field', { sha256: 'x' }, 'sha256'],
  ['an act to correct that is not there', { supersedes: uuidv7() }, 'supersedes'],
])('refuses %s', async (_name, fields, field) => {
  const { clerk, path } = await open()
  const answer = await clerk.post(path, actForm(fields as Record<string, string>))
  expect(answer).toBeError(422, 'validation_failed')
  expect(answer.body.details[0].field).toBe(field)
})

test('a form without a file is refused', async () => {
  const { clerk, path } = await open()
  const complete = { file: 'acte.pdf', kind: 'arrete', title: 'Sans fichier', date: '2026-03-03' }
  expect(await clerk.post(path, complete)).toBeError(415, 'unsupported_media_type')
  expect(await clerk.post(path, formOf('', {}))).toBeError(422, 'validation_failed')
})

test('a scan is taken with a warning, and with a text that its mairie types', async () => {
  const { prepare, clerk, path } = await open()
  const { id, warnings, text } = await prepare({ title: 'Scan' }, pdf(['']))
  expect([warnings, text]).toEqual([expect.arrayContaining(['no_text']), null])
  const typed = 'Le conseil décide\nla subvention <de> la fanfare'
  const type = (value: unknown) => clerk.patch(`${path}/${id}`, { text: value })
  expect((await type(typed)).body.data.warnings).not.toContain('no_text')
  expect((await clerk.get(`${path}/${id}`)).body.data.text).toBe(typed)
  expect((await type(null)).body.data.warnings).toContain('no_text')
  expect(await type(' \n ')).toBeError(422, 'validation_failed')
  expect(await type('x'.repeat(50_001))).toBeError(422, 'validation_failed')
  await type('\u{1F3BA}'.repeat(50_000))
  await type(typed)
  // Another title keeps it.
  await clerk.patch(`${path}/${id}`, { title: 'Scan corrigé' })
  const textAt = async () => {
    const response = await fetch(`${url}/actes/${id}/texte.txt`)
    return [response.status, await response.text()]
  }
  expect((await textAt())[0]).toBe(404)
  await clerk.patch(`${path}/${id}/publish`)
  expect(await textAt()).toEqual([200, typed])
  expect((await reader.get('/acts?q=fanfare')).body.data).toMatchObject([{ id, title: 'Scan corrigé' }])
  expect(await type('Autre')).toBeError(409, 'act_in_force')
  expect((await bytesOf(`/actes/${id}`)).bytes.toString()).toContain(`/actes/${id}/texte.txt`)
  await clerk.patch(`${path}/${id}/occult`, { reason: 'Décision de la CNIL' })
  expect((await textAt())[0]).toBe(404)
})

test('a PDF with a text of its own takes no typed one', async () => {
  const { prepare, clerk, path } = await open()
  const { id } = await prepare({}, actPdf('Vu le code'))
  expect(await clerk.patch(`${path}/${id}`, { text: 'Autre' })).toBeError(422, 'validation_failed')
  expect((await clerk.patch(`${path}/${id}`, { text: null })).status).toBe(200)
  expect((await clerk.patch(`${path}/${id}/publish`)).status).toBe(200)
  expect((await bytesOf(`/actes/${id}/texte.txt`)).response.status).toBe(404)
})

test('a date may be today in Paris, and an act older than its mairie is taken with a warning', async () => {
  const { prepare } = await open()
  const today = new Intl.DateTimeFormat('sv', { timeZone: 'Europe/Paris' }).format(new Date())
  expect((await prepare({ date: today })).warnings).toEqual([])
  expect((await prepare({ date: '1912-06-01' })).warnings).toEqual(['before_mairie'])
})

test('a mairie publishes a number and a file once, and 409 names the other act', async () => {
  const { clerk, path, prepare, publish } = await open()
  const file = actPdf('Le même')
  const waiting = await prepare({ number: '2026-012' }, actPdf('Attend'))
  const twin = await prepare({ title: 'Jumeau' }, file)
  const { id } = await publish({ number: '2026-012', title: 'Premier' }, file)
  const sameNumber = await clerk.post(path, actForm({ number: ' 2026-012' }))
  const sameFile = await clerk.post(path, actForm({ number: '2026-013' }, file))
  for (const [answer, field] of [
    [sameNumber, 'number'],
    [sameFile, 'file'],
    [await clerk.patch(`${path}/${waiting.id}/publish`), 'number'],
    [await clerk.patch(`${path}/${twin.id}/publish`), 'file'],
    [await clerk.patch(`${path}/${twin.id}`, { number: '2026-012' }), 'number'],
  ] as const) {
    expect(answer).toBeError(409, 'act_exists')
    expect(answer.body.message).toContain(`This ${field}`)
    expect(answer.body.message).toContain(`“Premier”: /api/v1/acts/${id}`)
  }
  // Another mairie has numbers of its own, and may have signed the same convention.
  await (await open()).publish({ number: '2026-012' }, file)
})

test('caches hear of what is published, and of no draft', async () => {
  const { clerk, path, prepare } = await open()
  const heard: string[] = []
  const listener = new pg.Client(database.service)
  await listener.connect()
  onTestFinished(() => listener.end())
  listener.on('notification', ({ payload = '' }) => heard.push(payload))
  await listener.query('listen parvis_changes')
  const { id } = await prepare({ title: 'Ébauche' })
  await clerk.patch(`${path}/${id}`, { title: 'Ébauche corrigée' })
  // PostgreSQL delivers notifications before it answers the next statement.
  await listener.query('select 1')
  expect(heard.filter((tag) => tag.startsWith('act'))).toEqual([])
  await clerk.patch(`${path}/${id}/publish`)
  await listener.query('select 1')
  expect(heard.filter((tag) => tag.startsWith('act')).toSorted()).toEqual(['act_seals', 'acts'])
})

test('of two drafts with one number published at once, one is published', async () => {
  const { clerk, path, prepare } = await open()
  const drafts = [await prepare({ number: '1', title: 'Un' }), await prepare({ number: '1', title: 'Deux' })]
  const answers = await Promise.all(drafts.map(({ id }) => clerk.patch(`${path}/${id}/publish`)))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
})

test('a draft published twice at once is published once', async () => {
  const { clerk, path, prepare } = await open()
  const { id } = await prepare()
  const answers = await Promise.all([1, 2, 3].map(() => clerk.patch(`${path}/${id}/publish`)))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409])
})

test('a correction supersedes an act, and may have its number', async () => {
  const { clerk, path, prepare, publish } = await open()
  const first = await publish({ number: '2026-020', title: 'Tarifs' })
  const correction = await prepare({ number: '2026-020', title: 'Tarifs (rectifiés)', supersedes: first.id })
  const rival = await prepare({ title: 'Autre correction', supersedes: first.id })
  expect((await clerk.patch(`${path}/${correction.id}/publish`)).body.data.state).toBe('published')
  expect((await reader.get(`/acts/${first.id}`)).body.data).toMatchObject({
    state: 'superseded',
    superseded_by: correction.id,
  })
  expect((await reader.get(`/acts/${correction.id}`)).body.data.supersedes).toBe(first.id)
  expect(await clerk.patch(`${path}/${rival.id}/publish`)).toBeError(409, 'conflict')
  expect(await clerk.patch(`${path}/${rival.id}`, { supersedes: rival.id })).toBeError(
    422,
    'validation_failed',
  )
})

test('a published act is refused every change', async () => {
  const { clerk, path, publish } = await open()
  const young = await publish({ title: 'Récent' })
  expect(await clerk.patch(`${path}/${young.id}`, { title: 'Autre' })).toBeError(409, 'act_in_force')
  expect(await clerk.delete(`${path}/${young.id}`)).toBeError(409, 'act_in_force')
  expect(await clerk.patch(`${path}/${young.id}/archive`)).toBeError(409, 'act_in_force')
  expect(await clerk.patch(`${path}/${young.id}/publish`)).toBeError(409, 'conflict')
})

test('an act leaves the lists two months after its publication, by the mairie; its address and its file stay', async () => {
  // The chain of acts never goes back in time.
  const older = await openWorld()
  const { hall, clerk, path, prepare, publish, town } = await open(older)
  const old = await prepare({ title: 'Ancien' })
  const publishIt = (db: Database) =>
    publishAct({ db, clock: () => threeMonthsAgo, at: threeMonthsAgo }, operator, {
      acteurId: hall.id,
      id: old.id,
    })
  await asOwner(older.database.owner, publishIt)
  const young = await publish({ title: 'Récent' })
  const reader = older.client({ source: 'public' })
  expect(await clerk.delete(`${path}/${old.id}`)).toBeError(409, 'conflict')
  expect((await clerk.get(`${path}/${old.id}`)).body.data.can).toEqual(['archive', 'occult'])
  expect((await clerk.patch(`${path}/${old.id}/archive`)).body.data.state).toBe('archived')
  expect((await reader.get(`/acts/${old.id}`)).body.data.state).toBe('archived')
  const listed = (await reader.get(`/communes/${town.id}/acts`)).body.data
  expect(listed.map(({ id }: { id: string }) => id)).toEqual([young.id])
})

test('occultation removes the file, and leaves the entry, the digest and the reason', async () => {
  const { clerk, path, publish, prepare } = await open()
  const act = await publish({ individual: 'true' }, actPdf('Nomination de Zoé'))
  const draft = await prepare({ title: 'Brouillon' })
  const reason = { reason: 'Décision de la CNIL du 3 novembre' }
  expect(await clerk.patch(`${path}/${draft.id}/occult`, reason)).toBeError(409, 'conflict')
  expect(await clerk.patch(`${path}/${act.id}/occult`, { reason: ' ' })).toBeError(422, 'validation_failed')
  expect((await clerk.patch(`${path}/${act.id}/occult`, reason)).status).toBe(200)
  expect(await clerk.patch(`${path}/${act.id}/occult`, reason)).toBeError(409, 'conflict')
  expect((await reader.get(`/acts/${act.id}`)).body.data).toMatchObject({
    ...{ state: 'occulted', occulted_reason: reason.reason, sha256: act.sha256, url: null, seal: act.seal },
  })
  for (const place of ['/api/v1/acts', `/api/v1${path}`])
    expect((await bytesOf(`${place}/${act.id}/pdf`)).response.status).not.toBe(200)
  const { rows } = await sql`select from act_files where act_id = ${act.id}`.execute(db)
  expect(rows).toEqual([])
})

test('acts stay when their mairie is inactive, deleted or merged into another', async () => {
  const { hall, town, publish } = await open()
  const { id } = await publish({ number: '9' })
  const target = await acteur({ type: 'mairie', valide: true })
  await sql`update acteurs set active = false where id = ${hall.id}`.execute(db)
  expect((await reader.get(`/acts/${id}`)).status).toBe(200)
  await sql`update acteurs set active = true, merged_into = ${target.id}, merged_at = now() where id = ${hall.id}`.execute(
    db,
  )
  await sql`update acts set acteur_id = ${target.id} where id = ${id}`.execute(db)
  await sql`update acteurs set deleted_at = now() where id = ${hall.id}`.execute(db)
  const { data } = (await reader.get(`/acts/${id}`)).body
  expect(data).toMatchObject({ acteur: { id: target.id }, communes: [{ id: town.id }] })
  expect((await reader.get(`/communes/${town.id}/acts`)).body.data).toHaveLength(1)
})

test('an application that is restricted to communes shows their acts alone', async () => {
  const here = await open()
  const there = await open()
  const shown = await here.publish()
  const hidden = await there.publish()
  await db
    .insertInto('app_sources')
    .values({ code: 'village', label: 'Village', active: true, commune_ids: [here.town.id] })
    .execute()
  const village = client({ source: 'village' })
  expect((await village.get('/acts')).body.data.map(({ id }: { id: string }) => id)).toEqual([shown.id])
  expect((await village.get(`/communes/${there.town.id}/acts`)).body.data).toEqual([])
  expect(await village.get(`/acts/${hidden.id}`)).toBeError(404, 'not_found')
})

/** A published act and a draft, which nobody changes below. */
const lasting = await open()
await lasting.prepare({ title: 'Brouillon' })
await lasting.publish()

test.each([
  ['its title', `update acts set title = 'Autre'`],
  ['its date', `update acts set date = '2020-01-01'`],
  ['the day it went on line', `update acts set published_at = published_at - interval '1 day'`],
  ['its digest', `update acts set sha256 = repeat('0', 64)`],
  ['its communes', `update acts set commune_ids = '{}'`],
  ['its mairie', `update acts set acteur_id = (select id from acteurs where id <> acts.acteur_id limit 1)`],
  ['its state, back to a draft', `update acts set state = 'draft', published_at = null, published_by = null`],
  [
    'its state, before two months',
    `update acts set state = 'archived', archived_at = now() + interval '1 year'`,
  ],
  ['the reason of no occultation', `update acts set archived_at = now()`],
  ['itself', `delete from acts`],
  ['all of them', `truncate acts cascade`],
  ['its file', `update act_files set content = 'x', bytes = 1, sha256 = encode(sha256('x'), 'hex')`],
  ['its words', `update act_files set text = ''`],
  ['its file away', `delete from act_files`],
  ['all files away', `truncate act_files`],
  ['its record', `update act_seals set record = '{}'`],
  ['its seal away', `delete from act_seals`],
])('nobody but a superuser changes %s', async (_name, statement) => {
  const refused = /append-only|published|permission denied/
  await expect(sql.raw(statement).execute(db)).rejects.toThrow(refused)
  await expect(run(database.owner, statement)).rejects.toThrow(refused)
})

test('nothing is published without its seal, and a seal follows the last one', async () => {
  const { prepare, publish, hall, town } = await open()
  await publish()
  const { id } = await prepare({ title: 'Sans sceau' })
  await expect(
    sql`update acts set state = 'published', published_at = now(), published_by = ${hall.id},
      commune_ids = array[${town.id}::uuid] where id = ${id}`.execute(db),
  ).rejects.toThrow('published with its seal')
  const insert = (number: string, previous: string) =>
    sql`insert into act_seals (number, act_id, sealed_at, record, digest, previous, seal)
      select ${sql.raw(number)}, ${id}, now(), '{}', sha256('{}'), p, sha256(p || sha256('{}'))
      from (select number, ${sql.raw(previous)} as p from act_seals order by number desc limit 1) last`.execute(
      db,
    )
  await expect(insert('number + 2', 'seal')).rejects.toThrow('follows the last one')
  await expect(insert('number + 1', 'previous')).rejects.toThrow('follows the last one')
  await expect(
    sql`insert into act_files (act_id, sha256, bytes, content, text, words)
      values (${id}, repeat('0', 64), 1, 'x', '', '')`.execute(db),
  ).rejects.toThrow('act_files')
})

test('the chain of all acts can be followed from its records', async () => {
  const { rows } = await sql<{ number: number; record: string; previous: Buffer; seal: Buffer }>`
    select number::int as number, record, previous, seal from act_seals order by number`.execute(db)
  expect(rows.length).toBeGreaterThan(5)
  let seal = Buffer.alloc(32)
  for (const [index, row] of rows.entries()) {
    expect(row.number).toBe(index + 1)
    expect(row.previous.equals(seal)).toBe(true)
    const digest = createHash('sha256').update(row.record).digest()
    seal = createHash('sha256').update(seal).update(digest).digest()
    expect(row.seal.equals(seal)).toBe(true)
  }
})
