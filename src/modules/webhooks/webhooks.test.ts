import { readdirSync } from 'node:fs'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { openMairie } from '../../../test/support/mairies.ts'
import { openSession } from '../../../test/support/sessions.ts'
import { openWorld } from '../../../test/support/world.ts'
import { operator } from '../../platform/access/caller.ts'
import { uuidv7 } from '../../platform/formats/uuid.ts'
import { createMailer } from '../../platform/mail/mailer.ts'
import { moveAll } from '../acteurs/merge/jobs.ts'
import { insertAct, insertPublished } from '../acts/acts.test-kit.ts'
import { publishAct } from '../acts/publishing.ts'
import { insertPublication, openAssociation } from '../publications/publications.test-kit.ts'
import { senderOf, startReceiver } from './receiver.test-kit.ts'
import { mailOwnerHandler, notifyOwners } from './sending/notify.ts'
import { sweepHandler } from './sweep.ts'

const receiver = await startReceiver()
// The receiver of the tests is on this machine.
const world = await openWorld({ env: { IMPORT_ALLOW_PRIVATE: 'true' } })
const { db, client, acteur, user, as } = world
const strict = await openWorld()
const admin = await as('admin')
const town = await openMairie(world)
const { acteur: club, asOwner, asEditor, content } = await openAssociation(world, { can_publish: true })
const { send } = senderOf(world)
const { signal } = new AbortController()
const ofClub = `/me/acteurs/${club.id}/webhooks`
const url = receiver.url
const ofPublications = ['publication.published', 'publication.changed', 'publication.withdrawn']
const ofAlertes = ['alerte.published', 'alerte.changed', 'alerte.withdrawn']
const body = { url, types: ofPublications }

beforeEach(async () => {
  await sql`delete from webhooks`.execute(db)
  await sql`update publications set deleted_at = now() where publie_le > now() and deleted_at is null`.execute(
    db,
  )
  receiver.received.length = 0
})

type Client = typeof admin
async function webhook(at: string, by: Client, types: string[] = ofPublications): Promise<string> {
  const { status, body, text } = await by.post(at, { url, types })
  expect(status, text).toBe(201)
  return body.data.id
}
/** The events of a webhook in their order, with what became due in the meantime. */
async function eventsOf(id: string): Promise<[type: string, record: string][]> {
  const { rows } = await sql<{ type: string; record_id: string }>`
    select type, record_id from webhook_deliveries where webhook_id = ${id} order by at, number`.execute(db)
  return rows.map(({ type, record_id }) => [type, record_id])
}

test('POST returns 201 with the secret, which is stored encrypted; a retry returns the same webhook', async () => {
  const headers = { 'idempotency-key': 'w1' }
  const [made, again] = [
    await asOwner.post(ofClub, body, { headers }),
    await asOwner.post(ofClub, body, { headers }),
  ]
  const { id, secret } = made.body.data
  expect([made.status, made.headers.get('location')]).toEqual([201, `/api/v1${ofClub}/${id}`])
  expect(Buffer.from(secret.replace(/^whsec_/, ''), 'base64')).toHaveLength(24)
  expect([again.status, again.body]).toEqual([201, made.body])
  for (const table of ['webhooks', 'idempotent_responses', 'audit_log']) {
    const { rows } = await sql`
      select from ${sql.table(table)} t where t::text like ${`%${secret.slice(6)}%`}`.execute(db)
    expect(rows, table).toEqual([])
  }
  const listed = (await asOwner.get(ofClub)).body.data
  expect(listed).toHaveLength(1)
  expect(listed.flatMap(Object.keys)).not.toContain('secret')
  await asOwner.delete(`${ofClub}/${id}`)
  expect(await asOwner.post(ofClub, body, { headers })).toBeError(409, 'conflict')
})

test('a retry of the tenth POST returns the same webhook', async () => {
  await Promise.all(Array.from({ length: 9 }, () => asOwner.post(ofClub, body)))
  const headers = { 'idempotency-key': 'w10' }
  const answers = [
    await asOwner.post(ofClub, body, { headers }),
    await asOwner.post(ofClub, body, { headers }),
  ]
  expect(answers.map(({ status }) => status)).toEqual([201, 201])
})

