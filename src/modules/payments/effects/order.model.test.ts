import { expect, test } from 'vitest'
import { fc, propertyRuns } from '../../../../test/support/fast-check.ts'
import { openWorld, run } from '../../../../test/support/world.ts'
import { until } from '../../../platform/jobs/jobs.test-kit.ts'
import { checkoutKind, invoiceKinds, subscriptionKinds, subscriptionStatuses } from '../kinds.ts'
import { applyNow, event, provider, subscriptionObject, type TestEvent } from '../payments.test-kit.ts'
import { isAfter, placeOf } from './order.ts'

const seeds = propertyRuns(1 / 4)

// One world gets everything concurrently, the other each event once and in order.
const [shuffled, inOrder] = [await openWorld(), await openWorld()]
await shuffled.runJobs()
const { deliver } = provider(shuffled)

// The same acteurs in both; effects are counted where they happen.
const acteurs: string[] = []
for (let index = 0; index < 3; index++) {
  const { id } = await shuffled.acteur()
  await inOrder.acteur({ id })
  acteurs.push(id)
}
await run(
  shuffled.database.owner,
  `create table effects (event text);
   create function note_effect() returns trigger language plpgsql security definer as $$
     begin insert into public.effects values (new.id); return null; end $$;
   create trigger note_effect after update on payment_events for each row
     when (old.status is distinct from new.status) execute function note_effect()`,
)

const fewSubscriptions = fc.nat(2)
const fewCustomers = fc.nat(1)
const maybeActeur = fc.option(fc.constantFrom(...acteurs), { freq: 2 })
const told = fc.record({
  type: fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...subscriptionKinds) },
    { weight: 2, arbitrary: fc.constant(checkoutKind) },
    { weight: 1, arbitrary: fc.constantFrom(...invoiceKinds) },
  ),
  // Many equal times.
  second: fc.nat(6),
  subscription: fewSubscriptions,
  customer: fewCustomers,
  acteur: maybeActeur,
  status: fc.constantFrom(...subscriptionStatuses),
  price: fc.constantFrom('commerce', 'association'),
  end: fc.nat(5),
  willEnd: fc.boolean(),
  deliveries: fc.integer({ min: 1, max: 5 }),
})
const history = fc.record({
  events: fc.array(told, { minLength: 1, maxLength: 30 }),
  order: fc.infiniteStream(fc.nat()),
})
type ReadEvent = typeof told extends fc.Arbitrary<infer T> ? T : never

let round = 0

test('repeated, shuffled and concurrent deliveries give the same result as each event once and in order', async () => {
  await fc.assert(
    fc.asyncProperty(history, async ({ events, order }) => {
      round++
      const bodies = events.map(bodyOf)
      const deliveries = shuffle(
        bodies.flatMap((body, index) => Array<TestEvent>(events[index]?.deliveries ?? 1).fill(body)),
        order,
      )
      const answers = await Promise.all(deliveries.map((body) => deliver(body)))
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
      const ids = bodies.map(({ id }) => id)
      await until('all have ended', async () => (await waiting(ids)) === 0, 60_000)
      for (const body of bodies.toSorted(byPlace)) await applyNow(inOrder.db, body)
      const state = await stateIn(shuffled)
      expect(state).toEqual(await stateIn(inOrder))
      expect(statusesIn(state)).toEqual(foldStatuses(bodies.toSorted(byPlace)))
      expect(await effectsOf(ids)).toEqual(ids.toSorted())
    }),
    { numRuns: seeds },
  )
}, 600_000)

function bodyOf(
  { type, second, subscription, customer, acteur, ...said }: ReadEvent,
  index: number,
): TestEvent {
  const [id, cus] = [`sub_${round}_${subscription}`, `cus_${round}_${customer}`]
  const metadata = acteur === null ? {} : { acteur_id: acteur }
  // Ids do not reveal the order of creation.
  const own = { id: `evt_${(index * 7) % 31}_${round}`, created: 1_795_000_000 + second }
  if (type === checkoutKind) return event(type, { subscription: id, customer: cus, metadata }, own)
  const object = subscriptionObject({
    id,
    customer: cus,
    status: said.status,
    cancel_at_period_end: said.willEnd,
    metadata,
    items: {
      data: [{ current_period_end: 1_796_000_000 + said.end, price: { id: 'p', lookup_key: said.price } }],
    },
  })
  return event(type, object, own)
}

function byPlace(one: TestEvent, other: TestEvent): number {
  const [a, b] = [one, other].map((body) => placeOf({ ...body, occurred_at: new Date(body.created * 1_000) }))
  return a && b && isAfter(a, b) ? 1 : -1
}

function shuffle<T>(values: T[], order: fc.Stream<number>): T[] {
  const places = [...order.take(values.length)]
  return values
    .map((value, index) => ({ value, place: places[index] ?? 0 }))
    .sort((one, other) => one.place - other.place)
    .map(({ value }) => value)
}

async function waiting(ids: string[]): Promise<number> {
  const rows = await shuffled.db
    .selectFrom('payment_events')
    .select('id')
    .where('id', 'in', ids)
    .where('status', '=', 'received')
    .execute()
  return rows.length
}

/** Everything the events of this round produced, without timestamps. */
async function stateIn({ db }: typeof shuffled) {
  const rows = await db
    .selectFrom('subscriptions')
    .selectAll()
    .where('provider_subscription_id', 'like', `sub\\_${round}\\_%`)
    .orderBy('provider_subscription_id')
    .execute()
  const customers = await db
    .selectFrom('payment_customers')
    .selectAll()
    .where('id', 'like', `cus\\_${round}\\_%`)
    .orderBy('id')
    .execute()
  return { customers, subscriptions: rows.map(({ id, version, created_at, updated_at, ...row }) => row) }
}

const statusesIn = ({ subscriptions }: Awaited<ReturnType<typeof stateIn>>) =>
  Object.fromEntries(
    subscriptions.flatMap(({ provider_subscription_id: id, status }) =>
      status === null ? [] : [[id, status]],
    ),
  )

/** A simple model: the latest status counts until a final one. */
function foldStatuses(bodies: TestEvent[]): Record<string, unknown> {
  const statuses: Record<string, unknown> = {}
  for (const { type, data } of bodies) {
    const { id, status } = data.object as { id: string; status: string }
    const isOver = (one: unknown) => one === 'canceled' || one === 'incomplete_expired'
    if (!type.startsWith('customer.subscription.') || isOver(statuses[id])) continue
    statuses[id] = type.endsWith('.deleted') && !isOver(status) ? 'canceled' : status
  }
  return statuses
}

async function effectsOf(ids: string[]): Promise<string[]> {
  const { rows } = await run(
    shuffled.database.owner,
    `select event from effects where event in (${ids.map((id) => `'${id}'`).join()}) order by event collate "C"`,
  )
  return rows.map(({ event: id }) => id)
}
