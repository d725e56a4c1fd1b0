import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { untilWaiting } from '../../../test/support/locks.ts'
import { openWorld } from '../../../test/support/world.ts'
import { uuidv7 } from '../../platform/formats/uuid.ts'
import { until } from '../../platform/jobs/jobs.test-kit.ts'
import { lockEffects } from './effects/queries.ts'
import { applyEvent } from './effects/rules.ts'
import { replayFailed } from './failures/rules.ts'
import { emptyEvents } from './module.ts'
import {
  applyNow,
  event,
  failedEvent,
  knownSubscription,
  provider,
  subscriptionObject,
} from './payments.test-kit.ts'

const world = await openWorld()
const { as, acteur, db, jobs, client, user } = world
const { deliver } = provider(world)
const admin = await as('admin')

const replay = (id: string, by = admin) => by.post(`/admin/payment-events/${id}/replay`)
const stored = (id: string) =>
  db.selectFrom('payment_events').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const subscriptionOf = (providerId: unknown) =>
  db
    .selectFrom('subscriptions')
    .selectAll()
    .where('provider_subscription_id', '=', String(providerId))
    .executeTakeFirst()
const jobsOf = async (id: string) => {
  const { rows } = await sql`
    select id from pgboss.job where name = 'payments.apply-event' and data ->> 'eventId' = ${id}`.execute(db)
  return rows.length
}
const auditEntries = (id: string) =>
  db.selectFrom('audit_log').selectAll().where('entity_id', '=', id).orderBy('seq').execute()
const idsIn = ({ body }: { body: { data: { id: string }[] } }) => body.data.map(({ id }) => id)

test('GET /admin/subscriptions/{id} returns 200 with whose it is and whether an administrator set it', async () => {
  const club = await acteur({ nom: 'Pétanque' })
  const id = await knownSubscription(db)
  const path = `/admin/subscriptions/${id}`
  const before = await admin.get(path)
  expect(before.status).toBe(200)
  expect(before.body.data).toMatchObject({ id, acteur: null, acteur_set: null, present: [], can: ['edit'] })
  expect(before.headers.get('etag')).toBe(`"${before.body.data.version}"`)
  await admin.patch(path, { acteur_id: club.id })
  expect((await admin.get(path)).body.data).toMatchObject({
    acteur: { id: club.id, nom: 'Pétanque' },
    acteur_set: club.id,
  })
})

test('GET /admin/subscriptions/{id} and its events return 404 for an unknown one and one known only from a checkout', async () => {
  await applyNow(
    db,
    event('checkout.session.completed', {
      subscription: 'sub_paid',
      metadata: { acteur_id: (await acteur()).id },
    }),
  )
  const checkout = (await subscriptionOf('sub_paid'))?.id
  for (const id of [uuidv7(), checkout, 'x']) {
    expect(await admin.get(`/admin/subscriptions/${id}`)).toBeError(404, 'not_found')
    expect(await admin.get(`/admin/subscriptions/${id}/events`)).toBeError(404, 'not_found')
  }
})

test('subscription and events return 403 to roles without the area', async () => {
  const id = await knownSubscription(db)
  const failed = await failedEvent(db)
  const support = await as('support')
  for (const path of [
    `/admin/subscriptions/${id}`,
    `/admin/subscriptions/${id}/events`,
    '/admin/payment-events',
  ])
    expect(await support.get(path)).toBeError(403, 'admin_required')
  expect(await replay(failed, support)).toBeError(403, 'admin_required')
  expect((await stored(failed)).status).toBe('failed')
})

test('GET /admin/subscriptions/{id}/events returns 200 with its events only, newest first, by cursor', async () => {
  const club = await acteur({ nom: 'Halles' })
  const object = subscriptionObject({ metadata: { acteur_id: club.id } })
  const made = event('customer.subscription.created', object)
  const invoice = event('invoice.payment_failed', { subscription: object.id, customer: object.customer })
  const late = event('customer.subscription.updated', { ...object, status: 'past_due' })
  for (const [index, body] of [made, invoice].entries()) {
    await applyNow(db, body)
    const received_at = new Date(Date.UTC(2026, 10, 20, 8, index))
    await db.updateTable('payment_events').set({ received_at }).where('id', '=', body.id).execute()
  }
  await failedEvent(db, late)
  await knownSubscription(db)
  const id = (await subscriptionOf(object.id))?.id
  const path = `/admin/subscriptions/${id}/events`
  const { status, body } = await admin.get(path)
  expect(status).toBe(200)
  expect(body.meta.total).toBe(3)
  expect(body.data).toEqual([
    {
      id: late.id,
      type: 'customer.subscription.updated',
      status: 'failed',
      error: 'the database refused',
      tries: 1,
      occurred_at: '2026-11-19T14:53:20.000Z',
      received_at: expect.stringMatching(/Z$/),
      ended_at: expect.stringMatching(/Z$/),
      settled_at: null,
      version: 2,
      updated_at: expect.stringMatching(/Z$/),
      is_kept: true,
      stated_status: 'past_due',
      provider_subscription_id: object.id,
      subscription: { id, acteur: { id: club.id, nom: 'Halles' } },
      can: ['replay', 'settle'],
    },
    expect.objectContaining({ id: invoice.id, status: 'processed', stated_status: null, can: [] }),
    expect.objectContaining({ id: made.id, stated_status: 'active' }),
  ])
  const first = await admin.get(`${path}?per_page=2`)
  const rest = await admin.get(`${path}?per_page=2&after=${first.body.meta.next}`)
  expect([...idsIn(first), ...idsIn(rest)]).toEqual([late.id, invoice.id, made.id])
  expect(idsIn(await admin.get(`${path}?sort=received_at_asc&status=processed`))).toEqual([
    made.id,
    invoice.id,
  ])
  expect(idsIn(await admin.get(`${path}?ids=${made.id},${late.id}&status=failed,received`))).toEqual([
    late.id,
  ])
})

