import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { openWorld, run } from '../../../../test/support/world.ts'
import { hurry, until } from '../../../platform/jobs/jobs.test-kit.ts'
import { defaultTiming } from '../../../platform/jobs/timing.ts'
import { startGatedServer } from '../../../platform/mail/mail-servers.test-kit.ts'
import { messagesKit } from '../messages.test-kit.ts'

const long = process.env.PARVIS_TEST_LONG !== undefined
const [replies, kills] = long ? [200, 20] : [12, 2]
const timing = long ? defaultTiming : hurry

test('after kill -9 during sending each reply arrives once, or is uncertain and arrives at most once; none is lost', {
  timeout: (1 + kills) * 60_000,
}, async () => {
  const world = await openWorld()
  const { db, database } = world
  const support = await world.as('support')
  const { thread, reply } = messagesKit(world, support)
  const mail = await startGatedServer()
  const start = () => startWorker([JSON.stringify(database.service), JSON.stringify(timing), mail.url])
  const threads = [await thread(), await thread(), await thread()]
  let isOver = false
  const heldReplies = async () => {
    const { rows } = await sql`
      select from support_messages where direction = 'outbound' and email_tries = 0`.execute(db)
    return rows.length
  }
  /** Deletes the reply that was written last, and so is still held. */
  const undoOne = async (): Promise<string> => {
    const { rows } = await sql<{ id: string; thread_id: string }>`
      select id, thread_id from support_messages where direction = 'outbound' and email_status = 'queued'
      order by created_at desc limit 1`.execute(db)
    const { id, thread_id } = rows[0] ?? expect.fail('there is no held reply')
    const { status } = await support.delete(`/admin/messages/threads/${thread_id}/messages/${id}`)
    expect(status).toBe(200)
    return id
  }
  // It runs before the first reply is written: a slow start would outlast the hold.
  const early = await start()
  const writing = (async () => {
    const ids: string[] = []
    while (ids.length < replies || !isOver) {
      ids.push(await reply(threads[ids.length % 3] ?? '', `Réponse ${ids.length}`))
      // More, so that each killed process has something to send.
      if (ids.length > replies) await sleep(50)
    }
    return ids
  })()

  // A kill while all replies are still held.
  await until('replies are held', async () => (await heldReplies()) > 2)
  early.kill('SIGKILL')
  await once(early, 'exit')
  expect(mail.received).toEqual([])
  const undone = await undoOne()

  for (let kill = 0; kill < kills; kill++) {
    const victim = await start()
    // Every second kill happens between hand-over and reply of the server; the others anywhere.
    const isInside = kill % 2 === 0
    const before = mail.received.length
    if (isInside) mail.hold()
    await until('it sends', () => (isInside ? mail.held() > 0 : mail.received.length > before))
    await sleep(Math.random() * (isInside ? 5 : 200))
    victim.kill('SIGKILL')
    await once(victim, 'exit')
    mail.letGo()
    // pg-boss itself waits at least ten seconds before it considers a worker dead.
    if (!long) await run(database.owner, 'update pgboss.job set heartbeat_seconds = 3')
  }
  isOver = true
  const ids = (await writing).filter((id) => id !== undone)
  await start()
  const left = async () =>
    (await sql`select from support_messages where email_status in ('queued', 'sending')`.execute(db)).rows
      .length
  await until('nothing is on its way any more', async () => (await left()) === 0, 60_000 + ids.length * 1_000)

  const { rows } = await sql<{ id: string; message_id: string; email_status: string }>`
    select id, message_id, email_status from support_messages where direction = 'outbound'`.execute(db)
  expect(rows.map(({ id }) => id).sort()).toEqual(ids.sort())
  const seen = rows.map(({ message_id, email_status }) => ({
    email_status,
    arrived: mail.received.filter(({ messageId }) => messageId === message_id).length,
  }))
  expect(seen.filter(({ email_status, arrived }) => email_status === 'sent' && arrived !== 1)).toEqual([])
  expect(mail.received.filter(({ messageId }) => messageId.includes(undone))).toEqual([])
  expect(seen.filter(({ email_status, arrived }) => email_status === 'uncertain' && arrived > 1)).toEqual([])
  const uncertain = seen.filter(({ email_status }) => email_status === 'uncertain')
  expect(seen.filter(({ email_status }) => email_status === 'sent').length + uncertain.length).toBe(
    ids.length,
  )
  // The messages that killed processes were sending.
  expect(uncertain.length).toBeGreaterThan(0)
  expect(uncertain.length).toBeLessThanOrEqual(2 * kills)
})

async function startWorker(words: string[]): Promise<ChildProcess> {
  const script = fileURLToPath(new URL('./send.test-worker.ts', import.meta.url))
  const child = spawn(process.execPath, [script, ...words], { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  await once(child.stdout, 'data')
  return child
}