test.each([
  'https://127.0.0.1/',
  'https://127.1/',
  'https://0x7f000001/',
  'https://10.1.2.3:8443/hook',
  'https://169.254.169.254/latest',
  'https://[::1]/',
  'https://[::ffff:192.168.0.1]/',
  'https://localhost/',
  'https://LOCALHOST./',
  'https://hook.localhost/',
])('%s is refused when it is registered', async (url) => {
  const refusing = strict.client({
    source: 'backoffice',
    token: (await strict.user({ roles: ['admin'] })).token,
  })
  const refused = await refusing.post('/admin/webhooks', { ...body, url })
  expect(refused).toBeError(422, 'validation_failed')
  expect(refused.body.details).toEqual([
    { field: 'url', message: 'must not name this machine or a private network' },
  ])
  const made = await refusing.post('/admin/webhooks', { ...body, url: 'https://ville.example/hook' })
  expect(made.status).toBe(201)
  expect(await refusing.patch(`/admin/webhooks/${made.body.data.id}`, { url })).toBeError(
    422,
    'validation_failed',
  )
  expect((await refusing.delete(`/admin/webhooks/${made.body.data.id}`)).status).toBe(200)
})

test.each([
  ['http', { url: 'http://ville.example/' }],
  ['a user name', { url: 'https://a:b@ville.example/' }],
  ['no type', { types: [] }],
  ['an unknown type', { types: ['publication.draft'] }],
  ['a type of the back-office', { types: ['claim.decided'] }],
  ['NUL', { url: 'https://ville.example/\u0000' }],
])('returns 422 for %s, when it is created and when it is changed', async (_what, wrong) => {
  expect(await asOwner.post(ofClub, { ...body, ...wrong })).toBeError(422, 'validation_failed')
  const id = await webhook(ofClub, asOwner)
  expect(await asOwner.patch(`${ofClub}/${id}`, wrong)).toBeError(422, 'validation_failed')
})

test('an owner has ten at most, also by requests at once', async () => {
  const answers = await Promise.all(Array.from({ length: 12 }, () => asOwner.post(ofClub, body)))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([...Array(10).fill(201), 409, 409])
  const others = await Promise.all(Array.from({ length: 12 }, () => admin.post('/admin/webhooks', body)))
  expect(others.map(({ status }) => status).toSorted()).toEqual([...Array(10).fill(201), 409, 409])
})

test('only owners manage the webhooks of an acteur, each below its own owner', async () => {
  const id = await webhook(ofClub, asOwner)
  const platform = await webhook('/admin/webhooks', admin)
  for (const [by, code] of [
    [asEditor, 'forbidden'],
    [client({ token: (await user()).token }), 'scope_violation'],
  ] as const) {
    expect(await by.get(ofClub)).toBeError(403, code)
    expect(await by.post(ofClub, body)).toBeError(403, code)
    expect(await by.patch(`${ofClub}/${id}`, { enabled: false })).toBeError(403, code)
    expect(await by.get(`${ofClub}/${id}/deliveries`)).toBeError(403, code)
    for (const verb of ['rotate', 'test'])
      expect(await by.post(`${ofClub}/${id}/${verb}`)).toBeError(403, code)
    expect(await by.delete(`${ofClub}/${id}`)).toBeError(403, code)
  }
  for (const path of [`${ofClub}/${platform}`, `/admin/webhooks/${id}`, `${ofClub}/${club.id}`]) {
    const by = path.startsWith(ofClub) ? asOwner : admin
    expect(await by.get(path)).toBeError(404, 'not_found')
    expect(await by.get(`${path}/deliveries`)).toBeError(404, 'not_found')
    expect(await by.patch(path, { enabled: false })).toBeError(404, 'not_found')
    for (const verb of ['rotate', 'test'])
      expect(await by.post(`${path}/${verb}`)).toBeError(404, 'not_found')
    expect(await by.delete(path)).toBeError(404, 'not_found')
  }
  expect((await asOwner.get(ofClub)).body.data).toMatchObject([{ id, acteur_id: club.id }])
  expect((await admin.get('/admin/webhooks')).body.data).toMatchObject([{ id: platform, acteur_id: null }])
})

