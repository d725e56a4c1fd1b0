import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { openMairie } from '../../../test/support/mairies.ts'
import { openWorld } from '../../../test/support/world.ts'
import { addressesOf } from './addresses.ts'
import { subscribeBrowser } from './browsers.ts'
import { deleteNeverProven, proof } from './proving.ts'
import { ensurePushKeys } from './push-keys.ts'
import { startPushService } from './push-service.test-kit.ts'
import { subscribersKit } from './subscribers.test-kit.ts'

const service = await startPushService()
const world = await openWorld({ env: { PUSH_SERVICES: '*' } })
const { db, jobs, config } = world
const kit = subscribersKit(world)
const { commune: town, secretary: editor } = await openMairie(world)
const push = () => kit.pusher(service.ca)

beforeEach(async () => {
  await sql`delete from broadcasts`.execute(db)
  await sql`delete from resident_subscribers`.execute(db)
  service.received.length = 0
  service.silent.length = 0
  service.answerTo = () => ({ status: 201 })
})

async function subscribe() {
  const browser = service.browser()
  const { endpoint, ...keys } = browser
  const { publicKey: serverKey } = await ensurePushKeys(db, config.sessionKeys)
  const choice = { alertes: 'all', collectes_hour: null, collectes_secteur: null, actualites: false } as const
  await subscribeBrowser(
    { db, jobs, addresses: addressesOf(config.sessionKeys) },
    { endpoint, keys: { ...keys, serverKey } },
    { id: town.id, isGroup: false },
    choice,
  )
  return browser
}
async function alert() {
  const alerte = { titre: 'Eau', message: 'Coupée.', niveau: 'info' }
  const { body } = await editor.post(`/mairie/communes/${town.id}/alertes`, alerte)
  const id = (await kit.broadcastOf(body.data.id))?.id ?? ''
  await kit.expand(kit.mailer(), id)
  await kit.sendPushes(push(), id)
  return (await kit.broadcastOf(body.data.id))?.recipients
}
const count = async () =>
  (await editor.get(`/mairie/communes/${town.id}/reach`)).body.data.subscribers as unknown[]
const known = async () => (await sql`select from resident_subscribers`.execute(db)).rows.length

test('a browser counts and gets messages once its push service has accepted a first one, which shows nothing', async () => {
  const browser = await subscribe()
  const { rows } = await sql`select from pgboss.job where name = ${proof.name}`.execute(db)
  expect(rows).toHaveLength(1)
  expect([await count(), await alert()]).toEqual([[], 0])
  expect(await kit.prove(push())).toBe(0)
  expect(service.silent).toEqual([browser])
  expect([await count(), await alert()]).toEqual([[{ kind: 'alertes', channel: 'push', count: 1 }], 1])
  expect(service.received.map(({ browser: one }) => one)).toEqual([browser])
})

test('a browser whose push service fails or does not answer is tried again, and deleted after the last attempt', async () => {
  await subscribe()
  for (const answer of [{ status: 500 }, { status: 429 }, 'cut'] as const) {
    service.answerTo = () => answer
    expect([await kit.prove(push()), await known()]).toEqual([1, 1])
  }
  expect(await kit.prove(push(), { isLast: true })).toBe(0)
  expect(await known()).toBe(0)
})

test.each([400, 404, 410])(
  'a browser whose push service answers its first message by %i is deleted',
  async (status) => {
    await subscribe()
    service.answerTo = () => ({ status })
    expect([await kit.prove(push()), await known()]).toEqual([0, 0])
  },
)

test('a browser whose job is lost is deleted after 48 hours; a proven one stays', async () => {
  await subscribe()
  await kit.subscribeBrowsers([service.browser()], [town.id])
  const later = (hours: number) =>
    sql`update resident_subscribers set created_at = now() - make_interval(hours => ${hours}::int)`.execute(
      db,
    )
  await later(47)
  expect(await deleteNeverProven(db, 10)).toBe(0)
  await later(49)
  expect(await deleteNeverProven(db, 10)).toBe(1)
  expect(await known()).toBe(1)
})
