import { expect, test } from 'vitest'
import { flags, statuses } from '../src/modules/messages/schema.ts'
import { parseMailAddress } from '../src/platform/formats/mail-address.ts'
import { openWorld } from '../test/support/world.ts'
import { readData } from './data.ts'
import { type DemoThread, insertDemoThreads } from './messages.ts'

const { as, commune, user, db } = await openWorld()
const demoThreads = await readData<DemoThread[]>('content/messages.json')

test('the demo has threads of every state and flag, with addresses that lead nowhere', () => {
  expect(demoThreads.length).toBeGreaterThanOrEqual(20)
  expect(new Set(demoThreads.map(({ status }) => status))).toEqual(new Set(statuses))
  expect(new Set(demoThreads.map(({ flag }) => flag))).toEqual(new Set([...flags, null]))
  expect(new Set(demoThreads.map(({ unread }) => unread))).toEqual(new Set([true, false]))
  const mails = demoThreads.flatMap(({ messages }) =>
    messages.flatMap(({ email_status }) => email_status ?? []),
  )
  expect(new Set(mails)).toEqual(new Set(['sent', 'failed', 'uncertain']))
  for (const { email } of demoThreads) {
    expect(email).toMatch(/@example\.org$/)
    expect(parseMailAddress(email)).toBe(email)
  }
})

test('inserts threads in the order of their start, and they read like real ones', async () => {
  const { id: commune_id } = await commune({ code_insee: '80829' })
  const operator = await user({ roles: ['support'], email: 'solene.kermarrec@example.org' })
  await insertDemoThreads(db, new Date())
  const support = await as('support')
  const { body } = await support.get('/admin/messages/threads?per_page=100&sort=created_at_asc')
  expect(body.data.map(({ subject }: { subject: string }) => subject)).toEqual(
    demoThreads.map(({ subject }) => subject),
  )
  const numbers = body.data.map(({ number }: { number: number }) => number)
  expect(numbers).toEqual(numbers.toSorted((one: number, other: number) => one - other))
  expect(body.meta.unread).toBe(demoThreads.filter(({ unread }) => unread).length)
  const found = await support.get('/admin/messages/threads?q=introuvable')
  expect(found.body.data).toMatchObject([{ commune_id, messages_count: 1 }])
  for (const [index, { id, messages_count, last_message_at }] of body.data.entries()) {
    const messages = (await support.get(`/admin/messages/threads/${id}/messages`)).body.data
    expect(messages).toHaveLength(messages_count)
    expect(messages).toHaveLength(demoThreads[index]?.messages.length ?? 0)
    expect(messages.at(-1).created_at).toBe(last_message_at)
    const { by } = demoThreads[index]?.messages.at(-1) ?? {}
    if (by === operator.email) expect(messages.at(-1).author.id).toBe(operator.id)
  }
})
