import { pino } from 'pino'
import { expect, test } from 'vitest'
import { openWorld, run } from '../../../../test/support/world.ts'
import { until } from '../../../platform/jobs/jobs.test-kit.ts'
import { checkoutKind, invoiceKinds, subscriptionKinds } from '../kinds.ts'
import { event, provider, subscriptionObject } from '../payments.test-kit.ts'

const lines: string[] = []
const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) })
const world = await openWorld({ log })
const { deliver } = provider(world)

const card = '4242424242424242'
const iban = 'FR7630006000011234567890189'
const name = 'Odile Vauquelin'
const email = 'odile.vauquelin@example.org'
// Four digits alone occur in ids by chance.
const last4 = 'last-4242'
const planted = [card, iban, name, email, 'Vauquelin', 'vauquelin', last4]

/** Every place where the provider stores personal data, or where somebody might have put it. */
const personal = {
  customer_email: email,
  customer_name: name,
  customer_details: { name, email, phone: card, address: { line1: name } },
  billing_details: { name, email },
  default_payment_method: { card: { number: card, last4 }, sepa_debit: { iban, last4: '0189' } },
  description: `${name} ${email} ${card} ${iban}`,
  metadata: { acteur_id: name, note: email, [email]: card },
}

test('no card, account, name or address of a payload appears in the logs or the database', async () => {
  await world.runJobs()
  const bodies = [
    ...subscriptionKinds.map((type) => event(type, subscriptionObject(personal))),
    event(checkoutKind, { ...personal, subscription: 'sub_1', customer: { id: 'cus_1', name, email } }),
    ...invoiceKinds.map((type) => event(type, { ...personal, id: 'in_1', subscription: 'sub_1' })),
    event('customer.created', { ...personal, id: 'cus_1' }),
    // In place of stored fields.
    ...[card, iban, name, email].flatMap((value) => [
      event('customer.subscription.updated', subscriptionObject({ ...personal, customer: value })),
      event('customer.subscription.updated', subscriptionObject({ ...personal, id: value })),
      event('customer.subscription.updated', subscriptionObject({ ...personal, status: value })),
      event(
        'customer.subscription.updated',
        subscriptionObject({ items: { data: [{ price: { id: value, lookup_key: value } }] } }),
      ),
      event(checkoutKind, { subscription: value, customer: value, metadata: { acteur_id: value } }),
      event('invoice.paid', { customer: value, subscription: value }),
      event('invoice.paid', personal, { created: value as never }),
    ]),
  ].map((body) => ({ ...body, account: name, request: { idempotency_key: email }, ...{ [card]: iban } }))
  for (const body of bodies) {
    expect((await deliver(body)).status).toBe(200)
    await deliver(body, { secret: 'whsec_of_somebody_else' })
    await deliver({ ...body, id: [email], type: name })
  }
  const waiting = "select from payment_events where status = 'received'"
  await until('all have ended', async () => (await run(world.database.owner, waiting)).rowCount === 0)
  const failed = "select from payment_events where status = 'failed'"
  expect((await run(world.database.owner, failed)).rowCount).toBeGreaterThan(4)
  expect(lines.length).toBeGreaterThan(bodies.length)
  const kept = await wholeDatabase()
  expect(kept).toContain(bodies[0]?.id)
  for (const text of planted) {
    expect(lines.filter((line) => line.includes(text))).toEqual([])
    expect(kept.includes(text), text).toBe(false)
  }
})

/** Dumps every row of every table, including jobs. */
async function wholeDatabase(): Promise<string> {
  const { rows: tables } = await run(
    world.database.superuser,
    `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname in ('public', 'pgboss')`,
  )
  const texts: string[] = []
  for (const { name: table } of tables) {
    const { rows } = await run(world.database.superuser, `select t::text as row from ${table} t`)
    texts.push(...rows.map(({ row }) => row))
  }
  return texts.join('\n')
}
