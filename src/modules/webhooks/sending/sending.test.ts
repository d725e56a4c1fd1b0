import { once } from 'node:events'
import { sql } from 'kysely'
import { Webhook as StandardWebhook } from 'standardwebhooks'
import { Webhook as Svix } from 'svix'
import { beforeEach, expect, test } from 'vitest'
import { openWorld } from '../../../../test/support/world.ts'
import { startWorker } from '../../../platform/jobs/jobs.test-kit.ts'
import { insertPublication, insertPublications } from '../../publications/publications.test-kit.ts'
import { type Message, postTo, senderOf, startReceiver } from '../receiver.test-kit.ts'
import { rekeySecrets, webhookBox } from '../secrets.ts'
import { postToWebhooks } from './jobs.ts'

const receiver = await startReceiver()
const other = await startReceiver()
const world = await openWorld({ env: { IMPORT_ALLOW_PRIVATE: 'true' } })
const { db, config, database } = world
const admin = await world.as('admin')
const { send, makeDue, noticed } = senderOf(world)

beforeEach(async () => {
  await sql`delete from webhooks`.execute(db)
  noticed.length = 0
  for (const one of [receiver, other]) {
    one.received.length = 0
    one.answer = one.accepts
    one.most = 0
  }
})

const all = ['publication.published', 'publication.changed', 'publication.withdrawn']
type Made = { id: string; secret: string }
async function webhook(types = all, { url } = receiver): Promise<Made> {
  const { status, body, text } = await admin.post('/admin/webhooks', { url, types })
  expect(status, text).toBe(201)
  return body.data
}
const read = async ({ id }: Made) => (await admin.get(`/admin/webhooks/${id}`)).body.data
const deliveries = async ({ id }: Made) =>
  (await admin.get(`/admin/webhooks/${id}/deliveries?per_page=100`)).body.data
const idOf = ({ headers }: Message) => headers['webhook-id'] as string
const rename = (id: string, title: string) =>
  sql`update publications set title = ${title} where id = ${id}`.execute(db)
const verify = ({ headers, text }: Message, secret: string) => {
  new Svix(secret).verify(text, headers as Record<string, string>)
  return new StandardWebhook(secret).verify(text, headers as Record<string, string>)
}

test('a message is thin, has the time of the event, and both verifiers accept its signature', async () => {
  const hook = await webhook()
  const ids = (await insertPublications(world, [{}, {}])).map(({ id }) => id)
  await send()
  expect(receiver.received.map(({ body }) => body.data.id).toSorted()).toEqual(ids.toSorted())
  for (const message of receiver.received) {
    const { type, timestamp, data, ...rest } = verify(message, hook.secret) as Record<string, unknown>
    expect(rest).toEqual({})
    expect({ type, data }).toEqual({
      type: 'publication.published',
      data: {
        id: message.body.data.id,
        url: `https://parvis.example/api/v1/publications/${message.body.data.id}`,
      },
    })
    expect(Math.abs(Date.parse(timestamp as string) - Date.now())).toBeLessThan(60_000)
    expect(message.headers['content-type']).toBe('application/json')
    expect(() => verify({ ...message, text: `${message.text} ` }, hook.secret)).toThrow()
  }
  expect(await deliveries(hook)).toMatchObject([
    { state: 'delivered', attempts: 1, status: 204, next_at: null },
    { state: 'delivered', attempts: 1, status: 204, next_at: null },
  ])
})

test('after a rotation both secrets sign for a day, then the new one', async () => {
  const hook = await webhook()
  const { secret } = (await admin.post(`/admin/webhooks/${hook.id}/rotate`)).body.data
  await insertPublication(world)
  await send()
  const [message] = receiver.received as [Message]
  for (const one of [hook.secret, secret]) verify(message, one)
  await sql`update webhooks set former_until = now() - interval '1 second'`.execute(db)
  await insertPublication(world)
  await send()
  const [, later] = receiver.received as [Message, Message]
  verify(later, secret)
  expect(() => verify(later, hook.secret)).toThrow()
})

test('secrets of a former SESSION_KEY are encrypted again, and one that no key decrypts sends nothing', async () => {
  const hook = await webhook()
  await admin.post(`/admin/webhooks/${hook.id}/rotate`)
  const [former = ''] = config.sessionKeys
  const next = 'b'.repeat(64)
  expect(await rekeySecrets(db, [next])).toBe(1)
  expect(await rekeySecrets(db, [next, former])).toBe(0)
  await insertPublication(world)
  await send()
  expect(receiver.received).toEqual([])
  expect(await deliveries(hook)).toMatchObject([{ state: 'waiting', problem: 'secret', attempts: 1 }])
  await makeDue()
  await send({ box: webhookBox([next]) })
  verify(receiver.received[0] as Message, hook.secret)
})