test('no access key opens webhooks, and a session needs a fresh confirmation', async () => {
  const { id } = await user({ roles: ['admin'], memberships: [{ acteur: club, role: 'owner' }] })
  const session = client({ source: 'backoffice', ...(await openSession(db, id)) })
  const scopes = ['office.read', 'office.write', 'acteur.write', 'acteur.read']
  const { key } = (await session.post('/me/keys', { name: 'Site', scopes })).body.data
  for (const at of [ofClub, '/admin/webhooks']) {
    const withKey = client({ source: 'backoffice', token: key })
    expect(await withKey.get(at)).toBeError(403, 'key_refused')
    expect(await withKey.post(at, body)).toBeError(403, 'key_refused')
  }
  await sql`update sessions set confirmed_until = now() - interval '1 minute' where user_id = ${id}`.execute(
    db,
  )
  expect(await session.post(ofClub, body)).toBeError(403, 'confirmation_required')
  expect(await session.post('/admin/webhooks', body)).toBeError(403, 'confirmation_required')
})

test('a change needs the version that the caller has seen, which no attempt increments', async () => {
  const id = await webhook(ofClub, asOwner)
  const path = `${ofClub}/${id}`
  await sql`update webhooks set failures = 3, failing_since = now() where id = ${id}`.execute(db)
  const { version } = (await asOwner.get(path)).body.data
  expect(version).toBe(1)
  const headers = { 'if-match': `"${version}"` }
  expect((await asOwner.patch(path, { enabled: false }, { headers })).body.data).toMatchObject({
    ...{ version: 2, disabled_reason: 'owner', disabled_at: expect.any(String) },
  })
  for (const answer of [
    await asOwner.patch(path, { enabled: true }, { headers }),
    await asOwner.post(`${path}/rotate`, undefined, { headers }),
    await asOwner.post(`${path}/test`, undefined, { headers }),
    await asOwner.delete(path, { headers }),
  ])
    expect(answer).toBeError(412, 'precondition_failed')
  expect(
    (await asOwner.patch(path, { enabled: true, types: ['publication.changed'] })).body.data,
  ).toMatchObject({
    ...{ version: 3, disabled_at: null, failures: 0, types: ['publication.changed'] },
  })
  expect((await asOwner.delete(path)).status).toBe(200)
  expect(await asOwner.get(path)).toBeError(404, 'not_found')
})

test('a test message arrives, and is listed', async () => {
  const id = await webhook(ofClub, asOwner)
  const { data } = (await asOwner.post(`${ofClub}/${id}/test`)).body
  expect(data).toMatchObject({ type: 'webhook.test', state: 'waiting', attempts: 0 })
  await asOwner.post(`${ofClub}/${id}/test`)
  await send()
  expect(receiver.received.map(({ headers }) => headers['webhook-id'])).toContain(data.id)
  expect(receiver.received[0]?.body).toMatchObject({ type: 'webhook.test' })
  const { body: listed } = await asOwner.get(`${ofClub}/${id}/deliveries?state=delivered&per_page=1`)
  expect(listed).toMatchObject({ data: [{ state: 'delivered', status: 204 }], meta: { total: 2 } })
})

test('what was sent can be sent again, with the same id, unless it waits or the webhook is disabled', async () => {
  const id = await webhook(ofClub, asOwner)
  const foreign = await webhook('/admin/webhooks', admin)
  const { data } = (await asOwner.post(`${ofClub}/${id}/test`)).body
  await asOwner.post(`${ofClub}/${id}/test`)
  const path = `${ofClub}/${id}/deliveries/${data.id}/resend`
  expect(await asOwner.post(path)).toBeError(409, 'conflict')
  await send()
  const answers = await Promise.all([asOwner.post(path), asOwner.post(path)])
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
  await send()
  expect(receiver.received.filter(({ headers }) => headers['webhook-id'] === data.id)).toHaveLength(2)
  expect(receiver.received).toHaveLength(3)
  expect(await asEditor.post(path)).toBeError(403, 'forbidden')
  expect(await asOwner.post(path, undefined, { headers: { 'if-match': '"9"' } })).toBeError(
    412,
    'precondition_failed',
  )
  const elsewhere = await admin.post(`/admin/webhooks/${foreign}/deliveries/${data.id}/resend`)
  expect(elsewhere).toBeError(404, 'not_found')
  await asOwner.patch(`${ofClub}/${id}`, { enabled: false })
  expect(await asOwner.post(path)).toBeError(409, 'conflict')
  expect(await asOwner.post(`${ofClub}/${id}/test`)).toBeError(409, 'conflict')
})

