import { expect, test } from 'vitest'
import { openWorld } from '../../../test/support/world.ts'
import { messagesKit } from './messages.test-kit.ts'
import { draftsOfPerson } from './personal.ts'

const world = await openWorld()
const { db, user, client } = world
const basile = await user({ roles: ['support'], nom: 'Basile' })
const ada = await user({ roles: ['admin'], nom: 'Ada' })
const support = client({ source: 'backoffice', token: basile.token })
const { thread, read, ids, list, auditEntries } = messagesKit(world, support)
const nobody = '0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e'
const at = (id: string) => `/admin/messages/threads/${id}/assignee`
const assign = (id: string, user_id: string | null) => support.put(at(id), { user_id })

test('PUT …/assignee returns 200 with the thread, which names the colleague; null removes the name', async () => {
  const id = await thread()
  const { status, body } = await assign(id, ada.id)
  expect(status).toBe(200)
  expect(body.data).toMatchObject({
    id,
    assignee_id: ada.id,
    assignee_user: { id: ada.id, nom: 'Ada' },
    version: 2,
  })
  expect((await assign(id, ada.id)).body.data.version).toBe(2)
  expect((await assign(id, null)).body.data).toMatchObject({ assignee_id: null, assignee_user: null })
  expect((await auditEntries(id)).slice(1)).toMatchObject([
    { action: 'thread.assign', before: { assignee_id: null }, after: { assignee_id: ada.id } },
    { action: 'thread.assign', before: { assignee_id: ada.id }, after: { assignee_id: null } },
  ])
})

test('PUT …/assignee returns 422 for a user who is unknown, disabled, or may not open messages', async () => {
  const id = await thread()
  const others = [nobody, (await user({ roles: ['moderator'] })).id, (await user()).id]
  const disabled = await user({ roles: ['support'] })
  await db.updateTable('users').set({ actif: false }).where('id', '=', disabled.id).execute()
  for (const one of [...others, disabled.id]) {
    const answer = await assign(id, one)
    expect(answer).toBeError(422, 'validation_failed')
    expect(answer.body.details).toMatchObject([{ field: 'user_id' }])
  }
  for (const body of [{}, { user_id: 'x' }, { user_id: ada.id, note: 'x' }])
    expect(await support.put(at(id), body)).toBeError(422, 'validation_failed')
  expect((await read(id)).version).toBe(1)
})

test('PUT …/assignee returns 404 for an unknown thread and 412 for an outdated version', async () => {
  expect(await assign(nobody, ada.id)).toBeError(404, 'not_found')
  const id = await thread()
  const stale = { headers: { 'if-match': '"7"' } }
  expect(await support.put(at(id), { user_id: ada.id }, stale)).toBeError(412, 'precondition_failed')
})

test('of two colleagues who take a thread with its version, one gets 412', async () => {
  const id = await thread()
  const call = { headers: { 'if-match': '"1"' } }
  const answers = await Promise.all(
    [ada.id, basile.id].map((user_id) => support.put(at(id), { user_id }, call)),
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 412])
})

test('the list filters by assignee, and by none', async () => {
  const [one, other, free] = [await thread(), await thread(), await thread()]
  await assign(one, ada.id)
  await assign(other, basile.id)
  const own = `ids=${one},${other},${free}`
  expect(await ids(`${own}&assignee=${ada.id}`)).toEqual([one])
  expect(await ids(`${own}&assignee=none`)).toEqual([free])
  expect(await ids(`${own}&assignee=none,${basile.id}`)).toEqual([free, other])
  expect(await list('assignee=me')).toBeError(422, 'validation_failed')
})

test('GET /admin/messages/colleagues lists, by name, the enabled users whose roles open messages', async () => {
  const disabled = await user({ roles: ['support'], nom: 'Disparue' })
  await db.updateTable('users').set({ actif: false }).where('id', '=', disabled.id).execute()
  await user({ roles: ['moderator'], nom: 'Modeste' })
  const { status, body } = await support.get('/admin/messages/colleagues')
  expect(status).toBe(200)
  expect(body.data).toEqual([
    { id: ada.id, nom: 'Ada' },
    { id: basile.id, nom: 'Basile' },
  ])
})

test('the erasure of a colleague leaves their threads to nobody and deletes their drafts', async () => {
  const gone = await user({ roles: ['support'] })
  const id = await thread()
  await assign(id, gone.id)
  const its = client({ source: 'backoffice', token: gone.token })
  await its.put(`/admin/messages/threads/${id}/draft`, { body: 'Bonjour' })
  const person = { userIds: [gone.id], emails: [] }
  const told: object[] = []
  for await (const row of draftsOfPerson.read(db, person)) told.push(row)
  expect(told).toMatchObject([{ thread_id: id, body: 'Bonjour' }])
  await db.transaction().execute(async (tx) => draftsOfPerson.erase?.(tx, person))
  expect(await read(id)).toMatchObject({ assignee_id: null, drafting: [] })
})