test('GET /admin/payment-events returns 200 with failed events that name no known subscription', async () => {
  const nameless = await failedEvent(db, event('customer.subscription.updated', {}))
  const unknown = await failedEvent(db, event('invoice.paid', { subscription: 'sub_unheard' }))
  const { status, body } = await admin.get(`/admin/payment-events?status=failed&ids=${nameless},${unknown}`)
  expect(status).toBe(200)
  const rows = new Map(body.data.map((row: { id: string }) => [row.id, row]))
  expect(rows.get(nameless)).toMatchObject({ provider_subscription_id: null, subscription: null })
  expect(rows.get(unknown)).toMatchObject({ provider_subscription_id: 'sub_unheard', subscription: null })
})

test('lists of events return 422 for invalid queries', async () => {
  for (const query of ['status=lost', 'ids=a%20b', 'sort=id_asc', 'after=x', 'type=invoice.paid'])
    expect(await admin.get(`/admin/payment-events?${query}`)).toBeError(422, 'validation_failed')
})

test('POST /admin/payment-events/{event_id}/replay returns 200 and queues the event once, audited', async () => {
  const id = await failedEvent(db)
  const admins = await user({ roles: ['admin'] })
  const by = client({ source: 'backoffice', token: admins.token })
  const { status, body } = await replay(id, by)
  expect(status).toBe(200)
  expect(body.data).toMatchObject({ id, status: 'received', error: null, tries: 0, ended_at: null, can: [] })
  const again = await replay(id, by)
  expect([again.status, again.body]).toEqual([200, body])
  expect(await jobsOf(id)).toBe(1)
  expect(await auditEntries(id)).toMatchObject([
    {
      action: 'payment_event.replay',
      entity: 'payment_event',
      user_id: admins.id,
      before: { status: 'failed' },
      after: { status: 'received' },
    },
  ])
  expect((await admin.get('/admin/audit?entity=payment_event')).body.meta.total).toBeGreaterThan(0)
})

test('POST /admin/payment-events/{event_id}/replay returns 409 for events that did not fail or were cleared', async () => {
  const [processed, ignored, cleared] = [
    event('customer.subscription.updated'),
    event('customer.created'),
    event('customer.subscription.updated'),
  ]
  await applyNow(db, processed)
  await deliver(ignored)
  await failedEvent(db, cleared)
  await sql`update payment_events set received_at = now() - interval '2 years' where id = ${cleared.id}`.execute(
    db,
  )
  await emptyEvents(db, 13, 100)
  const [row] = (await admin.get(`/admin/payment-events?ids=${cleared.id}`)).body.data
  expect(row).toMatchObject({ status: 'failed', is_kept: false, can: ['settle'] })
  for (const { id } of [processed, ignored, cleared]) {
    const before = await stored(id)
    expect(await replay(id)).toBeError(409, 'conflict')
    expect(await stored(id)).toEqual(before)
    expect(await auditEntries(id)).toEqual([])
  }
})

test('POST /admin/payment-events/{event_id}/replay returns 404, 412 and 422', async () => {
  for (const id of ['evt_unheard', 'a b', 'x'.repeat(256)])
    expect(await replay(encodeURIComponent(id))).toBeError(404, 'not_found')
  const id = await failedEvent(db)
  const path = `/admin/payment-events/${id}/replay`
  const stale = await admin.send('POST', path, undefined, { headers: { 'if-match': '"9"' } })
  expect(stale).toBeError(412, 'precondition_failed')
  expect(await admin.post(path, { force: true })).toBeError(422, 'validation_failed')
  expect((await stored(id)).status).toBe('failed')
})

