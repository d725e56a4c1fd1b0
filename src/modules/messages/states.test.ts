import { expect, test } from 'vitest'
import { openWorld } from '../../../test/support/world.ts'
import { messagesKit } from './messages.test-kit.ts'
import { flags } from './schema.ts'

const world = await openWorld()
const support = await world.as('support')
const { thread, read, auditEntries, list } = messagesKit(world, support)
const nobody = '0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e'
const at = (id: string, verb: string) => `/admin/messages/threads/${id}/${verb}`

test('PATCH …/read and …/unread return the thread and change it once', async () => {
  const id = await thread()
  for (let round = 0; round < 2; round++) {
    const answer = await support.patch(at(id, 'read'))
    expect(answer.body.data).toMatchObject({ id, unread: false, version: 2 })
    expect(answer.headers.get('etag')).toBe('"2"')
  }
  expect((await support.patch(at(id, 'unread'))).body.data).toMatchObject({ unread: true, version: 3 })
  expect((await auditEntries(id)).map(({ action }) => action)).toEqual([
    'thread.create',
    'thread.read',
    'thread.unread',
  ])
})

test('PATCH …/flag accepts each colour, and null removes it', async () => {
  const id = await thread()
  for (const flag of [...flags, null])
    expect((await support.patch(at(id, 'flag'), { flag })).body.data.flag).toBe(flag)
})

test.each([[{}], [{ flag: 'pink' }], [{ flag: 'red', colour: 'red' }], [undefined]])(
  'PATCH …/flag returns 422 for %j',
  async (body) => {
    expect(await support.patch(at(await thread(), 'flag'), body)).toBeError(422, 'validation_failed')
  },
)

test('PATCH …/close closes without a body or with closed: true, and opens with closed: false', async () => {
  const id = await thread()
  const close = async (body?: object) => (await support.patch(at(id, 'close'), body)).body.data.status
  expect(await close()).toBe('closed')
  const since = () =>
    world.db.selectFrom('support_threads').select('closed_at').where('id', '=', id).executeTakeFirst()
  const first = await since()
  expect(await close({ closed: true })).toBe('closed')
  expect(await since()).toEqual(first)
  expect(await close({ closed: false })).toBe('open')
  expect(await since()).toEqual({ closed_at: null })
  expect(await close({})).toBe('closed')
  expect(await support.patch(at(id, 'close'), { closed: 'no' })).toBeError(422, 'validation_failed')
})

test.each(['read', 'unread', 'flag', 'close'])('PATCH …/%s returns 404 and 412', async (verb) => {
  const body = verb === 'flag' ? { flag: 'red' } : undefined
  expect(await support.patch(at(nobody, verb), body)).toBeError(404, 'not_found')
  expect(await support.patch(at('x', verb), body)).toBeError(404, 'not_found')
  const id = await thread()
  const stale = { headers: { 'if-match': '"7"' } }
  expect(await support.patch(at(id, verb), body, stale)).toBeError(412, 'precondition_failed')
  expect((await support.patch(at(id, verb), body, { headers: { 'if-match': '"1"' } })).status).toBe(200)
  expect((await read(id)).version).toBe(verb === 'unread' ? 1 : 2)
})

test('meta.unread counts all unread threads, regardless of the filters', async () => {
  const before = (await list()).body.meta.unread
  const id = await thread()
  expect((await list('status=closed&q=nothing')).body.meta).toMatchObject({ total: 0, unread: before + 1 })
  await support.patch(at(id, 'read'))
  expect((await list()).body.meta.unread).toBe(before)
})

test('concurrent changes all take effect', async () => {
  const id = await thread()
  const calls = [
    support.patch(at(id, 'read')),
    support.patch(at(id, 'flag'), { flag: 'blue' }),
    support.patch(at(id, 'close')),
    support.post(at(id, 'reply'), { body: 'Un' }),
    support.post(at(id, 'reply'), { body: 'Deux' }),
  ]
  for (const answer of await Promise.all(calls)) expect([200, 201]).toContain(answer.status)
  expect(await read(id)).toMatchObject({ unread: false, flag: 'blue', messages_count: 3 })
})
