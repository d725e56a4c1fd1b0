import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { sign } from '../../src/modules/payments/inbox/signature.ts'
import { event, subscriptionObject, type TestEvent } from '../../src/modules/payments/payments.test-kit.ts'
import { enter, killPostgres } from './postgres.ts'
import { randomFrom, replay, seed } from './seed.ts'
import {
  cleanUp,
  endedWell,
  killService,
  newDataDir,
  patienceMs,
  startService,
  stop,
  until,
} from './service.ts'

afterAll(cleanUp, patienceMs)

const kills = process.env.PARVIS_TEST_LONG ? 30 : 2
const secret = 'whsec_of_a_service_that_is_killed'
const senders = 4

type Sent = { body: TestEvent; acknowledged: boolean }

test(`kill -9 in the middle of deliveries: no event that was answered is lost, each has its effect once ${replay}`, {
  timeout: kills * patienceMs,
}, async () => {
  const random = randomFrom(seed)
  const dataDir = newDataDir()
  const start = () => startService({ dataDir, env: { PAYMENT_SIGNING_SECRETS: secret, SEED: 'none' } })
  let service = start()
  await service.ready
  await noteEffects(dataDir)
  const sent: Sent[] = []

  for (let kill = 0; kill < kills; kill++) {
    const url = `${await service.ready}/api/v1/webhooks/payment`
    const before = countAcknowledged(sent)
    const sending = Array.from({ length: senders }, () => sendUntilItDies(url, sent))
    expect(await until(() => countAcknowledged(sent) > before + senders, service)).toBe(true)
    await sleep(random() * 400)
    if (kill % 3 === 2) killPostgres(dataDir, { whole: true })
    await killService(service)
    await Promise.all(sending)
    service = start()
    await service.ready
  }

  const waiting = "select from payment_events where status = 'received'"
  await until(async () => (await query(dataDir, waiting)).length === 0, service)
  const kept = new Map(
    (await query(dataDir, 'select id, status, tries from payment_events')).map((row) => [row.id, row]),
  )
  const acknowledged = sent.filter(({ acknowledged }) => acknowledged)
  expect(acknowledged.filter(({ body }) => !kept.has(body.id))).toEqual([])
  expect(new Set([...kept.values()].map(({ status }) => status))).toEqual(new Set(['processed']))
  const effects = await query(dataDir, 'select event from effects order by event')
  expect(effects.map((row) => row.event)).toEqual([...kept.keys()].sort())
  // The last of each subscription that came is what it is.
  const subscriptions = await query(
    dataDir,
    'select provider_subscription_id as id, status_by from subscriptions',
  )
  const last = new Map<string, TestEvent>()
  for (const { body } of sent.filter(({ body }) => kept.has(body.id))) {
    const id = String(body.data.object.id)
    if ((last.get(id)?.created ?? 0) < body.created) last.set(id, body)
  }
  expect(new Map(subscriptions.map(({ id, status_by }) => [id, status_by]))).toEqual(
    new Map([...last].map(([id, body]) => [id, body.id])),
  )
  expect(await stop(service)).toEqual(endedWell)
})

/** Each event once, and every third twice: until there is nobody to answer. */
async function sendUntilItDies(url: string, sent: Sent[]): Promise<void> {
  for (;;) {
    const number = sent.length
    const object = subscriptionObject({ id: `sub_${number % 5}`, customer: 'cus_1' })
    const one: Sent = {
      body: event('customer.subscription.updated', object, { created: 1_795_000_000 + number }),
      acknowledged: false,
    }
    sent.push(one)
    for (let time = 0; time < (number % 3 === 0 ? 2 : 1); time++) {
      const body = JSON.stringify(one.body)
      const headers = { 'payment-signature': await sign(body, secret) }
      const response = await fetch(url, { method: 'POST', headers, body }).catch(() => null)
      if (response === null) return
      expect([200, 503]).toContain(response.status)
      if (response.status === 200) one.acknowledged = true
    }
  }
}

const countAcknowledged = (sent: Sent[]) => sent.filter(({ acknowledged }) => acknowledged).length

/** Counts effects where they happen: each time that an event ends. */
async function noteEffects(dataDir: string): Promise<void> {
  const client = await enter(dataDir)
  await client.query(`
    create table effects (event text collate "C");
    create function note_effect() returns trigger language plpgsql security definer as $$
      begin insert into public.effects values (new.id); return null; end $$;
    create trigger note_effect after update on payment_events for each row
      when (old.status is distinct from new.status) execute function note_effect()`)
  await client.end()
}

async function query(dataDir: string, text: string) {
  const client = await enter(dataDir)
  const { rows } = await client.query(text)
  await client.end()
  return rows
}
