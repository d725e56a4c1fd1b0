import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Registry } from 'prom-client'
import { afterAll, expect, test } from 'vitest'
import { openWorld } from '../../../../test/support/world.ts'
import { uuidv7 } from '../../../platform/formats/uuid.ts'
import { countEvent, paymentEvents, paymentsMetrics } from '../metrics.ts'
import { applyNow, event, knownSubscription, provider, subscriptionObject } from '../payments.test-kit.ts'

const folder = mkdtempSync(join(tmpdir(), 'parvis-plans-'))
afterAll(() => rmSync(folder, { recursive: true }))
const plansFile = join(folder, 'plans.json')
const plans = {
  commerce: { plan: 'commerce', label: 'Commerce' },
  commerce_annuel: { plan: 'commerce', label: 'Commerce' },
  association: { plan: 'association', label: 'Association' },
}
writeFileSync(plansFile, JSON.stringify(plans))

const world = await openWorld({ env: { PLANS_FILE: plansFile } })
const { acteur, as, db } = world
const admin = await as('admin')

const ofPrice = (lookup_key: string, values: object = {}) => ({
  ...values,
  items: { data: [{ current_period_end: 1_797_592_000, price: { id: 'price_1', lookup_key } }] },
})
const said = (acteurId: string) => ({ metadata: { acteur_id: acteurId } })
const path = (id: string) => `/admin/subscriptions/${id}`
const idsOf = async (query: string): Promise<string[]> =>
  (await admin.get(`/admin/subscriptions?${query}`)).body.data.map(({ id }: { id: string }) => id)

test('GET /admin/subscriptions returns 200 with plan and acteur of each subscription', async () => {
  const club = await acteur({ nom: 'Pétanque' })
  const id = await knownSubscription(db, {
    ...ofPrice('commerce_annuel', said(club.id)),
    id: 'sub_whole',
    customer: 'cus_whole',
    trial_end: 1_795_500_000,
    cancel_at_period_end: true,
  })
  const { status, body } = await admin.get(`/admin/subscriptions?ids=${id}`)
  expect(status).toBe(200)
  expect(body.meta).toEqual({ current_page: 1, last_page: 1, per_page: 25, total: 1, next: null })
  expect(body.data).toEqual([
    {
      id,
      acteur_id: club.id,
      acteur: { id: club.id, nom: 'Pétanque' },
      plan: 'commerce',
      label: 'Commerce',
      status: 'active',
      provider_customer_id: 'cus_whole',
      provider_subscription_id: 'sub_whole',
      current_period_start: null,
      current_period_end: '2026-12-18T11:06:40.000Z',
      cancel_at_period_end: true,
      canceled_at: null,
      trial_end: '2026-11-24T06:00:00.000Z',
      version: expect.any(Number),
      created_at: expect.any(String),
      updated_at: expect.any(String),
      can: ['edit'],
    },
  ])
})

test('GET /admin/subscriptions filters by several statuses, plans and acteurs, and sorts', async () => {
  const club = await acteur()
  const made: string[] = []
  for (const [price, status, end] of [
    ['commerce', 'active', 3],
    ['commerce_annuel', 'past_due', 1],
    ['association', 'active', null],
    ['unlisted', 'canceled', 2],
  ] as const) {
    const object = ofPrice(price, { status, ...said(club.id) })
    object.items.data[0] = { ...object.items.data[0], current_period_end: end } as never
    made.push(await knownSubscription(db, object))
  }
  const [a = '', b = '', c = '', d = ''] = made
  const mine = (query: string) => idsOf(`acteur_id=${club.id}&${query}`)
  expect(await mine('')).toEqual([d, c, b, a])
  expect(await mine('status=active')).toEqual([c, a])
  expect(await mine('status=past_due,canceled')).toEqual([d, b])
  expect(await mine('plan=commerce')).toEqual([b, a])
  expect(await mine('plan=association,unlisted')).toEqual([d, c])
  // A price that belongs to a plan is not a plan itself.
  expect(await mine('plan=commerce_annuel')).toEqual([])
  expect(await mine('plan=commerce&status=active')).toEqual([a])
  expect(await mine('sort=created_at_asc')).toEqual([a, b, c, d])
  expect(await mine('sort=status_asc')).toEqual([a, c, d, b])
  expect(await mine('sort=status_desc')).toEqual([b, d, c, a])
  expect(await mine('sort=current_period_end_asc')).toEqual([b, d, a, c])
  expect(await mine('sort=current_period_end_desc')).toEqual([a, d, b, c])
  expect(await idsOf(`ids=${a},${d}&status=active`)).toEqual([a])
  expect(await mine('per_page=2&page=2')).toEqual([b, a])
})

