import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { openWorld } from '../../../../test/support/world.ts'
import { until } from '../../../platform/jobs/jobs.test-kit.ts'
import { messagesKit } from '../messages.test-kit.ts'
import { startImapServer } from './imap-server.test-kit.ts'

const [kills, perKill] = process.env.PARVIS_TEST_LONG === undefined ? [3, 4] : [20, 6]

test('after kill -9 before a mail is stored, and before it is marked as read, each mail is one message', {
  timeout: (2 + kills) * 60_000,
}, async () => {
  const world = await openWorld()
  const { db, database } = world
  const support = await world.as('support')
  const { thread, reply, messagesOf } = messagesKit(world, support)
  const imap = await startImapServer()
  const threadId = await thread()
  const to = `reponse+support-${await reply(threadId)}@example.org`
  const start = () => {
    const script = fileURLToPath(new URL('./inbox.test-worker.ts', import.meta.url))
    const child = spawn(process.execPath, [script, JSON.stringify(database.service), imap.url], {
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    onTestFinished(() => {
      child.kill('SIGKILL')
    })
    return child
  }
  for (let kill = 0; kill < kills; kill++) {
    for (let nth = 0; nth < perKill; nth++)
      imap.deliver(`From: odile@example.org
To: ${to}
Subject: Re: x
Message-ID: <${kill}-${nth}@mail.example.org>

Message ${kill}-${nth}`)
    // Once while it asks for the text of a mail, once while it marks one, by turns.
    const step = kill % 2 === 0 ? 'UID STORE' : 'BODY.PEEK[]'
    const held = Promise.withResolvers<void>()
    imap.state.before = (command) => {
      if (!command.includes(step)) return
      held.resolve()
      return new Promise(() => {})
    }
    const victim = start()
    await held.promise
    victim.kill('SIGKILL')
    await once(victim, 'exit')
    imap.state.before = undefined
    // Twenty messages an hour are taken of one thread.
    await sql`update support_messages set created_at = created_at - interval '2 hours'`.execute(db)
  }
  const [code] = await once(start(), 'exit')
  expect(code).toBe(0)
  const bodies = (await messagesOf(threadId)).filter(
    ({ direction }: { direction: string }) => direction === 'inbound',
  )
  const arrived = bodies
    .map(({ body }: { body: string }) => body)
    .filter((body: string) => body.startsWith('Message '))
  const sent = Array.from({ length: kills }, (_, kill) =>
    Array.from({ length: perKill }, (__, nth) => `Message ${kill}-${nth}`),
  ).flat()
  expect(arrived.sort()).toEqual(sent.sort())
  await until('all are marked', async () => imap.mails.every(({ uid }) => imap.isRead(uid)))
})
