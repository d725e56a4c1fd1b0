import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { jwtSecret, sessionKey } from '../../../../test/support/factories.ts'
import { openMairie } from '../../../../test/support/mairies.ts'
import { openWorld } from '../../../../test/support/world.ts'
import { until } from '../../../platform/jobs/jobs.test-kit.ts'
import { startSmtpServer } from '../../../platform/mail/mail-servers.test-kit.ts'
import { subscribersKit } from '../subscribers.test-kit.ts'
import { settle } from './deliveries.ts'

const server = await startSmtpServer({}, afterAll)
const world = await openWorld()
const { db } = world
const { subscribe, broadcastOf, statuses, passTime } = subscribersKit(world)
const { commune: town, secretary: editor } = await openMairie(world)

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
    },
  })
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  await once(child.stdout as NodeJS.ReadableStream, 'data')
  return child
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
