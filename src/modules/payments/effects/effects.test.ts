import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { untilWaiting } from '../../../../test/support/locks.ts'
import { openWorld, run } from '../../../../test/support/world.ts'
import { uuidv7 } from '../../../platform/formats/uuid.ts'
import { until } from '../../../platform/jobs/jobs.test-kit.ts'
import { insertEvent, newEvent } from '../inbox/rules.ts'
import { subscriptionStatuses } from '../kinds.ts'
import { applyNow, event, provider, subscriptionObject } from '../payments.test-kit.ts'
import { applyEventHandler, applyEventJob } from './jobs.ts'
import { applyEvent } from './rules.ts'

const world = await openWorld()
const { db, acteur, log, runJobs, database } = world
const { deliver } = provider(world)

const find = (object: Record<string, unknown>) =>
  db
    .selectFrom('subscriptions')
    .selectAll()
    .where('provider_subscription_id', '=', String(object.id))
    .executeTakeFirst()
const eventOf = (id: string) =>
  db.selectFrom('payment_events').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const seconds = (time: number) => new Date(time * 1_000)
const checkout = (values: Record<string, unknown>) => event('checkout.session.completed', values)
const { signal } = new AbortController()
const attemptAt = (eventId: string, attempt: number) =>
  applyEventHandler({ db, log }).perform({ eventId }, { id: 'job', attempt, signal })

test('an event takes effect once, and a second attempt reports that', async () => {
  const body = event('customer.subscription.created', subscriptionObject())
  await insertEvent(db, newEvent(body, new Date()))
  expect([await applyEvent(db, body.id), await applyEvent(db, body.id)]).toEqual([true, false])
})

test('a delivered event takes effect through a job', async () => {
  await runJobs()
  const object = subscriptionObject()
  const body = event('customer.subscription.created', object)
  await deliver(body)
  await until('it is processed', async () => (await eventOf(body.id)).status === 'processed')
  expect(await eventOf(body.id)).toMatchObject({ tries: 1, error: null, ended_at: expect.any(Date) })
  expect(await find(object)).toMatchObject({
    provider_customer_id: object.customer,
    price: 'commerce',
    status: 'active',
    current_period_start: seconds(1_795_000_000),
    current_period_end: seconds(1_797_592_000),
    cancel_at_period_end: false,
    canceled_at: null,
    trial_end: null,
    acteur_id: null,
    version: 2,
  })
})

test.each(subscriptionStatuses)('stores the status %s', async (status) => {
  const object = subscriptionObject({ status })
  await applyNow(db, event('customer.subscription.updated', object))
  expect(await find(object)).toMatchObject({ status })
})

test('reads payloads from before March 2025, customers as objects, and prices without a key', async () => {
  const object = subscriptionObject({
    customer: { id: 'cus_expanded', email: 'odile@example.org' },
    items: { data: [{ price: { id: 'price_old', lookup_key: null } }] },
    current_period_start: 1_700_000_000,
    current_period_end: 1_702_592_000,
    trial_end: 1_701_000_000,
    cancel_at_period_end: true,
  })
  await applyNow(db, event('customer.subscription.updated', object))
  expect(await find(object)).toMatchObject({
    provider_customer_id: 'cus_expanded',
    price: 'price_old',
    current_period_start: seconds(1_700_000_000),
    current_period_end: seconds(1_702_592_000),
    trial_end: seconds(1_701_000_000),
    cancel_at_period_end: true,
  })
})

test('a subscription without cancel_at_period_end does not end with its period', async () => {
  const { cancel_at_period_end: _, ...object } = subscriptionObject()
  await applyNow(db, event('customer.subscription.created', object))
  expect(await find(object)).toMatchObject({ cancel_at_period_end: false })
})

test("a deleted subscription is canceled, at the event's time when it has none of its own", async () => {
  const object = subscriptionObject()
  await applyNow(db, event('customer.subscription.deleted', object, { created: 1_795_200_000 }))
  const canceled = { status: 'canceled', canceled_at: seconds(1_795_200_000) }
  expect(await find(object)).toMatchObject(canceled)
  await applyNow(db, event('customer.subscription.updated', object, { created: 1_795_300_000 }))
  expect(await find(object)).toMatchObject(canceled)
})

test('invoices create log rows and no subscription', async () => {
  for (const type of ['paid', 'payment_failed', 'payment_action_required', 'finalization_failed']) {
    const parent = { subscription_details: { subscription: `sub_of_${type}`, metadata: {} } }
    const body = event(`invoice.${type}`, { id: 'in_1', customer: 'cus_1', parent })
    await applyNow(db, body)
    expect(await eventOf(body.id)).toMatchObject({
      status: 'processed',
      fields: { subscription: `sub_of_${type}`, customer: 'cus_1' },
    })
    expect(await find({ id: `sub_of_${type}` })).toBeUndefined()
  }
})

test('takes the acteur from the subscription, else from its checkout, else from its customer', async () => {
  const [own, paid, known] = [(await acteur()).id, (await acteur()).id, (await acteur()).id]
  const object = subscriptionObject()
  const { id: subscription, customer } = object
  const acteurOf = async () => (await find(object))?.acteur_id
  await applyNow(db, event('customer.subscription.created', object))
  expect(await acteurOf()).toBeNull()
  // Another subscription of the customer names the customer's acteur.
  const other = subscriptionObject({ customer, metadata: { acteur_id: known } })
  await applyNow(db, event('customer.subscription.created', other))
  expect(await acteurOf()).toBe(known)
  await applyNow(db, checkout({ subscription, customer: null, metadata: { acteur_id: paid } }))
  expect(await acteurOf()).toBe(paid)
  const said = { ...object, metadata: { acteur_id: own.toUpperCase() } }
  await applyNow(db, event('customer.subscription.updated', said, { created: 1_795_100_001 }))
  expect(await acteurOf()).toBe(own)
  // No longer named.
  await applyNow(db, event('customer.subscription.updated', object, { created: 1_795_100_002 }))
  expect(await acteurOf()).toBe(paid)
})

