import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { isWhole } from '../../../test/support/sample.ts'
import { openSession } from '../../../test/support/sessions.ts'
import { openWorld } from '../../../test/support/world.ts'
import { uuidv7 } from '../../platform/formats/uuid.ts'

const world = await openWorld()
const { as, user, acteur, client, db } = world
const admin = await as('admin')
const rounds = process.env.PARVIS_TEST_LONG ? 30 : 4
const erase = (body: object, by = admin) => by.post('/admin/people/erase', body)
const stored = (id: string) =>
  db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const rowsOf = ({ places }: { places: { name: string; rows: number }[] }) =>
  Object.fromEntries(places.map(({ name, rows }) => [name, rows]))

test('a dry run says what an erasure changes and changes nothing; the erasure then does it', async () => {
  const { id, token, email } = await user({ nom: 'Odile', roles: ['support'] })
  const claim = { acteur_id: (await acteur()).id, message: 'À moi' }
  expect((await client({ token }).post('/claims', claim)).status).toBe(201)
  await openSession(db, id)
  const preview = (await erase({ user_id: id, dry_run: true })).body.data
  expect(preview).toMatchObject({ dry_run: true, user_ids: [id], emails: [email] })
  expect(rowsOf(preview)).toEqual({ claims: 1, sessions: 1, users: 1 })
  expect(preview.places[0]).toMatchObject({ title: 'Claims', erasure: expect.stringContaining('expires') })
  expect((await stored(id)).nom).toBe('Odile')
  const { data } = (await erase({ user_id: id })).body
  expect(data).toEqual({ ...preview, dry_run: false })
  expect(await stored(id)).toMatchObject({ nom: null, email: null, actif: false })
  expect(await client({ token }).get('/me')).toBeError(401, 'unauthenticated')
  const audited = db.selectFrom('audit_log').selectAll().where('action', '=', 'person.erase')
  const rows = await audited.where('entity_id', '=', id).execute()
  expect(rows).toMatchObject([{ app_source: 'backoffice', after: { erased: { claims: 1, users: 1 } } }])
  expect(rows[0]?.user_id).not.toBeNull()
  expect((await erase({ user_id: id })).body.data.places).toEqual([])
})

test('records of other accounts with the address stay unless `also` names them', async () => {
  const email = 'zoe@example.org'
  const { id: user_id } = await user()
  await db
    .insertInto('support_threads')
    .values({ id: uuidv7(), subject: 'Bac', said: '', email, user_id, last_message_at: new Date() })
    .execute()
  const thread = db.selectFrom('support_threads').select(['id', 'subject', 'email'])
  const { id } = await thread.where('email', '=', email).executeTakeFirstOrThrow()
  const { id: colleague } = await user({ roles: ['support'] })
  const note = { id: uuidv7(), kind: 'thread', record_id: id, body: 'Rappeler', created_by: colleague }
  await db.insertInto('notes').values(note).execute()
  await db.insertInto('support_drafts').values({ thread_id: id, user_id: colleague, body: 'Oui' }).execute()
  const left = async () => [
    (await db.selectFrom('notes').select('id').where('record_id', '=', id).execute()).length,
    (await db.selectFrom('support_drafts').select('body').where('thread_id', '=', id).execute()).length,
  ]
  const first = (await erase({ email })).body.data
  expect(first).toMatchObject({ places: [], unsure: { records: [{ name: 'threads', records: [{ id }] }] } })
  expect(await left()).toEqual([1, 1])
  const second = (await erase({ email, also: [id] })).body.data
  expect(rowsOf(second)).toMatchObject({ threads: 1, notes: 1 })
  expect(await left()).toEqual([0, 0])
  expect(await thread.where('id', '=', id).executeTakeFirstOrThrow()).toMatchObject({ email: null })
})

test('the last administrator cannot be erased, also in a dry run', async () => {
  const own = await openWorld()
  const { id, token } = await own.user({ roles: ['admin'] })
  const last = own.client({ source: 'backoffice', token })
  for (const dry_run of [true, false])
    expect(await erase({ user_id: id, dry_run }, last)).toBeError(409, 'last_admin')
  expect((await last.get('/me')).body.data.roles).toEqual(['admin'])
  await own.user({ roles: ['admin'] })
  expect((await erase({ user_id: id }, last)).status).toBe(200)
  expect(await last.get('/me')).toBeError(401, 'unauthenticated')
})