test('two replays at once, and one of the operator, enqueue one job and write one audit entry', async () => {
  for (let round = 0; round < 5; round++) {
    const id = await failedEvent(db)
    const answers = await Promise.all([replay(id), replay(id), replayFailed({ db, jobs })])
    expect([answers[0].status, answers[1].status]).toEqual([200, 200])
    expect(await jobsOf(id)).toBe(1)
    expect(await auditEntries(id)).toHaveLength(1)
  }
})

test('a replay that waits for the worker finds the event applied: 409', async () => {
  const body = event('customer.subscription.updated')
  await failedEvent(db, body)
  await replay(body.id)
  const applying = await db.startTransaction().execute()
  await lockEffects(applying)
  await sql`update payment_events set status = 'processed', ended_at = now() where id = ${body.id}`.execute(
    applying,
  )
  const late = replay(body.id)
  await untilWaiting(db)
  await applying.commit().execute()
  expect(await late).toBeError(409, 'conflict')
  expect(await jobsOf(body.id)).toBe(1)
})

test('a worker that waits for a replay applies the event once', async () => {
  const object = subscriptionObject()
  const body = event('customer.subscription.updated', object)
  await failedEvent(db, body)
  const replayed = await Promise.all([replay(body.id), applyEvent(db, body.id), applyEvent(db, body.id)])
  expect(replayed[0].status).toBe(200)
  await applyEvent(db, body.id)
  expect((await stored(body.id)).status).toBe('processed')
  expect(await subscriptionOf(object.id)).toMatchObject({ status: 'active', version: 2 })
})

test('a replayed event takes effect in its order: an older one does not overwrite a newer one', async () => {
  const object = subscriptionObject()
  const older = event(
    'customer.subscription.updated',
    { ...object, status: 'past_due' },
    { created: 1_795_000_000 },
  )
  await failedEvent(db, older)
  await applyNow(db, event('customer.subscription.updated', object, { created: 1_795_000_100 }))
  await replay(older.id)
  expect(await applyEvent(db, older.id)).toBe(true)
  expect(await subscriptionOf(object.id)).toMatchObject({ status: 'active' })
})

test('a delivered event that failed is replayed while its first job is still ending, and takes effect', async () => {
  const object = subscriptionObject()
  const body = event('customer.subscription.updated', object)
  await deliver(body)
  // As the failed attempt leaves it, before its job has ended: the job still holds its key.
  await sql`update payment_events set status = 'failed', error = 'x', tries = 9, ended_at = now() where id = ${body.id}`.execute(
    db,
  )
  expect(await jobsOf(body.id)).toBe(1)
  expect((await replay(body.id)).status).toBe(200)
  expect(await jobsOf(body.id)).toBe(2)
  await world.runJobs()
  await until('it is processed', async () => (await stored(body.id)).status === 'processed')
  expect(await stored(body.id)).toMatchObject({ error: null, tries: 1 })
  expect(await subscriptionOf(object.id)).toMatchObject({ status: 'active', version: 2 })
})

test('a faulty event that is replayed fails again with its reason', async () => {
  const id = await failedEvent(db, event('customer.subscription.updated', {}))
  await world.runJobs()
  expect((await replay(id)).status).toBe(200)
  await until('it has failed', async () => (await stored(id)).status === 'failed')
  const [row] = (await admin.get(`/admin/payment-events?ids=${id}`)).body.data
  expect(row).toMatchObject({ error: 'it has no subscription id', tries: 1, can: ['replay', 'settle'] })
})

test('POST /admin/payment-events/{event_id}/settle ends a failed event, once, and no count has it any more', async () => {
  const counted = async () => (await admin.get('/admin/counts')).body.data.payment_events.count
  const id = await failedEvent(db)
  const before = await counted()
  const settle = (by = admin) => by.post(`/admin/payment-events/${id}/settle`, { reason: 'Client supprimé' })
  expect(await settle(await as('moderator'))).toBeError(403, 'admin_required')
  const answer = await settle()
  expect(answer.status, answer.text).toBe(200)
  expect(answer.body.data).toMatchObject({
    status: 'failed',
    settled_at: expect.any(String),
    can: ['replay'],
  })
  expect(await counted()).toBe(before - 1)
  expect(idsIn(await admin.get(`/admin/payment-events?ids=${id}&settled=false`))).toEqual([])
  expect(await auditEntries(id)).toMatchObject([
    { action: 'payment_event.settle', after: { reason: 'Client supprimé' } },
  ])
  expect(await settle()).toBeError(409, 'conflict')
  // Applied again after all, it is not settled any more.
  expect((await replay(id)).body.data).toMatchObject({ status: 'received', settled_at: null })
})

test('POST /admin/payment-events/{event_id}/settle returns 404 for an unknown event, 422 without a reason', async () => {
  const id = await failedEvent(db)
  const path = `/admin/payment-events/${id}/settle`
  expect(await admin.post('/admin/payment-events/evt_unheard/settle', { reason: 'Vu' })).toBeError(
    404,
    'not_found',
  )
  expect(await admin.post(path, {})).toBeError(422, 'validation_failed')
})