test("a payment without a subscription names the customer's acteur, also for later events", async () => {
  const { id } = await acteur()
  const object = subscriptionObject()
  await applyNow(db, checkout({ customer: object.customer, metadata: { acteur_id: id } }))
  await applyNow(db, event('customer.subscription.created', object))
  expect(await find(object)).toMatchObject({ acteur_id: id })
})

test('an acteur set for a customer applies to a subscription that a concurrent event creates', async () => {
  const { id } = await acteur()
  const object = subscriptionObject()
  const made = event('customer.subscription.created', object)
  const paid = checkout({ customer: object.customer, metadata: { acteur_id: id } })
  for (const body of [made, paid]) await insertEvent(db, newEvent(body, new Date()))
  const effects = await db.transaction().execute(async (tx) => {
    // Their ends wait for this lock.
    await sql`lock table payment_events in share row exclusive mode`.execute(tx)
    const first = applyEvent(db, made.id)
    await untilWaiting(db)
    const second = applyEvent(db, paid.id)
    await untilWaiting(db, 2)
    return [first, second]
  })
  await Promise.all(effects)
  expect(await find(object)).toMatchObject({ acteur_id: id })
})

test('ignores an acteur that does not exist', async () => {
  const { id } = await acteur()
  const object = subscriptionObject({ metadata: { acteur_id: id } })
  const { id: subscription, customer } = object
  await applyNow(db, event('customer.subscription.created', object))
  for (const nobody of [uuidv7(), 'boulangerie', '', 12, null, { id }]) {
    const metadata = { acteur_id: nobody }
    await applyNow(db, checkout({ subscription, customer, metadata }))
    const other = subscriptionObject({ customer, metadata })
    await applyNow(db, event('customer.subscription.created', other))
    expect(await find(other)).toMatchObject({ acteur_id: id })
  }
  expect(await find(object)).toMatchObject({ acteur_id: id })
})

test('a subscription known only from its checkout is shown after its own event', async () => {
  const admin = await world.as('admin')
  const { id: acteur_id } = await acteur()
  const object = subscriptionObject()
  await applyNow(db, checkout({ subscription: object.id, metadata: { acteur_id } }))
  const path = `/admin/subscriptions?acteur_id=${acteur_id}`
  expect((await admin.get(path)).body.data).toEqual([])
  const { id } = (await find(object)) ?? expect.fail('there is none')
  expect(await admin.patch(`/admin/subscriptions/${id}`, { acteur_id })).toBeError(404, 'not_found')
  await applyNow(db, event('customer.subscription.created', object))
  expect((await admin.get(path)).body.data).toMatchObject([{ id, acteur_id, status: 'active' }])
})

test.each([
  ['it has no subscription id', event('customer.subscription.updated', { status: 'active' })],
  ['its status is unknown', event('customer.subscription.updated', subscriptionObject({ status: 'gone' }))],
  ['its status is unknown', event('customer.subscription.deleted', subscriptionObject({ status: 1 }))],
  ['it has no creation time', { ...event('customer.subscription.updated'), created: 'today' }],
  ['it has no creation time', { ...event('customer.subscription.updated'), created: -1 }],
  ['it has no subscription id', { ...event('customer.subscription.updated'), data: null }],
])('%s: the event fails immediately and does not block others', async (error, body) => {
  await deliver(body)
  const object = subscriptionObject()
  const next = event('customer.subscription.created', object)
  await deliver(next)
  await until('both have ended', async () => {
    const [one, other] = await Promise.all([eventOf(body.id), eventOf(next.id)])
    return one.ended_at !== null && other.ended_at !== null
  })
  expect(await eventOf(body.id)).toMatchObject({ status: 'failed', tries: 1, error })
  expect(await eventOf(next.id)).toMatchObject({ status: 'processed' })
})

test('retries failures of the service nine times within about an hour, then gives up', async () => {
  await run(
    database.owner,
    `alter table subscriptions add constraint not_this_one check (provider_subscription_id <> 'sub_of_bad_luck')`,
  )
  const body = event('customer.subscription.updated', subscriptionObject({ id: 'sub_of_bad_luck' }))
  await applyNow(db, body).catch(() => {})
  const error = 'the database refused (23514, not_this_one)'
  for (let attempt = 1; attempt <= 8; attempt++) {
    await expect(attemptAt(body.id, attempt)).rejects.toThrow()
    expect(await eventOf(body.id)).toMatchObject({
      status: 'received',
      tries: attempt,
      error,
      ended_at: null,
    })
  }
  await attemptAt(body.id, 9)
  expect(await eventOf(body.id)).toMatchObject({ status: 'failed', tries: 9, error })
  // A further attempt by a retried job changes nothing.
  await attemptAt(body.id, 9)
  expect(await eventOf(body.id)).toMatchObject({ status: 'failed', tries: 9, error })
  const { backoffSeconds, retries } = applyEventJob.settings
  const waits = Array.from({ length: retries }, (_, index) => backoffSeconds * 2 ** index)
  expect(waits.reduce((sum, wait) => sum + wait) / 3_600).toBeCloseTo(1, 0)
})