test('owners with a verified address get the mails about their webhook, administrators those of the platform', async () => {
  const association = await openAssociation(world)
  await sql`update users set email_verified = true, email = 'zoe@example.org' where id = ${association.owner.id}`.execute(
    db,
  )
  const since = new Date()
  const acteur_id = association.acteur.id
  const about = { id: club.id, url: 'https://ville.example/hook?key=secret', since }
  const jobsOf = (name: string) =>
    sql<{ data: { subject: string; text: string; userId: string } }>`
    select data from pgboss.job where name = ${name}`.execute(db)
  await db.transaction().execute(async (tx) => {
    await notifyOwners(tx, world, 'disabled', { ...about, acteur_id })
    await notifyOwners(tx, world, 'disabled', { ...about, acteur_id: null })
  })
  const [mail, ...others] = (await jobsOf('webhooks.mail-owner')).rows
  expect(others).toEqual([])
  expect(mail?.data.userId).toBe(association.owner.id)
  expect(mail?.data.text).toContain('ville.example')
  expect(mail?.data.text).not.toContain('secret')
  const mailer = createMailer({ ...world.config.mail, outboxDir: world.outbox })
  await mailOwnerHandler({ ...world, mailer } as never).perform(mail?.data, {
    id: uuidv7(),
    attempt: 1,
    signal,
  })
  expect(readdirSync(world.outbox)).toHaveLength(1)
})

test('an acteur hears of its own publications, the platform of all, and nobody of what the public does not see', async () => {
  const [own, all] = [await webhook(ofClub, asOwner), await webhook('/admin/webhooks', admin)]
  const changedOnly = await webhook(ofClub, asOwner, ['publication.changed'])
  const { id: foreign } = await insertPublication(world)
  const { id: draft } = await insertPublication(world, {
    acteur_id: club.id,
    moderation_status: 'pending',
    valide: false,
  })
  const { id } = (await asOwner.post('/publications', content)).body.data
  await asOwner.patch(`/publications/${id}`, { title: 'Fête du miel' })
  await sql`update publications set title = 'Brouillon' where id = ${draft}`.execute(db)
  await sql`update publications set deleted_at = now() where id = ${draft}`.execute(db)
  await admin.patch(`/admin/acteurs/${club.id}/active`, { active: false })
  await admin.patch(`/admin/acteurs/${club.id}/active`, { active: true })
  const heard = ['published', 'changed', 'withdrawn', 'published'].map((change) => [
    `publication.${change}`,
    id,
  ])
  expect(await eventsOf(own)).toEqual(heard)
  expect(await eventsOf(all)).toEqual([['publication.published', foreign], ...heard])
  expect(await eventsOf(changedOnly)).toEqual([['publication.changed', id]])
})

test('a publication that appears and disappears in one transaction is no event', async () => {
  const all = await webhook('/admin/webhooks', admin)
  await db.transaction().execute(async (tx) => {
    const { id } = await insertPublication({ db: tx })
    await sql`update publications set deleted_at = now() where id = ${id}`.execute(tx)
  })
  await db
    .transaction()
    .execute(async (tx) => {
      await insertPublication({ db: tx })
      throw new Error('rolled back')
    })
    .catch(() => {})
  expect(await eventsOf(all)).toEqual([])
})

