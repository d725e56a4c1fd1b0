import { expect, test } from 'vitest'
import { untilWaiting } from '../../../test/support/locks.ts'
import { openWorld } from '../../../test/support/world.ts'
import { messagesKit } from './messages.test-kit.ts'
import { draftsOfPerson, threadsOfPerson } from './personal.ts'

const world = await openWorld()
const { db, user, client } = world
const operator = await user({ roles: ['support'], nom: 'Basile' })
const support = client({ source: 'backoffice', token: operator.token })
const colleague = await world.as('support')
const { thread, read, reply, auditEntries } = messagesKit(world, support)
const nobody = '0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e'
const at = (id: string) => `/admin/messages/threads/${id}/draft`
const stored = (id: string) =>
  db.selectFrom('support_drafts').selectAll().where('thread_id', '=', id).execute()

test('PUT …/draft returns 200 and stores the draft as typed; an empty one deletes it', async () => {
  const id = await thread()
  const { status, body } = await support.put(at(id), { body: 'Bonjour,\r\n ' })
  expect(status).toBe(200)
  expect(body).toEqual({ data: { body: 'Bonjour,\n ', updated_at: expect.stringMatching(/Z$/) } })
  await support.put(at(id), { body: 'Bonjour Odile' })
  expect((await read(id)).draft).toMatchObject({ body: 'Bonjour Odile' })
  expect((await support.put(at(id), { body: ' \n' })).body).toEqual({ data: null })
  expect((await read(id)).draft).toBeNull()
  expect(await stored(id)).toEqual([])
})

test('a draft changes neither the version of the thread nor the audit log', async () => {
  const id = await thread()
  await support.put(at(id), { body: 'Bonjour' })
  expect((await read(id)).version).toBe(1)
  expect((await auditEntries(id)).map(({ action }) => action)).toEqual(['thread.create'])
})

test('each colleague has a draft of their own, and sees who else has one', async () => {
  const id = await thread()
  await support.put(at(id), { body: 'De Basile' })
  await colleague.put(at(id), { body: 'De sa collègue' })
  expect(await read(id)).toMatchObject({
    draft: { body: 'De Basile' },
    drafting: [{ id: expect.any(String) }],
  })
  const theirs = (await colleague.get(`/admin/messages/threads/${id}`)).body.data
  expect(theirs).toMatchObject({
    draft: { body: 'De sa collègue' },
    drafting: [{ id: operator.id, nom: 'Basile' }],
  })
})

test('a reply deletes the draft of its author only', async () => {
  const id = await thread()
  await support.put(at(id), { body: 'De Basile' })
  await colleague.put(at(id), { body: 'De sa collègue' })
  await reply(id)
  expect((await stored(id)).map(({ body }) => body)).toEqual(['De sa collègue'])
})

test.each([
  [{}],
  [{ body: null }],
  [{ body: 'x'.repeat(10_001) }],
  [{ body: 'a\u0000' }],
  [{ body: 'a', to: 'b' }],
])('PUT …/draft returns 422 (case %#)', async (body) =>
  expect(await support.put(at(await thread()), body)).toBeError(422, 'validation_failed'),
)

test('PUT …/draft stores as many characters as a reply may have, even if each takes two code units', async () => {
  const id = await thread()
  expect((await support.put(at(id), { body: '🙂'.repeat(10_000) })).status).toBe(200)
})

test('PUT …/draft returns 404 for an unknown thread and 409 without an address', async () => {
  expect(await support.put(at(nobody), { body: 'Oui' })).toBeError(404, 'not_found')
  const id = await thread()
  await db.updateTable('support_threads').set({ email: null }).where('id', '=', id).execute()
  expect(await support.put(at(id), { body: 'Oui' })).toBeError(409, 'conflict')
})

test('concurrent drafts of one colleague leave one of them', async () => {
  const id = await thread()
  const answers = await Promise.all(['un', 'deux', 'trois'].map((body) => support.put(at(id), { body })))
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
  expect(await stored(id)).toHaveLength(1)
})

test('a draft that is saved during the erasure of the author of the thread is refused', async () => {
  const id = await thread({ email: 'pendant@example.org' })
  await support.put(at(id), { body: 'Chère Odile' })
  const held = await db.startTransaction().execute()
  const person = { userIds: [], emails: ['pendant@example.org'] }
  await draftsOfPerson.erase?.(held, person)
  await threadsOfPerson.erase?.(held, person)
  const saving = support.put(at(id), { body: 'Chère Odile, encore' })
  await untilWaiting(db)
  await held.commit().execute()
  expect(await saving).toBeError(409, 'conflict')
  expect(await stored(id)).toEqual([])
})
