import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openSession } from '../../../test/support/sessions.ts'
import { openWorld } from '../../../test/support/world.ts'
import { insertAlerte } from '../alertes/queries.ts'
import { messagesKit } from '../messages/messages.test-kit.ts'
import { applyEvent } from '../payments/effects/rules.ts'
import { insertEvent, newEvent } from '../payments/inbox/rules.ts'
import { event, subscriptionObject } from '../payments/payments.test-kit.ts'
import { insertPublication } from '../publications/publications.test-kit.ts'
import { listen } from './events.test-kit.ts'

const world = await openWorld()
const { as, user, db, post } = world
const admin = await as('admin')
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
const somebody = async (...roles: Parameters<typeof as>) => user({ roles })

test('GET /admin/events returns a stream that proxies do not buffer, and frees its slot', async () => {
  const { token } = await somebody('admin')
  const one = await listen(world, bearer(token))
  expect(one.response.status).toBe(200)
  expect(one.response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
  expect(one.response.headers.get('x-accel-buffering')).toBe('no')
  await one.until('it is open', () => one.lastId() !== '')
  expect(world.app.limits.reads.load.signedIn.running).toBe(0)
  await one.leave()
})

test('clients on two instances are notified of a change in the areas of their role', async () => {
  const another = await openWorld({ database: world.database })
  const moderator = await listen(another, bearer((await somebody('moderator')).token))
  const support = await listen(world, bearer((await somebody('support')).token))
  await moderator.until('it is open', () => moderator.lastId() !== '')
  await support.until('it is open', () => support.lastId() !== '')
  const { id } = await insertPublication(world)
  await admin.patch(`/admin/publications/${id}/feature`, { en_avant: true })
  await post(`/publications/${id}/report`, {})
  await moderator.until('it is notified of reports', () => moderator.topics().includes('reports'))
  expect(new Set(moderator.topics())).toEqual(new Set(['publications', 'reports']))
  await post('/support/messages', { email: 'a@example.org', subject: 'Bac', body: 'Bonjour' })
  await support.until('it is notified of threads', () => support.topics().includes('threads'))
  expect(new Set(support.topics())).toEqual(new Set(['threads']))
  await Promise.all([moderator.leave(), support.leave()])
})

test('notifies of a change of an alert and of a publication type', async () => {
  const one = await listen(world, bearer((await somebody('admin')).token))
  await one.until('it is open', () => one.lastId() !== '')
  const type = await admin.post('/admin/publication-types', { libelle: 'Brocante' })
  expect(type.status).toBe(201)
  await one.until('it is notified of types', () => one.topics().includes('reference'))
  const commune_id = (await world.commune()).id
  const values = { titre: 'Chaleur', message: 'Jusqu’à jeudi.', niveau: 'attention' as const, commune_id }
  const alerte = await insertAlerte(db, { id: crypto.randomUUID(), ...values })
  expect((await admin.patch(`/admin/alertes/${alerte.id}`, { titre: 'Canicule' })).status).toBe(200)
  await one.until('it is notified of alerts', () => one.topics().includes('alertes'))
  await one.leave()
})

test('notifies of pending work that changes without an audit entry', async () => {
  const one = await listen(world, bearer((await somebody('admin')).token))
  await one.until('it is open', () => one.lastId() !== '')
  await sql`
    insert into payment_events (id, type, occurred_at, fields, status, error, ended_at)
    values ('evt_events', 'invoice.paid', now(), '{}', 'failed', 'x', now())`.execute(db)
  await one.until('it is notified', () => one.topics().includes('payment_events'))
  await one.leave()
})

test('notifies of threads when the mail of a reply changes state', async () => {
  const kit = messagesKit(world, await as('support'))
  const id = await kit.reply(await kit.thread())
  const one = await listen(world, bearer((await somebody('support')).token))
  await one.until('it is open', () => one.lastId() !== '')
  for (const state of ['sending', 'sent']) {
    const heard = one.topics().length
    await sql`update support_messages set email_status = ${state}, email_status_at = now() where id = ${id}`.execute(
      db,
    )
    await one.until(`it hears that it is ${state}`, () => one.topics().slice(heard).includes('threads'))
  }
  await one.leave()
})

test('notifies of claims and mails when the mail of a decision changes state, and of what an erasure changes', async () => {
  const { id } = await world.acteur()
  const claim = { acteur_id: id, message: 'Bonjour', email: 'odile@example.org' }
  const made = (await post('/claims', claim)).body.data.id
  expect((await admin.patch(`/admin/claims/${made}`, { status: 'rejected' })).status).toBe(200)
  const one = await listen(world, bearer((await somebody('admin')).token))
  await one.until('it is open', () => one.lastId() !== '')
  const hears = async (name: string, topics: string[], change: () => Promise<unknown>) => {
    const heard = one.topics().length
    await change()
    await one.until(name, () => topics.every((topic) => one.topics().slice(heard).includes(topic)))
  }
  await hears('it hears of the mail', ['claims', 'mails'], () =>
    sql`update claims set email_status = 'failed', email_status_at = now() where id = ${made}`.execute(db),
  )
  await hears('it hears of the erasure', ['claims', 'threads', 'users'], () =>
    admin.post('/admin/people/erase', { email: 'odile@example.org' }),
  )
  await one.leave()
})

test('notifies of a payment event that a job has applied', async () => {
  const object = subscriptionObject()
  const body = event('customer.subscription.updated', object)
  await insertEvent(db, newEvent(body, new Date()))
  const one = await listen(world, bearer((await somebody('admin')).token))
  await one.until('it is open', () => one.lastId() !== '')
  await applyEvent(db, body.id)
  await one.until('it is notified', () => one.topics().includes('subscriptions'))
  expect(one.topics()).toContain('payment_events')
  await one.leave()
})

/** Changes a publication while an entry with a smaller number is not committed yet. */
async function changeLate(id: string) {
  const tx = await db.startTransaction().execute()
  await sql`
    insert into audit_log (id, action, entity, entity_id) values (gen_random_uuid(), 'claim.late', 'claim', 'x')`.execute(
    tx,
  )
  await admin.patch(`/admin/publications/${id}/feature`, { en_avant: true })
  return tx
}

test('notifies of an entry with a smaller id than those already read', async () => {
  const one = await listen(world, bearer((await somebody('admin')).token))
  await one.until('it is open', () => one.lastId() !== '')
  const { id } = await insertPublication(world)
  const tx = await changeLate(id)
  await one.until('it is notified of the other change', () => one.topics().includes('publications'))
  expect(one.topics()).not.toContain('claims')
  await tx.commit().execute()
  await one.until('the late listener is notified', () => one.topics().includes('claims'))
  await one.leave()
})

test('notifies of a change that was under way when the first client subscribed', async () => {
  const { id } = await insertPublication(world)
  const tx = await changeLate(id)
  const one = await listen(world, bearer((await somebody('admin')).token))
  await one.until('it is open', () => one.lastId() !== '')
  await tx.commit().execute()
  await one.until('it is notified', () => one.topics().includes('claims'))
  expect(one.topics()).not.toContain('publications')
  await one.leave()
})

test('a client that reconnects after a gap gets an event to reload everything', async () => {
  const headers = bearer((await somebody('admin')).token)
  const one = await listen(world, headers)
  await one.until('it is open', () => one.lastId() !== '')
  const id = one.lastId()
  await one.leave()
  const same = await listen(world, { ...headers, 'last-event-id': id })
  await same.until('it is open', () => same.lastId() !== '')
  expect(same.received.text).not.toContain('resync')
  await same.leave()
  const made = await insertPublication(world)
  await admin.patch(`/admin/publications/${made.id}/feature`, { en_avant: true })
  // The instance that it left may not have noticed yet, and would send what it missed instead.
  const another = await openWorld({ database: world.database })
  for (const missed of [id, 'nonsense']) {
    const again = await listen(another, { ...headers, 'last-event-id': missed })
    await again.until('it is notified of the gap', () => again.received.text.includes('event: resync'))
    await again.leave()
  }
})

test('more changes than one read returns are reported as a gap', async () => {
  const one = await listen(world, bearer((await somebody('admin')).token))
  await one.until('it is open', () => one.lastId() !== '')
  await sql`
    insert into audit_log (id, action, entity, entity_id)
    select gen_random_uuid(), 'claim.many', 'claim', n::text from generate_series(1, 1500) n`.execute(db)
  await one.until('it is notified of the gap', () => one.received.text.includes('event: resync'))
  await one.leave()
})

test('the stream ends when the roles change, the account is disabled or the session ends', async () => {
  const [changed, disabled, signedOut] = [
    await somebody('admin'),
    await somebody('moderator'),
    await somebody('moderator'),
  ]
  const stays = await listen(world, bearer((await somebody('admin')).token))
  const { id, headers } = await openSession(db, signedOut.id)
  const listeners = [
    await listen(world, bearer(changed.token)),
    await listen(world, bearer(disabled.token)),
    await listen(world, headers),
  ]
  for (const one of listeners) await one.until('it is open', () => one.lastId() !== '')
  await db.deleteFrom('user_roles').where('user_id', '=', changed.id).execute()
  await db.updateTable('users').set({ actif: false }).where('id', '=', disabled.id).execute()
  await db.updateTable('sessions').set({ ended_at: new Date() }).where('id', '=', id).execute()
  for (const one of listeners) await one.over()
  expect(stays.received.isOver).toBe(false)
  await stays.leave()
})

test('a stop closes all streams immediately, and the service does not wait for them', async () => {
  const another = await openWorld({ database: world.database })
  const one = await listen(another, bearer((await somebody('admin')).token))
  await one.until('it is open', () => one.lastId() !== '')
  another.app.drain.announce()
  await one.over()
  const late = await listen(another, bearer((await somebody('admin')).token))
  expect(late.response.status).toBe(503)
  await another.app.drain.finish(60_000)
})

test('GET /admin/events returns 401 without a token and 403 without a role', async () => {
  expect((await listen(world, {})).response.status).toBe(401)
  expect((await listen(world, bearer((await user()).token))).response.status).toBe(403)
})