test('a scheduled publication is sent when it appears, also to a webhook that is newer, and not if it is put off', async () => {
  const old = await webhook('/admin/webhooks', admin)
  const at = (minutes: number) => sql<Date>`now() + make_interval(mins => ${minutes}::int)`
  const { id } = await insertPublication(world, { publie_le: at(5) })
  const { id: dropped } = await insertPublication(world, { publie_le: at(5) })
  const recent = await webhook('/admin/webhooks', admin)
  expect(await eventsOf(recent)).toEqual(await eventsOf(old))
  await send()
  expect(receiver.received).toEqual([])
  await sql`update publications set publie_le = ${at(9)} where id = ${id}`.execute(db)
  await sql`update publications set deleted_at = now() where id = ${dropped}`.execute(db)
  for (const hook of [old, recent]) expect(await eventsOf(hook)).toEqual([['publication.published', id]])
  await sql`update webhook_deliveries set at = now(), next_at = now() - interval '1 second'`.execute(db)
  await send()
  expect(receiver.received.map(({ body }) => body.data.id)).toEqual([id, id])
})

test('alertes are events of the mairie that shows them, from their beginning to their end', async () => {
  const own = await webhook(`/me/acteurs/${town.hall.id}/webhooks`, town.owner, ofAlertes)
  const all = await webhook('/admin/webhooks', admin, ofAlertes)
  const foreign = await webhook(ofClub, asOwner, ofAlertes)
  const water = { titre: 'Coupure d’eau', message: 'Rue du Puits.', niveau: 'attention' }
  const made = []
  for (const path of [
    `/mairie/communes/${town.commune.id}/alertes`,
    `/mairie/acteurs/${town.hall.id}/alertes`,
  ]) {
    const { id } = (await town.owner.post(path, water)).body.data
    await town.owner.patch(`${path}/${id}`, { titre: 'Coupure' })
    await town.owner.delete(`${path}/${id}`)
    made.push(...['published', 'changed', 'withdrawn'].map((change) => [`alerte.${change}`, id]))
  }
  for (const hook of [own, all]) expect(await eventsOf(hook)).toEqual(made)
  expect(await eventsOf(foreign)).toEqual([])
  await send()
  expect(receiver.received[0]?.body.data.url).toBe(
    `https://parvis.example/api/v1/communes/${town.commune.id}/alertes`,
  )
})

test('a changed commune is an event of its mairie, and a decided claim one of the platform', async () => {
  const types = ['commune.changed', 'claim.decided']
  const [own, all] = [
    await webhook(`/me/acteurs/${town.hall.id}/webhooks`, town.owner, ['commune.changed']),
    await webhook('/admin/webhooks', admin, types),
  ]
  const { id: elsewhere } = await world.commune()
  for (const id of [town.commune.id, elsewhere])
    expect((await admin.patch(`/admin/communes/${id}`, { nom: 'Neuve' })).status).toBe(200)
  const claimed = await acteur({ valide: true })
  const { body: claim } = await client({ token: (await user()).token }).post('/claims', {
    ...{ acteur_id: claimed.id, message: 'Je préside le club.', telephone: '01 99 00 12 34' },
  })
  const decided = await admin.patch(`/admin/claims/${claim.data.id}`, {
    status: 'rejected',
    reason: 'Inconnu.',
  })
  expect(decided.status, decided.text).toBe(200)
  expect(await eventsOf(own)).toEqual([['commune.changed', town.commune.id]])
  expect(await eventsOf(all)).toEqual([
    ['commune.changed', town.commune.id],
    ['commune.changed', elsewhere],
    ['claim.decided', claim.data.id],
  ])
})

