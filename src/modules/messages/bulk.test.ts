import { expect, test } from 'vitest'
import { statementsAbout } from '../../../test/support/statements.ts'
import { openWorld } from '../../../test/support/world.ts'
import { messagesKit } from './messages.test-kit.ts'

const world = await openWorld()
const { user, client } = world
const basile = await user({ roles: ['support'], nom: 'Basile' })
const support = client({ source: 'backoffice', token: basile.token })
const { thread, read, auditEntries } = messagesKit(world, support)
const nobody = '0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e'
const bulk = (body: object) => support.patch('/admin/messages/threads/bulk', body)
const fresh = { status: 'open', unread: true, flag: null, assignee_id: null }

test('PATCH …/threads/bulk returns 200 with one result per thread and its former state, audited', async () => {
  const [one, same] = [await thread(), await thread()]
  const wanted = { closed: true, unread: false, flag: 'red', assignee_id: basile.id }
  await bulk({ ids: [same], ...wanted })
  const { status, body } = await bulk({ ids: [one.toUpperCase(), same, nobody, one], ...wanted })
  const done = { status: 'closed', unread: false, flag: 'red', assignee_id: basile.id }
  expect(status).toBe(200)
  expect(body).toEqual({
    data: [
      { id: one, result: 'updated', previous: fresh },
      { id: same, result: 'unchanged', previous: done },
      { id: nobody, result: 'not_found', previous: null },
    ],
    meta: { updated: 1, unchanged: 1, not_found: 1, changed: 0 },
  })
  expect(await read(one)).toMatchObject({ ...done, version: 2 })
  expect((await auditEntries(one)).map(({ action }) => action).sort()).toEqual([
    'thread.assign',
    'thread.close',
    'thread.create',
    'thread.flag',
    'thread.read',
  ])
})

test('PATCH …/threads/bulk opens threads again and leaves other fields as they are', async () => {
  const id = await thread()
  await bulk({ ids: [id], closed: true, flag: 'blue' })
  await bulk({ ids: [id], closed: false })
  expect(await read(id)).toMatchObject({ status: 'open', flag: 'blue', unread: true })
})

test('PATCH …/threads/bulk returns changed for an outdated version and skips that thread', async () => {
  const [one, other] = [await thread(), await thread()]
  await support.patch(`/admin/messages/threads/${other}/read`)
  const versions = { [one.toUpperCase()]: 1, [other]: 1 }
  const { body } = await bulk({ ids: [one, other], closed: true, versions })
  expect(body.data).toMatchObject([
    { id: one, result: 'updated' },
    { id: other, result: 'changed', previous: null },
  ])
  expect((await read(other)).status).toBe('open')
})

test.each([
  [{ closed: true }],
  [{ ids: [], closed: true }],
  [{ ids: [nobody] }],
  [{ ids: [nobody], flag: 'pink' }],
  [{ ids: ['x'], closed: true }],
  [{ ids: Array.from({ length: 101 }, () => nobody), closed: true }],
  [{ ids: [nobody], assignee_id: nobody }],
  [{ ids: [nobody], closed: true, status: 'closed' }],
])('PATCH …/threads/bulk returns 422 (case %#)', async (body) => {
  expect(await bulk(body)).toBeError(422, 'validation_failed')
})

test('a bulk change of twenty threads sends as many statements as one of a single thread', async () => {
  const many: string[] = []
  for (let n = 0; n < 20; n++) many.push(await thread())
  const count = async (ids: string[], flag: string) =>
    (await statementsAbout(/support_threads|audit_log/, () => bulk({ ids, flag }))).length
  expect(await count(many, 'red')).toBe(await count(many.slice(0, 1), 'blue'))
})

test('concurrent bulk changes in opposite order all take effect', async () => {
  const ids: string[] = []
  for (let n = 0; n < 10; n++) ids.push(await thread())
  const answers = await Promise.all([
    bulk({ ids, flag: 'green' }),
    bulk({ ids: ids.toReversed(), closed: true }),
    bulk({ ids, assignee_id: basile.id }),
  ])
  expect(answers.map(({ body }) => body.meta.updated)).toEqual([10, 10, 10])
  for (const id of ids)
    expect(await read(id)).toMatchObject({ flag: 'green', status: 'closed', assignee_id: basile.id })
})
