import { Agent, type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterAll, expect, test } from 'vitest'
import { signingSecret } from '../../../../test/support/factories.ts'
import { fc, propertyRuns } from '../../../../test/support/fast-check.ts'
import { openWorld } from '../../../../test/support/world.ts'
import { event } from '../payments.test-kit.ts'
import { sign } from './signature.ts'

const mutations = propertyRuns(5)

const { url, db, setClock } = await openWorld()
// No signature is too old.
setClock(new Date().toISOString())
const agent = new Agent({ keepAlive: true })
afterAll(() => agent.destroy())
const original = Buffer.from(
  JSON.stringify({ ...event('customer.subscription.updated'), note: 'é \ufffd 日' }),
)
const header = await sign(original.toString(), signingSecret)

const anywhere = fc.nat()
const byte = fc.nat(255)
/** Mutates bytes: replaced, inserted, removed, swapped, repeated or truncated. */
const change = fc.record({
  how: fc.constantFrom('other', 'more', 'fewer', 'swapped', 'twice', 'cut'),
  where: anywhere,
  to: anywhere,
  byte,
})
type Change = typeof change extends fc.Arbitrary<infer T> ? T : never
const mutation = fc.record({
  body: fc.array(change, { maxLength: 3 }),
  header: fc.array(change, { maxLength: 3 }),
  contentType: fc.constantFrom(
    'application/json',
    'text/plain',
    'application/json\t',
    ';',
    'multipart/form-data',
  ),
  isIdentity: fc.boolean(),
})

test(`none of ${mutations} deliveries with a mutated body or signature is accepted, and none causes a 500`, async () => {
  await fc.assert(
    fc.asyncProperty(mutation, async (given) => {
      const body = given.body.reduce(changed, original)
      // HTTP refuses what a header cannot hold; surrounding space is not part of it.
      const signature = given.header
        .reduce(changed, Buffer.from(header))
        .toString('latin1')
        .replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, '~')
        .trim()
      // The valid signature is accepted among others.
      const items = signature.split(',')
      fc.pre(!body.equals(original) || !header.split(',').every((item) => items.includes(item)))
      const answer = await send(body, {
        'payment-signature': signature,
        'content-type': given.contentType,
        ...(given.isIdentity && { 'content-encoding': 'identity' }),
      })
      expect(answer).toMatchObject({ status: 400, error: 'invalid_webhook_signature' })
    }),
    { numRuns: mutations },
  )
  expect(await db.selectFrom('payment_events').select('id').execute()).toEqual([])
}, 900_000)

/** Sends header values that `fetch` would not send. */
async function send(body: Buffer, headers: Record<string, string>) {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const options = { method: 'POST', agent, headers: { ...headers, 'content-length': body.length } }
  request(`${url}/api/v1/webhooks/payment`, options, resolve).on('error', reject).end(body)
  const answer = await promise
  return { status: answer.statusCode, error: JSON.parse(await text(answer)).error }
}

function changed(bytes: Buffer, { how, where, to, byte: value }: Change): Buffer {
  const at = where % (bytes.length + 1)
  const [before, after] = [bytes.subarray(0, at), bytes.subarray(at)]
  switch (how) {
    case 'other':
      return Buffer.concat([before, Buffer.from([value]), after.subarray(1)])
    case 'more':
      return Buffer.concat([before, Buffer.from([value]), after])
    case 'fewer':
      return Buffer.concat([before, after.subarray(1)])
    case 'swapped':
      return Buffer.concat([after, before])
    case 'twice':
      return Buffer.concat([before, bytes.subarray(to % (bytes.length + 1))])
    default:
      return before
  }
}
