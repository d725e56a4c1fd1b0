import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { jwtSecret, sessionKey } from '../../../../test/support/factories.ts'
import { openMairie } from '../../../../test/support/mairies.ts'
import { openWorld } from '../../../../test/support/world.ts'
import { until } from '../../../platform/jobs/jobs.test-kit.ts'
import { startSmtpServer } from '../../../platform/mail/mail-servers.test-kit.ts'
import { startPushService } from '../push-service.test-kit.ts'
import { subscribersKit } from '../subscribers.test-kit.ts'
import { settle } from './deliveries.ts'

const server = await startSmtpServer({}, afterAll)
const service = await startPushService()
const world = await openWorld()
const { db } = world
const { subscribe, subscribeBrowsers, broadcastOf, statuses, passTime } = subscribersKit(world)
const { commune: town, secretary: editor } = await openMairie(world)

/** The certificate of the push service, which a process reads at its start. */
const certificate = join(mkdtempSync(join(tmpdir(), 'parvis-')), 'ca.pem')
writeFileSync(certificate, service.ca)
afterAll(() => rmSync(dirname(certificate), { recursive: true }))

async function startWorker(): Promise<ChildProcess> {
  const script = fileURLToPath(new URL('./broadcasts.test-worker.ts', import.meta.url))
  const child = spawn(process.execPath, [script, JSON.stringify(world.database.service)], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      AUTH_JWT_SECRET: jwtSecret,
      SESSION_KEY: sessionKey,
      MAIL_URL: `smtp://127.0.0.1:${server.port}`,
      MAIL_RATE: '20',
      IMPORT_ALLOW_PRIVATE: 'true',
      PUSH_SERVICES: '*',
      NODE_EXTRA_CA_CERTS: certificate,
    },
  })
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  await once(child.stdout as NodeJS.ReadableStream, 'data')
  return child
}

/** Counts the pushes by status, in one look: one that did not leave goes from `sending` back to `queued`. */
async function pushStatuses(id: string) {
  const { rows } = await sql<{ queued: number; sending: number; sent: number; uncertain: number }>`
    select count(*) filter (where status = 'queued')::int as queued, count(*) filter (where status = 'sending')::int as sending,
      count(*) filter (where status = 'sent')::int as sent, count(*) filter (where status = 'uncertain')::int as uncertain
    from broadcast_deliveries where broadcast_id = ${id} and channel = 'push'`.execute(db)
  return rows[0] ?? { queued: 0, sending: 0, sent: 0, uncertain: 0 }
}

const allOf = () => server.received.map(({ session }) => session.envelope.rcptTo[0]?.address ?? '')

test('after kill -9 sending resumes within 15 s of the restart; nobody gets it twice, at most ten are uncertain', {
  timeout: 180_000,
}, async () => {
  const people = 80
  await subscribe(people, [town.id])
  const path = `/mairie/communes/${town.id}/alertes`
  const { body } = await editor.post(path, { titre: 'Eau', message: 'Coupée.', niveau: 'urgence' })
  const id = (await broadcastOf(body.data.id))?.id ?? ''
  const victim = await startWorker()
  await until('some have left', () => server.received.length >= 25)
  victim.kill('SIGKILL')
  await once(victim, 'exit')
  const before = server.received.length
  const inHand = (await statuses(id)).sending ?? 0
  expect(inHand).toBeLessThanOrEqual(10)
  await startWorker()
  const restarted = performance.now()
  await until('sending goes on', () => server.received.length > before)
  expect(performance.now() - restarted).toBeLessThan(15_000)
  await until('nothing is queued', async () => {
    const { queued = 0, sending = 0 } = await statuses(id)
    return queued === 0 && sending === inHand
  })
  await passTime()
  expect(await settle(db, id, 'email', new Date())).toBeNull()
  const { sent = 0, uncertain = 0, ...others } = await statuses(id)
  expect([sent + uncertain, uncertain, others]).toEqual([people, inHand, {}])
  const received = allOf()
  expect(new Set(received).size).toBe(received.length)
  expect(received.length).toBeGreaterThanOrEqual(sent)
  expect(received.length).toBeLessThanOrEqual(sent + uncertain)
})

test('after kill -9 pushes go on; no browser gets it twice, at most a hundred are uncertain', {
  timeout: 180_000,
}, async () => {
  const people = 1_500
  const browsers = Array.from({ length: people }, () => service.browser())
  await subscribeBrowsers(browsers, [town.id], 'urgent')
  const path = `/mairie/communes/${town.id}/alertes`
  const victim = await startWorker()
  const { body } = await editor.post(path, { titre: 'Gaz', message: 'Fermez tout.', niveau: 'urgence' })
  const id = (await broadcastOf(body.data.id))?.id ?? ''
  await until('some have left', () => service.received.length >= 200)
  victim.kill('SIGKILL')
  await once(victim, 'exit')
  const { sending: inHand, queued: before } = await pushStatuses(id)
  expect(inHand).toBeLessThanOrEqual(100)
  expect(before).toBeGreaterThan(0)
  await startWorker()
  await until('all others are sent', async () => {
    const { queued, sending } = await pushStatuses(id)
    return queued === 0 && sending === inHand
  })
  await passTime()
  await settle(db, id, 'push', new Date())
  const { sent, uncertain } = await pushStatuses(id)
  expect([sent + uncertain, uncertain]).toEqual([people, inHand])
  const received = service.received.map(({ browser }) => browser.endpoint)
  expect(new Set(received).size).toBe(received.length)
  expect(received.length).toBeGreaterThanOrEqual(sent)
  expect(received.length).toBeLessThanOrEqual(people)
})