test('an attempt that fails is repeated with the same id, and later events of the record wait for it', async () => {
  const hook = await webhook()
  const { id } = await insertPublication(world)
  await rename(id, 'Marché')
  await rename(id, 'Grand marché')
  receiver.answer = (response) => void response.writeHead(503, { 'retry-after': '600' }).end()
  await send()
  expect(receiver.received).toHaveLength(1)
  const [first, second] = (await deliveries(hook)).toReversed()
  expect(first).toMatchObject({ state: 'waiting', attempts: 1, status: 503 })
  expect(Date.parse(first.next_at) - Date.now()).toBeGreaterThan(590_000)
  expect(second).toMatchObject({ attempts: 0 })
  await send()
  expect(receiver.received).toHaveLength(1)
  receiver.answer = receiver.accepts
  await makeDue()
  await send()
  const types = receiver.received.map(({ body }) => body.type)
  expect(types).toEqual(['publication.published', ...all.slice(0, 2), 'publication.changed'])
  expect(idOf(receiver.received[0] as Message)).toBe(idOf(receiver.received[1] as Message))
  expect(await read(hook)).toMatchObject({ failures: 0, failing_since: null })
})

test.each([
  ['a redirect, which is not followed', 302, { location: other.url }],
  ['an error of the client', 404, {}],
])('%s counts as a failure', async (_what, status, headers) => {
  const hook = await webhook()
  await insertPublication(world)
  receiver.answer = (response) => void response.writeHead(status, headers).end()
  await send()
  expect(other.received).toEqual([])
  expect(await deliveries(hook)).toMatchObject([{ state: 'waiting', status, attempts: 1 }])
})

test('a receiver that hangs delays no other: it gets five attempts, then one after each pause', async () => {
  const [hook, quick] = [await webhook(), await webhook(all, other)]
  await insertPublications(
    world,
    Array.from({ length: 30 }, () => ({})),
  )
  receiver.answer = () => {}
  const begun = performance.now()
  let reachedAt = 0
  other.answer = (response) => {
    other.accepts(response, {} as Message)
    if (other.received.length === 30) reachedAt = performance.now() - begun
  }
  await send({ post: postTo(3_000) })
  expect(other.received).toHaveLength(30)
  expect(reachedAt).toBeLessThan(3_000)
  expect(other.most).toBeLessThanOrEqual(5)
  expect(receiver.received).toHaveLength(5)
  expect(await read(hook)).toMatchObject({ failures: 1, disabled_at: null })
  expect(await read(quick)).toMatchObject({ failures: 0 })
  await makeDue()
  await send({ post: postTo(300) })
  expect(receiver.received).toHaveLength(6)
  expect(
    (await deliveries(hook)).filter(({ problem }: { problem: string }) => problem === 'timeout'),
  ).toHaveLength(5)
  receiver.answer = receiver.accepts
  await makeDue()
  await send()
  expect(new Set(receiver.received.map(idOf)).size).toBe(30)
  expect((await deliveries(hook)).every(({ state }: { state: string }) => state === 'delivered')).toBe(true)
})

test('an endless answer is not read: its status counts', async () => {
  const hook = await webhook()
  let written = 0
  receiver.answer = (response) => {
    response.writeHead(200)
    const part = Buffer.alloc(65_536)
    const write = () => {
      while (!response.destroyed && written < 1_000_000_000) {
        written += part.length
        if (!response.write(part)) return void response.once('drain', write)
      }
      response.end()
    }
    write()
  }
  await insertPublication(world)
  await send()
  expect(written).toBeLessThan(50_000_000)
  expect(await deliveries(hook)).toMatchObject([{ state: 'delivered', status: 200 }])
})

test('410 disables a webhook, and nothing more is recorded until it is enabled', async () => {
  const hook = await webhook()
  const { id } = await insertPublication(world)
  await rename(id, 'Marché')
  receiver.answer = (response) => void response.writeHead(410).end()
  await send()
  expect(await read(hook)).toMatchObject({ disabled_reason: 'gone', disabled_at: expect.any(String) })
  expect(
    (await deliveries(hook)).map(({ state, status }: { state: string; status: number }) => [state, status]),
  ).toEqual([
    ['failed', null],
    ['failed', 410],
  ])
  await insertPublication(world)
  expect(await deliveries(hook)).toHaveLength(2)
  expect(await admin.post(`/admin/webhooks/${hook.id}/test`)).toBeError(409, 'conflict')
  receiver.answer = receiver.accepts
  expect((await admin.patch(`/admin/webhooks/${hook.id}`, { enabled: true })).body.data).toMatchObject({
    failures: 0,
  })
  await insertPublication(world)
  await send()
  expect(receiver.received).toHaveLength(2)
})

