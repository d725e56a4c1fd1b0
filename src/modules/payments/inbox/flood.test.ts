import { expect, test } from 'vitest'
import { openWorld } from '../../../../test/support/world.ts'
import { event, provider } from '../payments.test-kit.ts'

const oneSlot = {
  ...{ slots: 1, reserved: { signedIn: 0, anonymous: 0 }, anonymousWhileSignedIn: 1 },
  ...{ targetMs: 600_000, maxWaitMs: 600_000, capacity: 0 },
}
const world = await openWorld({
  env: { RATE_LIMIT_SIGNATURE: '60/day' },
  // An unsigned delivery that took a slot would block a signed one.
  admissionLimits: { reads: oneSlot, lists: oneSlot, writes: oneSlot },
})
const { deliver, url } = provider(world)

const forge = () =>
  deliver(event('invoice.paid'), { secret: 'whsec_of_somebody_else' }).then(({ status, headers }) => ({
    status,
    retryAfter: Number(headers.get('retry-after')),
  }))

test('a flood of bad signatures is rate-limited by address, without a slot or a database statement', async () => {
  let statements = 0
  const { connect } = world.pools.writes
  world.pools.writes.connect = ((...given: never[]) => {
    statements++
    return (connect as (...given: never[]) => unknown).apply(world.pools.writes, given)
  }) as typeof connect
  const flood = Promise.all(Array.from({ length: 200 }, forge))
  const good = await deliver(event('invoice.paid'))
  expect(good.status).toBe(200)
  const answers = await flood
  expect(answers.filter(({ status }) => status === 400)).toHaveLength(60)
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(140)
  for (const { status, retryAfter } of answers) if (status === 429) expect(retryAfter).toBeGreaterThan(0)
  const before = statements
  expect((await forge()).status).toBe(429)
  expect((await fetch(url, { method: 'POST' })).status).toBe(429)
  expect(statements).toBe(before)
  expect((await deliver(event('invoice.paid'))).status).toBe(200)
  expect(statements).toBeGreaterThan(before)
})

test('signed deliveries are not rate-limited', async () => {
  for (let count = 0; count < 80; count++) expect((await deliver(event('invoice.paid'))).status).toBe(200)
})
