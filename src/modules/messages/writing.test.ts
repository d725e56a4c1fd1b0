import { readdir } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { openWorld } from '../../../test/support/world.ts'
import { messagesKit, written } from './messages.test-kit.ts'

const world = await openWorld()
const { post, as, user, commune, outbox, runJobs, db } = world
const support = await as('support')
const { thread, read, messagesOf, auditEntries } = messagesKit(world, support)
const path = '/support/messages'
const fieldsOf = (answer: { body: { details: { field: string }[] } }) =>
  answer.body.details.map(({ field }) => field)

test('POST /support/messages creates an open, unread thread and returns only its id, number and status', async () => {
  const { id: commune_id } = await commune()
  const answer = await post(path, { ...written, commune_id })
  expect(answer.status).toBe(201)
  const { id, number } = answer.body.data
  expect(answer.body).toEqual({ data: { id, number: expect.any(Number), status: 'open' } })
  const { body, ...named } = written
  expect(await read(id)).toMatchObject({
    ...named,
    commune_id,
    user_id: null,
    unread: true,
    flag: null,
    messages_count: 1,
    version: 1,
    number,
  })
  const author = { id: null, nom: 'Odile Vauquelin' }
  expect(await messagesOf(id)).toMatchObject([
    { thread_id: id, direction: 'inbound', body, author, email_status: null, email_error: null },
  ])
})

test('POST /support/messages records the signed-in author and returns 401 for an invalid token', async () => {
  const { id: user_id, token } = await user()
  const answer = await post(path, written, { token })
  expect(await read(answer.body.data.id)).toMatchObject({ user_id })
  expect((await messagesOf(answer.body.data.id))[0].author).toEqual({ id: user_id, nom: written.nom })
  expect(await post(path, written, { token: 'bad' })).toBeError(401, 'unauthenticated')
})

test('each public message creates its own thread with its own number', async () => {
  const [one, other] = [await read(await thread()), await read(await thread())]
  expect(other.number).toBeGreaterThan(one.number)
})

test('POST /support/messages stores plain text: control characters are removed, HTML stays text', async () => {
  const id = await thread({
    nom: '  Zoe\u0301   \u202eeilO ',
    subject: 'Au\ufeff  secours',
    body: '\r\n<b>Bonjour</b>\r\na < b\u2066 && c\u0007\n\n<script>alert(1)</script>\n',
  })
  expect(await read(id)).toMatchObject({ nom: 'Zo\u00e9 eilO', subject: 'Au secours' })
  const [{ body }] = await messagesOf(id)
  expect(body).toBe('<b>Bonjour</b>\na < b && c\n\n<script>alert(1)</script>')
})

test.each<[string, object]>([
  ['email', { email: undefined }],
  ['email', { email: 'odile' }],
  ['email', { email: 'a@example.org,b@example.org' }],
  ['email', { email: 'a@example.org\nBcc: b@example.org' }],
  ['subject', { subject: '' }],
  ['subject', { subject: 'deux\nlignes' }],
  ['subject', { subject: 'x'.repeat(201) }],
  ['subject', { subject: '\u202e' }],
  ['subject', { subject: '\u0958'.repeat(200) }],
  ['body', { body: ' \n ' }],
  ['body', { body: '\u202e\u2066' }],
  ['body', { body: 'x'.repeat(10_001) }],
  // One letter that becomes two.
  ['body', { body: '\u0958'.repeat(10_000) }],
  ['nom', { nom: 12 }],
  ['nom', { nom: ' ' }],
  ['nom', { nom: '\u200b' }],
  ['nom', { nom: '\u0958'.repeat(200) }],
  ['commune_id', { commune_id: 'x' }],
  ['commune_id', { commune_id: '0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e' }],
  ['to', { to: 'victime@example.org' }],
])('POST /support/messages answers 422 that names %s: %j', async (field, wrong) => {
  const answer = await post(path, { ...written, ...wrong })
  expect(answer).toBeError(422, 'validation_failed')
  expect(fieldsOf(answer)).toContain(field)
})

test('accepts any text of exactly the maximum length', async () => {
  const letters = ['x', '🙂', '½ ', 'ﷺ', '<']
  for (const letter of letters) {
    const body = letter.repeat(10_000 / letter.length).slice(0, 10_000)
    expect((await post(path, { ...written, body })).status).toBe(201)
  }
})

test('sends no mail to the given address and enqueues no job', async () => {
  await runJobs()
  const id = await thread({ email: 'victime@example.org' })
  const { rows } = await world.pool.query("select from pgboss.job where name like 'messages.%'")
  expect(rows).toEqual([])
  expect(await readdir(outbox)).toEqual([])
  expect((await auditEntries(id)).map(({ action }) => action)).toEqual(['thread.create'])
})

test('the audit log holds only the names of personal fields', async () => {
  const id = await thread({ email: 'secret@example.org' })
  expect((await auditEntries(id))[0]?.after).toMatchObject({ email: '(personal)', subject: '(personal)' })
  expect(JSON.stringify(await db.selectFrom('audit_log').selectAll().execute())).not.toMatch(/secret|Puits/)
})

test('POST /support/messages is rate-limited per caller by RATE_LIMIT_SUPPORT', async () => {
  const limited = await openWorld({ env: { RATE_LIMIT_SUPPORT: '2/hour' } })
  const statuses = []
  for (let n = 0; n < 3; n++) statuses.push((await limited.post(path, written)).status)
  expect(statuses).toEqual([201, 201, 429])
  const { token } = await limited.user()
  expect((await limited.post(path, written, { token })).status).toBe(201)
})
