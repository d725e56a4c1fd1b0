import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openWorld, run } from '../../../../test/support/world.ts'
import { startWorker, until } from '../../../platform/jobs/jobs.test-kit.ts'
import { startGatedServer } from '../../../platform/mail/mail-servers.test-kit.ts'
import { groundsKit } from '../../grounds/grounds.test-kit.ts'
import { reportsKit } from './reports.test-kit.ts'

const kills = process.env.PARVIS_TEST_LONG === undefined ? 2 : 10

test('after kill -9 between a decision and its mails each reporter gets one outcome, or it is uncertain', {
  timeout: (2 + kills) * 60_000,
}, async () => {
  const world = await openWorld({ env: { TRUST_PROXY: 'loopback' } })
  const { db, config, database } = world
  const { written } = groundsKit(world)
  const { another, send } = reportsKit(world)
  const admin = await world.as('admin')
  const mail = await startGatedServer()
  const words = [mail.url, config.sessionKeys[0] ?? '']
  const start = () =>
    startWorker(new URL('./outcomes.test-worker.ts', import.meta.url), database.service, words)
  const outcomes = async () => {
    const { rows } = await sql<{ id: string; reporter_id: string; email_status: string }>`
      select id, reporter_id, email_status from report_mails where kind = 'outcome'`.execute(db)
    return rows
  }

  const publications = [await written(), await written()]
  const addresses: string[] = []
  for (const { id } of publications)
    for (let nth = 0; nth < 3 + kills; nth++) {
      const email = `reporter-${addresses.push('')}@example.org`
      addresses[addresses.length - 1] = email
      await world.post(`/publications/${id}/report`, { category: 'spam', email }, another())
    }
  expect(await send()).toHaveLength(addresses.length)

  // Killed while an undo can still cancel the decisions.
  const early = await start()
  for (const { at } of publications)
    expect((await admin.patch(`${at}/valide`, { valide: false, ground: 'spam' })).status).toBe(200)
  await kill(early)
  expect((await outcomes()).map(({ email_status }) => email_status)).toEqual(addresses.map(() => 'queued'))
  expect(mail.received).toEqual([])

  await sql`update report_mails set created_at = created_at - interval '31 seconds'`.execute(db)
  for (let nth = 0; nth < kills; nth++) {
    mail.hold()
    const victim = await start()
    // Both that it sends at once are accepted, and neither is noted.
    await until('it sends', () => mail.held() === 2)
    await kill(victim)
    mail.letGo()
    // pg-boss itself waits at least ten seconds before it considers a worker dead.
    await run(database.owner, 'update pgboss.job set heartbeat_seconds = 3')
  }
  await start()
  await until('nothing is on its way any more', async () =>
    (await outcomes()).every(({ email_status }) => email_status === 'sent' || email_status === 'uncertain'),
  )

  const rows = await outcomes()
  expect(new Set(rows.map(({ reporter_id }) => reporter_id)).size).toBe(addresses.length)
  expect(rows).toHaveLength(addresses.length)
  const arrivedOf = (id: string) => mail.received.filter(({ messageId }) => messageId.includes(id)).length
  for (const { id, email_status } of rows) expect([email_status, arrivedOf(id)]).toEqual([email_status, 1])
  expect(mail.received.map(({ to }) => to).sort()).toEqual(addresses.sort())
  expect(rows.filter(({ email_status }) => email_status === 'uncertain')).toHaveLength(2 * kills)
})

async function kill(worker: ChildProcess): Promise<void> {
  worker.kill('SIGKILL')
  await once(worker, 'exit')
}