test.each(['status=gone', 'sort=plan_asc', 'ids=1', 'page=0', 'acteur_id=x', 'nom=x'])(
  'GET /admin/subscriptions?%s returns 422',
  async (query) => {
    expect(await admin.get(`/admin/subscriptions?${query}`)).toBeError(422, 'validation_failed')
  },
)

test('PATCH /admin/subscriptions/{id} returns 200: the assignment overrides events until it is cleared', async () => {
  const [one, other] = [await acteur(), await acteur()]
  const object = subscriptionObject(said(one.id))
  await applyNow(db, event('customer.subscription.created', object))
  const [id = ''] = await idsOf(`acteur_id=${one.id}`)
  const set = await admin.patch(path(id), { acteur_id: other.id.toUpperCase() })
  expect(set.status).toBe(200)
  expect(set.body.data).toMatchObject({ acteur_id: other.id, acteur: { id: other.id }, plan: 'commerce' })
  expect(set.headers.get('etag')).toBe(`"${set.body.data.version}"`)
  await applyNow(db, event('customer.subscription.updated', object, { created: 1_795_200_000 }))
  expect(await idsOf(`acteur_id=${other.id}`)).toEqual([id])
  const back = await admin.patch(path(id), { acteur_id: null })
  expect(back.body.data).toMatchObject({ acteur_id: one.id })
  const actions = db.selectFrom('audit_log').select(['action', 'before', 'after']).where('entity_id', '=', id)
  expect(await actions.orderBy('at').execute()).toEqual([
    {
      action: 'subscription.assign',
      before: { acteur_id: one.id, acteur_set: null },
      after: { acteur_id: other.id, acteur_set: other.id },
    },
    {
      action: 'subscription.assign',
      before: { acteur_id: other.id, acteur_set: other.id },
      after: { acteur_id: one.id, acteur_set: null },
    },
  ])
})

test('PATCH /admin/subscriptions/{id} returns 412 for an outdated version, and 404 and 422', async () => {
  const id = await knownSubscription(db)
  const { id: acteur_id } = await acteur()
  const past = { headers: { 'if-match': '"1"' } }
  expect(await admin.patch(path(id), { acteur_id }, past)).toBeError(412, 'precondition_failed')
  const now = { headers: { 'if-match': '"2"' } }
  expect((await admin.patch(path(id), { acteur_id }, now)).status).toBe(200)
  expect(await admin.patch(path(uuidv7()), { acteur_id })).toBeError(404, 'not_found')
  for (const body of [{}, { acteur_id: uuidv7() }, { acteur_id: 'x' }, { acteur_id, status: 'active' }])
    expect(await admin.patch(path(id), body)).toBeError(422, 'validation_failed')
  for (const role of ['moderator', 'support'] as const)
    expect(await (await as(role)).patch(path(id), { acteur_id })).toBeError(403, 'admin_required')
})

test('concurrent events do not overwrite an assignment', async () => {
  const clubs = await Promise.all([1, 2, 3].map(() => acteur()))
  const object = subscriptionObject()
  const id = await knownSubscription(db, object)
  const later = (index: number) =>
    event(
      'customer.subscription.updated',
      { ...object, ...said(clubs[index % 3]?.id ?? '') },
      { created: 1_795_200_000 + index },
    )
  await Promise.all([
    ...Array.from({ length: 12 }, (_, index) => applyNow(db, later(index))),
    ...clubs.map(({ id: acteur_id }) => admin.patch(path(id), { acteur_id })),
  ])
  const set = clubs[1]?.id ?? ''
  await Promise.all([
    ...Array.from({ length: 12 }, (_, index) => applyNow(db, later(20 + index))),
    admin.patch(path(id), { acteur_id: set }),
  ])
  expect((await admin.get(`/admin/subscriptions?ids=${id}`)).body.data).toMatchObject([{ acteur_id: set }])
})

