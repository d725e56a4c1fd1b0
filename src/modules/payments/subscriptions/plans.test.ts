import { expect, test } from 'vitest'
import { explain, gatherStatistics, readWhole } from '../../../../test/support/plans.ts'
import { statementsAbout } from '../../../../test/support/statements.ts'
import { openWorld, run } from '../../../../test/support/world.ts'

const world = await openWorld()
const { as, database } = world
const admin = await as('admin')
const count = 50_000
const idOf = (kind: string, number: string) =>
  `('0199c9a3-${kind}-7000-8000-' || lpad(to_hex(${number}), 12, '0'))::uuid`

// Most are active with two plans; a few have other statuses or no acteur.
await run(
  database.owner,
  `insert into acteurs (id, slug, nom, type)
   select ${idOf('aaaa', 'n')}, 'a-' || n, 'Acteur ' || n, 'commerce' from generate_series(1, ${count / 2}) n;
   insert into subscriptions (id, provider_subscription_id, provider_customer_id, price, status, current_period_end,
     acteur_id, status_at, status_rank, status_by)
   select ${idOf('bbbb', 'n')}, 'sub_' || n, 'cus_' || n / 2,
     case when n % 500 = 0 then 'rare' when n % 2 = 0 then 'commerce' else 'association' end,
     case when n % 300 = 0 then 'past_due' when n % 7 = 0 then 'canceled' else 'active' end,
     case when n % 11 <> 0 then now() + (n % 400) * interval '1 day' end,
     case when n % 13 <> 0 then ${idOf('aaaa', `1 + n % ${count / 2}`)} end, now(), 3, 'evt_' || n
   from generate_series(1, ${count}) n;
   insert into payment_events (id, type, status, error, ended_at, received_at, fields)
   select 'evt_' || n, 'invoice.paid', status, 'x', case when status <> 'received' then now() end,
     now() - n * interval '1 minute', jsonb_build_object('subscription', 'sub_' || n % 5000)
   from generate_series(1, ${count}) n,
     lateral (select case when n % 5000 = 0 then 'failed' when n < 5 then 'received' else 'processed' end as status) one`,
)
await gatherStatistics(database, ['subscriptions', 'acteurs', 'payment_events'])

const tables = /\b(subscriptions|payment_events)\b/
const acteurId = '0199c9a3-aaaa-7000-8000-000000000005'

test.each([
  '',
  'page=400',
  'status=past_due',
  'status=past_due,unpaid',
  'plan=rare',
  'plan=nothing',
  'plan=rare&status=active',
  `acteur_id=${acteurId}`,
  'ids=0199c9a3-bbbb-7000-8000-000000000005',
  ...['created_at', 'current_period_end', 'status'].flatMap((key) => [`sort=${key}_asc`, `sort=${key}_desc`]),
  'sort=current_period_end_asc&status=active',
])('the list of subscriptions uses an index and two statements: %s', async (query) => {
  const statements = await statementsAbout(tables, async () => {
    expect((await admin.get(`/admin/subscriptions?${query}`)).status).toBe(200)
  })
  expect(statements).toHaveLength(2)
  for (const statement of statements)
    expect(readWhole(await explain(world.pool, statement))).not.toContain('subscriptions')
})

const bySubscription = '/admin/subscriptions/0199c9a3-bbbb-7000-8000-000000000005/events'

test.each([
  ...['', 'status=failed', 'status=received', 'status=ignored', 'sort=received_at_asc', 'page=400'].map(
    (query) => `/admin/payment-events?${query}`,
  ),
  '/admin/payment-events?status=failed,received&sort=received_at_asc',
  '/admin/payment-events?ids=evt_1,evt_2',
  bySubscription,
  `${bySubscription}?status=failed`,
  `${bySubscription}?sort=received_at_asc&per_page=1`,
])('lists of payment events use an index: %s', async (path) => {
  const statements = await statementsAbout(tables, async () => {
    expect((await admin.get(path)).status).toBe(200)
  })
  for (const statement of statements.filter(({ sql: text }) => !text.startsWith('select count(*)')))
    expect(readWhole(await explain(world.pool, statement)), statement.sql).toEqual([])
  const counted = statements.filter(({ sql: text }) => text.startsWith('select count(*)'))
  if (path.startsWith(bySubscription))
    for (const statement of counted) expect(readWhole(await explain(world.pool, statement))).toEqual([])
})

test('live events learn by an index whether payment events have changed', async () => {
  const steps = await explain(world.pool, {
    sql: 'select max(updated_at) from payment_events',
    parameters: [],
  })
  expect(readWhole(steps)).toEqual([])
})

test('reads the subscriptions of a page of acteurs in one statement, however many acteurs', async () => {
  for (const query of ['per_page=1', 'per_page=100']) {
    const statements = await statementsAbout(tables, async () => {
      expect((await admin.get(`/admin/acteurs?${query}`)).status).toBe(200)
    })
    expect(statements).toHaveLength(1)
    const [{ sql: text = '', parameters = [] } = {}] = statements
    const steps = await explain(world.pool, { sql: text, parameters })
    expect(readWhole(steps)).toEqual([])
  }
})

test('the dashboard reads waiting, failed and new events by indexes', async () => {
  const statements = await statementsAbout(tables, async () => {
    expect((await admin.get('/admin/dashboard')).status).toBe(200)
  })
  expect(statements).toHaveLength(3)
  for (const { sql: text, parameters } of statements) {
    const steps = await explain(world.pool, { sql: text, parameters })
    expect(readWhole(steps)).toEqual([])
  }
})
