import { createHash, createHmac } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { signingSecret } from '../../../../test/support/factories.ts'
import { openWorld } from '../../../../test/support/world.ts'
import { event, provider } from '../payments.test-kit.ts'
import { sign } from './signature.ts'

const older = 'whsec_the_one_before'
const world = await openWorld({ env: { PAYMENT_SIGNING_SECRETS: `${signingSecret}, ${older}` } })
const { db, post } = world
const { deliver, url } = provider(world)

const rowOf = (id: string) =>
  db.selectFrom('payment_events').selectAll().where('id', '=', id).executeTakeFirst()
const jobsOf = (id: string) =>
  db
    .withSchema('pgboss')
    .selectFrom('job' as never)
    .selectAll()
    .where('singleton_key' as never, '=', id as never)
    .execute()
const countEvents = async () => (await db.selectFrom('payment_events').select('id').execute()).length

/** Sends raw bytes with any headers. */
async function sendBytes(body: Buffer, signed: Buffer | string, headers: Record<string, string> = {}) {
  const signature = signBytes(Buffer.from(signed))
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'payment-signature': signature, ...headers },
    body: new Uint8Array(body),
  })
  return { status: response.status, text: await response.text() }
}

function signBytes(body: Buffer, secret = signingSecret, t = Math.floor(Date.now() / 1_000)): string {
  return `t=${t},v1=${createHmac('sha256', secret).update(`${t}.`).update(body).digest('hex')}`
}

test('POST /webhooks/payment returns 200 without X-App-Source or token, stores the event and its job', async () => {
  const body = event('customer.subscription.updated')
  const answer = await deliver(body)
  expect(answer.status).toBe(200)
  expect(answer.body).toEqual({ data: { received: true } })
  expect(await rowOf(body.id)).toMatchObject({
    type: body.type,
    status: 'received',
    occurred_at: new Date(body.created * 1_000),
    tries: 0,
    error: null,
    ended_at: null,
    fields: { subscription: body.data.object.id, status: 'active', price: 'commerce' },
  })
  expect(await jobsOf(body.id)).toHaveLength(1)
})

test('a repeated delivery, even concurrent, gets the same response and is stored once', async () => {
  const body = event('customer.subscription.updated')
  const answers = await Promise.all(Array.from({ length: 6 }, () => deliver(body)))
  for (const answer of [...answers, await deliver({ ...body, type: 'invoice.paid' })])
    expect([answer.status, answer.body]).toEqual([200, { data: { received: true } }])
  expect(await rowOf(body.id)).toMatchObject({ type: 'customer.subscription.updated' })
  expect(await jobsOf(body.id)).toHaveLength(1)
})

test('an event kind without effect is stored as ignored, without its payload', async () => {
  for (const type of ['customer.updated', 'constructor', '__proto__']) {
    const body = event(type, { email: 'odile@example.org' })
    expect((await deliver(body)).status).toBe(200)
    expect(await rowOf(body.id)).toMatchObject({ type, status: 'ignored', fields: null })
    expect(await jobsOf(body.id)).toEqual([])
  }
})

test.each([
  ['Payment-Signature', signingSecret],
  ['payment-signature', older],
  ['Stripe-Signature', signingSecret],
])('accepts a signature in %s with each of the secrets', async (name, secret) => {
  const body = JSON.stringify(event('invoice.paid'))
  const headers = { [name]: await sign(body, secret) }
  expect((await post('/webhooks/payment', body, { source: null, headers })).status).toBe(200)
})

test('accepts a header with several signatures of which one is right', async () => {
  const body = JSON.stringify(event('invoice.paid'))
  const right = await sign(body, signingSecret)
  const header = right.replace(',v1=', `,v1=${'0'.repeat(64)},v0=${'1'.repeat(64)},v1=`)
  const headers = { 'payment-signature': header }
  expect((await post('/webhooks/payment', body, { headers })).status).toBe(200)
})

test.each([-300, -299, 0, 299, 300])('accepts a signature of %i seconds from now', async (seconds) => {
  world.setClock('2026-11-20T12:00:00.000Z')
  const now = new Date(Date.parse('2026-11-20T12:00:00Z') + seconds * 1_000)
  expect((await deliver(event('invoice.paid'), { now })).status).toBe(200)
})

test.each([-301, 301, -86_400, 86_400])(
  'returns 400 for a signature of %i seconds from now',
  async (seconds) => {
    world.setClock('2026-11-20T12:00:00.000Z')
    const body = event('invoice.paid')
    const now = new Date(Date.parse('2026-11-20T12:00:00Z') + seconds * 1_000)
    expect(await deliver(body, { now })).toBeError(400, 'invalid_webhook_signature')
    expect(await rowOf(body.id)).toBeUndefined()
  },
)