test('a delivery is given up after three days, and a webhook without a success in three days is disabled', async () => {
  const hook = await webhook()
  await insertPublications(world, [{}, {}])
  receiver.answer = (response) => void response.writeHead(500).end()
  await send()
  await sql`update webhook_deliveries set first_attempt_at = now() - interval '73 hours' where attempts = 1
    and number = (select min(number) from webhook_deliveries)`.execute(db)
  await makeDue()
  await send()
  expect((await deliveries(hook)).map(({ state }: { state: string }) => state).toSorted()).toEqual([
    'failed',
    'waiting',
  ])
  expect(await read(hook)).toMatchObject({ disabled_at: null, failures: 2 })
  await sql`update webhooks set failing_since = now() - interval '73 hours'`.execute(db)
  await makeDue()
  await send()
  expect(await read(hook)).toMatchObject({ disabled_reason: 'failing' })
  expect((await deliveries(hook)).map(({ state }: { state: string }) => state)).toEqual(['failed', 'failed'])
  const { rows } =
    await sql`select from audit_log where entity_id = ${hook.id} and action = 'webhook.disable'`.execute(db)
  expect(rows).toHaveLength(1)
})

test('the owner is written to after ten failures in a row, once, and when the webhook is disabled', async () => {
  await webhook()
  await insertPublication(world)
  receiver.answer = (response) => void response.writeHead(500).end()
  for (let attempt = 0; attempt < 12; attempt++) {
    await makeDue()
    await send()
    expect(noticed).toEqual(attempt < 9 ? [] : ['failing'])
  }
  await sql`update webhooks set failing_since = now() - interval '73 hours'`.execute(db)
  await makeDue()
  await send()
  expect(noticed).toEqual(['failing', 'disabled'])
})

test('two instances send each event once, in the order of its record', async () => {
  await webhook()
  const ids = (await insertPublications(world, [{}, {}, {}])).map(({ id }) => id)
  for (let change = 0; change < 5; change++) for (const id of ids) await rename(id, `Marché ${change}`)
  const order = new Map<string, Date[]>()
  receiver.answer = (response, { body }) => {
    const { timestamp, data } = body as unknown as { timestamp: string; data: { id: string } }
    order.set(data.id, [...(order.get(data.id) ?? []), new Date(timestamp)])
    setTimeout(() => receiver.accepts(response, {} as Message), Math.random() * 20)
  }
  const second = await openWorld({ database })
  await Promise.all([send(), senderOf(second).send()])
  expect(receiver.received).toHaveLength(18)
  expect(new Set(receiver.received.map(idOf)).size).toBe(18)
  for (const times of order.values())
    expect(times).toEqual(times.toSorted((a, b) => a.getTime() - b.getTime()))
})

test('after kill -9 between the message and its record, it is sent again with the same id', async () => {
  const hook = await webhook()
  await insertPublication(world)
  const arrived = Promise.withResolvers<void>()
  receiver.answer = () => arrived.resolve()
  const victim = await startWorker(new URL('./sending.test-worker.ts', import.meta.url), database.service)
  await arrived.promise
  victim.kill('SIGKILL')
  await once(victim, 'exit')
  receiver.answer = receiver.accepts
  await send()
  expect(receiver.received).toHaveLength(1)
  await sql`update webhook_deliveries set claimed_until = now() - interval '1 second'`.execute(db)
  await send()
  expect(receiver.received.map(idOf)).toEqual(Array(2).fill(idOf(receiver.received[0] as Message)))
  expect(await deliveries(hook)).toMatchObject([{ state: 'delivered', attempts: 2 }])
})

test('a late result of an attempt changes nothing once another one has begun', async () => {
  const hook = await webhook()
  await insertPublication(world)
  receiver.answer = async (response) => {
    receiver.answer = receiver.accepts
    await sql`update webhook_deliveries set claimed_until = now() - interval '1 second'`.execute(db)
    await send()
    response.writeHead(500).end()
  }
  await send()
  expect(await deliveries(hook)).toMatchObject([{ state: 'delivered', status: 204, attempts: 2 }])
})

test('private addresses are refused', async () => {
  const hook = await webhook()
  await insertPublication(world)
  await send({ post: postToWebhooks(false) })
  expect(receiver.received).toEqual([])
  expect(await deliveries(hook)).toMatchObject([
    { state: 'waiting', status: null, problem: 'private_address' },
  ])
})

test('a run that is stopped ends its attempts and leaves the rest', async () => {
  const hook = await webhook()
  await insertPublications(
    world,
    Array.from({ length: 12 }, () => ({})),
  )
  const stop = new AbortController()
  receiver.answer = (response) => {
    stop.abort()
    receiver.accepts(response, {} as Message)
  }
  await expect(send({}, stop.signal)).rejects.toThrow()
  expect(receiver.received).toHaveLength(5)
  expect((await deliveries(hook)).filter(({ state }: { state: string }) => state === 'waiting')).toHaveLength(
    7,
  )
})