test('two administrators who erase each other at the same time: one of them stays', async () => {
  for (let round = 0; round < rounds; round++) {
    const own = await openWorld()
    const [ada, bea] = [await own.user({ roles: ['admin'] }), await own.user({ roles: ['admin'] })]
    const by = ({ token }: { token: string }) => own.client({ source: 'backoffice', token })
    const answers = await Promise.all([
      erase({ user_id: bea.id }, by(ada)),
      erase({ user_id: ada.id }, by(bea)),
    ])
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from user_roles join users on id = user_id where role = 'admin' and actif`.execute(
      own.db,
    )
    expect(rows[0]?.count, answers.map(({ text }) => text).join()).toBeGreaterThan(0)
  }
}, 60_000)

test('of two concurrent erasures one changes everything and the other nothing', async () => {
  for (let round = 0; round < rounds; round++) {
    const { id } = await user()
    const answers = await Promise.all([erase({ user_id: id }), erase({ user_id: id })])
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    const counts = answers.map(({ body }) => rowsOf(body.data).users ?? 0)
    expect(counts.sort()).toEqual([0, 1])
    const audited = db.selectFrom('audit_log').select('id').where('action', '=', 'person.erase')
    expect(await audited.where('entity_id', '=', id).execute()).toHaveLength(1)
  }
})

test('a session opened during the erasure ends with it', async () => {
  for (let round = 0; round < rounds; round++) {
    const { id } = await user()
    const [, session] = await Promise.all([erase({ user_id: id }), openSession(db, id).catch(() => null)])
    const by = session && client({ source: 'backoffice', headers: session.headers })
    if (by) expect(await by.get('/me')).toBeError(401, 'unauthenticated')
    expect(await stored(id)).toMatchObject({ actif: false, email: null })
  }
})

test('a claim that is decided during the erasure keeps nothing of the person', async () => {
  for (let round = 0; round < rounds; round++) {
    const { id, token } = await user()
    const claim = { acteur_id: (await acteur()).id, message: 'Odile était là' }
    const { body } = await client({ token }).post('/claims', claim)
    const decide = () => admin.patch(`/admin/claims/${body.data.id}`, { status: 'approved' })
    const [erased, decided] = await Promise.all([erase({ user_id: id }), decide()])
    expect(erased.status, erased.text).toBe(200)
    // 503 if PostgreSQL ends the decision: each of the two transactions has locked a row that the other needs.
    expect([200, 409, 422, 503], decided.text).toContain(decided.status)
    const row = await db
      .selectFrom('claims')
      .selectAll()
      .where('id', '=', body.data.id)
      .executeTakeFirstOrThrow()
    expect(row).toMatchObject({ message: '', nom: null, email: null })
    expect(row.status).not.toBe('pending')
    const members = db.selectFrom('actor_users').select('user_id').where('user_id', '=', id)
    expect(await members.execute()).toEqual([])
  }
})

test.runIf(isWhole)(
  'returns 503 and changes nothing while somebody else holds the account',
  async () => {
    const { id } = await user()
    const held = await db.startTransaction().execute()
    await held.selectFrom('users').select('id').where('id', '=', id).forUpdate().execute()
    expect(await erase({ user_id: id })).toBeError(503, 'unavailable')
    await held.rollback().execute()
    expect(await stored(id)).toMatchObject({ actif: true, erased_at: null })
  },
  40_000,
)

test('requires a fresh confirmation of a session, except for a dry run', async () => {
  const { id: adminId } = await user({ roles: ['admin'] })
  const session = await openSession(db, adminId, { hasShownFactor: true })
  await sql`update sessions set confirmed_until = null where id = ${session.id}`.execute(db)
  const browser = client({ source: 'backoffice', headers: session.headers })
  const { id } = await user()
  expect(await erase({ user_id: id }, browser)).toBeError(403, 'confirmation_required')
  expect((await stored(id)).actif).toBe(true)
  expect((await erase({ user_id: id, dry_run: true }, browser)).status).toBe(200)
  await sql`update sessions set confirmed_until = now() + interval '1 minute' where id = ${session.id}`.execute(
    db,
  )
  expect((await erase({ user_id: id }, browser)).status).toBe(200)
})

test('returns 422 without exactly one of account and address, and for an unknown account', async () => {
  const { id, email } = await user()
  for (const body of [
    {},
    { dry_run: true },
    { user_id: id, email },
    { user_id: uuidv7() },
    { email: 'odile' },
  ])
    expect(await erase(body), JSON.stringify(body)).toBeError(422, 'validation_failed')
  expect((await stored(id)).actif).toBe(true)
})
