import { expect, test } from 'vitest'
import { openWorld } from '../../../test/support/world.ts'
import { messagesKit } from './messages.test-kit.ts'

const world = await openWorld()
const support = await world.as('support')
const { thread, reply, read, ids, list } = messagesKit(world, support)
const nobody = '0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e'
const patch = (id: string, verb: string, body?: object) =>
  support.patch(`/admin/messages/threads/${id}/${verb}`, body)

const first = await thread({ nom: 'Odile Œuvrard', subject: 'Éclairage', body: 'Le réverbère clignote' })
const second = await thread({ nom: 'Basile', email: 'basile.lenoir@example.com', subject: 'Bac' })
const third = await thread({ subject: 'Horaires' })
await patch(first, 'flag', { flag: 'red' })
await patch(second, 'flag', { flag: 'blue' })
await patch(second, 'close')
await patch(third, 'read')

test('GET /admin/messages/threads lists the latest activity first; sort reverses it', async () => {
  expect(await ids()).toEqual([third, second, first])
  expect(await ids('sort=last_message_at_asc')).toEqual([first, second, third])
  await reply(first, 'On envoie quelqu’un lundi')
  expect(await ids()).toEqual([first, third, second])
  expect(await ids('sort=created_at_desc')).toEqual([third, second, first])
  expect(await ids('sort=created_at_asc')).toEqual([first, second, third])
  await patch(first, 'unread')
})

test('GET /admin/messages/threads is paged and has a total', async () => {
  const { body } = await list('per_page=2&page=2')
  expect(body.data.map(({ id }: { id: string }) => id)).toEqual([second])
  expect(body.meta).toEqual({ current_page: 2, last_page: 2, per_page: 2, total: 3, unread: 2, next: null })
  expect((await list('page=9')).body.data).toEqual([])
})

test.each([
  ['status=open', [first, third]],
  ['status=closed', [second]],
  ['status=open,closed', [first, third, second]],
  ['unread=true', [first, second]],
  ['unread=false', [third]],
  ['unread=true,false', [first, third, second]],
  ['flag=red', [first]],
  ['flag=red,blue', [first, second]],
  ['flag=none', [third]],
  ['flag=none,blue', [third, second]],
  [`ids=${first},${nobody}`, [first]],
  [`ids=${first},${second}&status=closed`, [second]],
  ['q=eclair', [first]],
  ['q=OEUVRARD', [first]],
  ['q=reverbere%20odile', [first]],
  ['q=lundi', [first]],
  ['q=basile.lenoir@example.com', [second]],
  ['q=basile%20horaires', []],
  ['q=ho', [third]],
  ['q=%E2%80%99', [first, third, second]],
  ['q=%E6%97%A5', []],
  ['q=%E2%82%82%E2%82%80', []],
])('GET /admin/messages/threads?%s', async (query, expected) => {
  expect(await ids(query)).toEqual(expected)
  expect((await list(query)).body.meta.total).toBe(expected.length)
})

test('finds a thread by the number in its mails', async () => {
  const { number } = await read(second)
  expect(await ids(`q=${number}`)).toEqual([second])
})

test.each(['status=new', 'flag=pink', 'unread=maybe', 'sort=email_asc', 'ids=x', 'page=0', 'nom=x'])(
  'GET /admin/messages/threads?%s returns 422',
  async (query) => expect(await list(query)).toBeError(422, 'validation_failed'),
)

test('GET /admin/messages/threads/{id} returns the thread and its version; 404 for an unknown one', async () => {
  const answer = await support.get(`/admin/messages/threads/${second}`)
  expect(answer.body.data).toMatchObject({ id: second, status: 'closed', flag: 'blue' })
  expect(answer.headers.get('etag')).toBe(`"${answer.body.data.version}"`)
  expect(await support.get(`/admin/messages/threads/${nobody}`)).toBeError(404, 'not_found')
})

test('a thread shows the beginning of its latest message and the other threads of its address', async () => {
  const email = 'Jeanne.Dupont@example.org'
  const own: string[] = []
  for (let n = 0; n < 7; n++) own.push(await thread({ email, subject: `Demande ${n}` }))
  const [oldest = '', next = ''] = own
  await reply(next, `Bonjour,\n\n\t${'mot '.repeat(100)}`)
  await patch(oldest, 'close')
  const rows = (await list(`ids=${own}`)).body.data
  const row = rows.find(({ id }: { id: string }) => id === oldest)
  expect(row).toMatchObject({ excerpt: 'Le bac de la rue du Puits déborde.', assignee_id: null })
  const others = row.others.map(({ id }: { id: string }) => id)
  expect(others).toEqual([next, ...own.slice(3).toReversed()])
  expect(row.others[0]).toEqual({
    id: next,
    number: expect.any(Number),
    subject: 'Demande 1',
    status: 'open',
    last_message_at: (await read(next)).last_message_at,
  })
  const answered = await read(next)
  expect(answered.excerpt).toMatch(/^Bonjour, mot mot/)
  expect(answered.excerpt.length).toBeLessThanOrEqual(200)
  const folded = await thread({ email: email.toLowerCase() })
  expect((await read(folded)).others.map(({ id }: { id: string }) => id)).toContain(next)
  expect((await read(third)).others.map(({ id }: { id: string }) => id)).not.toContain(next)
})

test('GET …/messages returns the newest page first and the oldest message first within it', async () => {
  const id = await thread({ body: 'zéro' })
  for (const body of ['un', 'deux', 'trois', 'quatre']) await reply(id, body)
  const page = async (number: number) => {
    const { body } = await support.get(`/admin/messages/threads/${id}/messages?per_page=2&page=${number}`)
    expect(body.meta).toMatchObject({ total: 5, last_page: 3, current_page: number })
    return body.data.map((message: { body: string }) => message.body)
  }
  expect([await page(1), await page(2), await page(3), await page(4)]).toEqual([
    ['trois', 'quatre'],
    ['un', 'deux'],
    ['zéro'],
    [],
  ])
})

test('GET …/messages returns 404 and 422', async () => {
  expect(await support.get(`/admin/messages/threads/${nobody}/messages`)).toBeError(404, 'not_found')
  expect(await support.get('/admin/messages/threads/x/messages')).toBeError(404, 'not_found')
  const answer = await support.get(`/admin/messages/threads/${first}/messages?page=0`)
  expect(answer).toBeError(422, 'validation_failed')
})

test('a thread with more messages than are indexed still works and is found by its first ones', async () => {
  const id = await thread()
  for (let n = 0; n < 12; n++) await reply(id, `réponse ${'🙂½'.repeat(10)} mot${n}x`)
  expect(await ids('q=mot8x')).toEqual([id])
  expect(await ids('q=mot11x')).toEqual([])
  expect((await read(id)).messages_count).toBe(13)
})