test('returns 400 for a missing, empty, malformed, foreign or repeated signature', async () => {
  world.setClock(new Date().toISOString())
  const body = JSON.stringify(event('invoice.paid'))
  const right = await sign(body, signingSecret)
  const [time = '', hash = ''] = right.split(',')
  const wrong = [
    '',
    'v1',
    time,
    hash,
    `${time},`,
    `${right},`,
    `${right},t=1`,
    `${time},${time},${hash}`,
    `${time.replace('t=', 't=0')},${hash}`,
    `${time}x,${hash}`,
    `${time}, ${hash}`,
    `t=NaN,${hash}`,
    right.toUpperCase(),
    right.replace('v1=', 'v0='),
    `${right}, ${right}`,
    await sign(`${body} `, signingSecret),
    await sign(body, 'whsec_unknown'),
    await sign(body, ' '),
  ]
  const before = await countEvents()
  for (const signature of wrong) {
    const answer = await post('/webhooks/payment', body, { headers: { 'payment-signature': signature } })
    expect(answer, signature).toBeError(400, 'invalid_webhook_signature')
  }
  expect(await post('/webhooks/payment', body)).toBeError(400, 'invalid_webhook_signature')
  expect(await post('/webhooks/payment')).toBeError(400, 'invalid_webhook_signature')
  expect(await countEvents()).toBe(before)
})

test('returns 400 for every delivery when no secret is set', async () => {
  const none = await openWorld({ env: { PAYMENT_SIGNING_SECRETS: '' }, database: world.database })
  for (const secret of [signingSecret, '0'])
    expect(await provider(none).deliver(event('invoice.paid'), { secret })).toBeError(
      400,
      'invalid_webhook_signature',
    )
})

test.each([
  '',
  '{',
  'null',
  '[]',
  '"text"',
  '12',
  '{}',
  '{"id":"evt_1"}',
  '{"type":"invoice.paid"}',
  '{"id":1,"type":"invoice.paid"}',
  '{"id":"evt_1","type":null}',
])('returns 422 for the signed body %j and 400 for the unsigned one', async (body) => {
  const before = await countEvents()
  const answer = await deliver(body)
  expect(answer).toBeError(422, 'validation_failed')
  expect(await post('/webhooks/payment', body)).toBeError(400, 'invalid_webhook_signature')
  expect(await countEvents()).toBe(before)
})

test.each(['', 'evt 1', 'évt_1', '事件', 'evt_\0', 'e'.repeat(5_000), 'odile@example.org'])(
  'returns 200 for an id of an unusual form, and stores it once as its digest: %j',
  async (id) => {
    const before = await countEvents()
    const body = { ...event('customer.subscription.updated'), id }
    for (const _ of ['first', 'again']) expect((await deliver(body)).status).toBe(200)
    expect(await countEvents()).toBe(before + 1)
    const stored = `sha256:${createHash('sha256').update(id).digest('hex')}`
    expect(await rowOf(stored)).toMatchObject({ status: 'received' })
    expect(await jobsOf(stored)).toHaveLength(1)
  },
)

test('verifies the signature over the exact bytes, not over equal text', async () => {
  const text = JSON.stringify({ ...event('invoice.paid'), note: '\ufffd' })
  const bytes = Buffer.from(text)
  const others = [
    Buffer.from(bytes.toString('latin1').replace('ï¿½', '\xff'), 'latin1'),
    Buffer.concat([Buffer.from('\ufeff'), bytes]),
    Buffer.from(text, 'utf16le'),
  ]
  for (const other of others) {
    expect(await sendBytes(other, text)).toMatchObject({ status: 400 })
    // The signature is valid, but the bodies are not JSON.
    expect(await sendBytes(other, other)).toMatchObject({ status: 422 })
  }
  expect(await sendBytes(bytes, text)).toMatchObject({ status: 200 })
})

test.each([
  { 'content-type': 'text/plain' },
  { 'content-type': 'application/json; charset=utf-16' },
  { 'content-type': 'application/x-www-form-urlencoded' },
  { 'content-type': 'multipart/form-data; boundary=x' },
  { 'content-type': 'application/json\ttext/plain' },
  { 'content-type': ';;;' },
  { 'content-type': 'x'.repeat(2_000) },
  { 'content-encoding': 'identity' },
])('a signed delivery is accepted and an unsigned one refused with %j', async (headers) => {
  const body = JSON.stringify(event('invoice.paid'))
  const bytes = Buffer.from(body)
  expect(await sendBytes(bytes, `${body} `, headers)).toMatchObject({ status: 400 })
  expect(await sendBytes(bytes, body, headers)).toMatchObject({ status: 200 })
})

test.each(['gzip', 'br, nonsense'])(
  'returns 415 for a delivery with Content-Encoding %s',
  async (encoding) => {
    const bytes = Buffer.from(JSON.stringify(event('invoice.paid')))
    const headers = { 'content-encoding': encoding }
    for (const body of [bytes, gzipSync(bytes)])
      expect(await sendBytes(body, body, headers)).toMatchObject({ status: 415 })
  },
)

test('returns 413 for a body over 1 MB and accepts one just under it', async () => {
  const filled = (bytes: number) => JSON.stringify({ ...event('invoice.paid'), note: 'x'.repeat(bytes) })
  expect(await deliver(filled(1_048_576))).toBeError(413, 'payload_too_large')
  expect((await deliver(filled(1_047_000))).status).toBe(200)
})

test('ignores an Idempotency-Key, a query and a token', async () => {
  const body = JSON.stringify(event('invoice.paid'))
  const headers = { 'payment-signature': await sign(body, signingSecret), 'idempotency-key': 'é' }
  const answer = await post('/webhooks/payment?utm_source=x', body, { token: 'none', headers })
  expect(answer.status).toBe(200)
})