test('a published act is an event of its mairie and of the platform, also one about a person; a draft is none', async () => {
  const types = ['act.published']
  const [own, all, foreign] = [
    await webhook(`/me/acteurs/${town.hall.id}/webhooks`, town.owner, types),
    await webhook('/admin/webhooks', admin, types),
    await webhook(ofClub, asOwner, types),
  ]
  const draft = await insertAct(db, { acteur_id: town.hall.id, title: 'Brouillon' })
  for (const hook of [own, all, foreign]) expect(await eventsOf(hook)).toEqual([])
  const clock = () => new Date()
  await publishAct({ db, clock }, operator, { acteurId: town.hall.id, id: draft.id })
  const person = await insertPublished(db, { acteur_id: town.hall.id, title: 'Zoé', individual: true })
  const made = [draft, person].map(({ id }) => ['act.published', id])
  for (const hook of [own, all]) expect(await eventsOf(hook)).toEqual(made)
  expect(await eventsOf(foreign)).toEqual([])
  await send()
  expect(receiver.received[0]?.body).toMatchObject({
    type: 'act.published',
    data: { id: draft.id, url: `https://parvis.example/api/v1/acts/${draft.id}` },
  })
  expect(JSON.stringify(receiver.received)).not.toContain('Zoé')
})

test('a merge moves webhooks to the target, whose owners then manage them', async () => {
  const merged = await openAssociation(world)
  const target = await openAssociation(world)
  const id = await webhook(`/me/acteurs/${merged.acteur.id}/webhooks`, merged.asOwner)
  const { status, text } = await admin.post(`/admin/acteurs/${merged.acteur.id}/merge`, {
    into: target.acteur.id,
  })
  expect(status, text).toBeLessThan(300)
  await moveAll(
    { ...world, modules: [] },
    { id: merged.acteur.id, author: { user: null, source: null, requestId: null } },
    signal,
  )
  expect((await target.asOwner.get(`/me/acteurs/${target.acteur.id}/webhooks`)).body.data).toMatchObject([
    { id },
  ])
  const { id: publication } = await insertPublication(world, { acteur_id: target.acteur.id })
  expect(await eventsOf(id)).toEqual([['publication.published', publication]])
})

test('an acteur that was deleted tells that its publications are gone, and its webhooks end after three days', async () => {
  const gone = await openAssociation(world)
  const id = await webhook(`/me/acteurs/${gone.acteur.id}/webhooks`, gone.asOwner)
  const { id: publication } = await insertPublication(world, { acteur_id: gone.acteur.id })
  expect((await admin.delete(`/admin/acteurs/${gone.acteur.id}`)).status).toBe(200)
  expect(await eventsOf(id)).toEqual([
    ['publication.published', publication],
    ['publication.withdrawn', publication],
  ])
  expect(await gone.asOwner.get(`/me/acteurs/${gone.acteur.id}/webhooks`)).toBeError(404, 'not_found')
  const kept = await webhook('/admin/webhooks', admin)
  await sweep()
  await sql`update acteurs set deleted_at = now() - interval '4 days' where id = ${gone.acteur.id}`.execute(
    db,
  )
  await sweep()
  const { rows } = await sql`select id from webhooks`.execute(db)
  expect(rows).toEqual([{ id: kept }])
})

test('the sweep deletes deliveries after 30 days, and gives up what waits three days for a disabled webhook', async () => {
  const id = await webhook('/admin/webhooks', admin)
  await insertPublication(world)
  await insertPublication(world)
  await admin.patch(`/admin/webhooks/${id}`, { enabled: false })
  const age = (days: number, column: string) =>
    sql`update webhook_deliveries set ${sql.ref(column)} = now() - make_interval(days => ${days}::int)
      where number = (select min(number) from webhook_deliveries)`.execute(db)
  await age(4, 'at')
  await sweep()
  const states = async () =>
    (await admin.get(`/admin/webhooks/${id}/deliveries`)).body.data.map(
      ({ state }: { state: string }) => state,
    )
  expect(await states()).toEqual(['waiting', 'failed'])
  await age(31, 'ended_at')
  await sweep()
  expect(await states()).toEqual(['waiting'])
})

test('without a webhook that is enabled, no delivery is written', async () => {
  const id = await webhook('/admin/webhooks', admin)
  await admin.patch(`/admin/webhooks/${id}`, { enabled: false })
  await insertPublication(world)
  await admin.patch(`/admin/communes/${town.commune.id}`, { nom: 'Autre' })
  expect(await eventsOf(id)).toEqual([])
})

const sweep = () =>
  sweepHandler({ ...world, clock: () => new Date() } as never).perform({}, { id: '', attempt: 1, signal })