test('an acteur shows its current subscription: best status, then newest, none that ended', async () => {
  const club = await acteur()
  const shown = async () => (await admin.get(`/admin/acteurs/${club.id}`)).body.data.subscription
  expect(await shown()).toBeNull()
  for (const [status, price, serves] of [
    ['canceled', 'commerce', null],
    ['incomplete', 'commerce', 'incomplete'],
    ['past_due', 'unlisted', 'past_due'],
    ['active', 'commerce_annuel', 'active'],
    ['trialing', 'association', 'active'],
    ['incomplete_expired', 'association', 'active'],
  ] as const) {
    await knownSubscription(db, ofPrice(price, { status, ...said(club.id) }))
    expect((await shown())?.status ?? null).toBe(serves)
  }
  const current = {
    plan: 'commerce',
    label: 'Commerce',
    status: 'active',
    current_period_end: '2026-12-18T11:06:40.000Z',
  }
  expect(await shown()).toEqual(current)
  const listed = await admin.get(`/admin/acteurs?ids=${club.id}`)
  expect(listed.body.data).toMatchObject([{ id: club.id, subscription: current }])
  const changed = await admin.patch(`/admin/acteurs/${club.id}/badge`, { badge: 'Or' })
  expect(changed.body.data).toMatchObject({ badge: 'Or', subscription: current })
})

test('GET /admin/dashboard shows the plans with their counts and the log of events', async () => {
  const own = await openWorld({ env: { PLANS_FILE: plansFile } })
  const admin = await own.as('admin')
  for (const [price, status] of [
    ['commerce', 'active'],
    ['commerce_annuel', 'trialing'],
    ['commerce', 'canceled'],
    ['unlisted', 'active'],
  ] as const)
    await knownSubscription(own.db, ofPrice(price, { status }))
  const waiting = event('customer.subscription.updated')
  await provider(own).deliver(waiting)
  const { body } = await admin.get('/admin/dashboard')
  expect(body.subscription_plans).toEqual([
    { plan: 'commerce', label: 'Commerce', active: 2 },
    { plan: 'association', label: 'Association', active: 0 },
    { plan: 'unlisted', label: 'unlisted', active: 1 },
  ])
  expect(body.subscription_logs).toMatchObject({ failed: 0, oldest_unprocessed_at: expect.any(String) })
  expect(body.subscription_logs.latest).toHaveLength(5)
  expect(body.subscription_logs.latest[0]).toEqual({
    event_id: waiting.id,
    type: waiting.type,
    status: 'received',
    error: null,
    at: body.subscription_logs.oldest_unprocessed_at,
  })
})

test('metrics count events and their results, and the age of the oldest waiting one', async () => {
  const registry = new Registry()
  registry.registerMetric(paymentEvents)
  paymentsMetrics(registry, { reads: db })
  const value = async (name: string, outcome?: string) => {
    const found = (await registry.getSingleMetric(name)?.get())?.values
    return found?.find(({ labels }) => outcome === undefined || labels.outcome === outcome)?.value ?? 0
  }
  const outcomes = ['received', 'duplicate', 'refused', 'ignored', 'failed']
  const counts = () => Promise.all(outcomes.map((outcome) => value('payment_events_total', outcome)))
  const before = await counts()
  const { deliver } = provider(world)
  const body = event('customer.subscription.updated')
  await deliver(body)
  await deliver(body)
  await deliver(event('customer.updated'))
  await deliver(body, { secret: 'whsec_of_somebody_else' })
  countEvent('failed')
  expect((await counts()).map((count, index) => count - (before[index] ?? 0))).toEqual([2, 1, 1, 1, 1])
  expect(await value('payment_oldest_unprocessed_seconds')).toBeGreaterThan(0)
})
