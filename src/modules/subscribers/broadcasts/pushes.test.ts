import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { untilWaiting } from '../../../../test/support/locks.ts'
import { openMairie } from '../../../../test/support/mairies.ts'
import { isWhole } from '../../../../test/support/sample.ts'
import { openWorld } from '../../../../test/support/world.ts'
import { createGuardedPost } from '../../../platform/fetch/guarded-post.ts'
import { listTransportFailures } from '../../../platform/mail/transports.ts'
import { addressesOf } from '../addresses.ts'
import { moveBrowser } from '../browsers.ts'
import { ensurePushKeys } from '../push-keys.ts'
import { type Browser, startPushService } from '../push-service.test-kit.ts'
import { subscribersKit } from '../subscribers.test-kit.ts'
import { recordOutcomes, takeDeliveries } from './deliveries.ts'
import { createPushSender } from './push-sender.ts'
import { sendPushSlice } from './send-pushes.ts'

const service = await startPushService()
const other = await startPushService()
const world = await openWorld({
  env: {
    ...{ MAIL_RATE: '1000', VAPID_SUBJECT: 'mailto:mairie@example.org' },
    PUSH_SERVICES: [service, other].map(({ url }) => new URL(url).host).join(),
  },
})
const { db, config } = world
const kit = subscribersKit(world)
const { subscribe, subscribeBrowsers, mailer, expand, send, sendPushes, passTime, broadcastOf, statuses } =
  kit
const { commune: town, secretary: editor } = await openMairie(world)
const path = `/mairie/communes/${town.id}/alertes`
const water = { titre: 'Coupure d’eau', message: 'Rue du Puits, de 8 h à midi.', niveau: 'attention' }
const pusher = (options = {}) => kit.pusher(service.ca, options)

beforeEach(async () => {
  await sql`delete from broadcasts`.execute(db)
  await sql`delete from resident_subscribers`.execute(db)
  for (const one of [service, other]) {
    one.received.length = 0
    one.asked = 0
    one.answerTo = accepts
  }
})

async function create(values: object = {}) {
  const { status, body, text } = await editor.post(path, { ...water, ...values })
  expect(status, text).toBe(201)
  const id = (await broadcastOf(body.data.id))?.id ?? ''
  await expand(mailer(), id)
  return { alerte: body.data as { id: string }, id }
}
const browsersOf = (count: number, at = service) => Array.from({ length: count }, () => at.browser())
const endpoints = (list: Browser[]) => list.map(({ endpoint }) => endpoint).toSorted()
const reached = (at = service) => endpoints(at.received.map(({ browser }) => browser))
const subscribed = async () => {
  const { rows } = await sql<{ id: string; failures: number }>`
    select id, failures from resident_subscribers order by id`.execute(db)
  return rows
}
const accepts = () => ({ status: 201 })

test('an alerte reaches each browser once, encrypted for it and signed for its push service', async () => {
  const all = browsersOf(120)
  const kept = await subscribeBrowsers(all, [town.id])
  const [urgent] = await subscribeBrowsers(browsersOf(1), [town.id], 'urgent')
  const { alerte, id } = await create({ niveau: 'urgence', fin: '2100-01-01T00:00:00Z' })
  expect(await sendPushes(pusher(), id)).toBeNull()
  expect(reached()).toEqual(endpoints([...all, { endpoint: urgent?.address } as Browser]))
  const { publicKey } = await ensurePushKeys(db, config.sessionKeys)
  for (const { browser, manage, headers, size, ...message } of service.received) {
    const one = kept.find(({ address }) => address === browser.endpoint) ?? urgent
    expect(manage).toBe(`/abonnement/${one?.token}`)
    expect(message).toEqual({
      title: `${town.nom} · Urgence : Coupure d’eau`,
      body: water.message,
      path: `/communes/${town.slug}/alertes`,
      tag: alerte.id.replaceAll('-', ''),
      subject: 'mailto:mairie@example.org',
      key: publicKey,
    })
    expect(headers).toMatchObject({ urgency: 'high', topic: message.tag, ttl: `${28 * 24 * 3_600}` })
    expect(size).toBeLessThan(4_096)
  }
  expect(await statuses(id)).toEqual({ sent: 121 })
  expect((await broadcastOf(alerte.id))?.status).toBe('ended')
})

test('somebody who subscribed by mail and by browser gets both, each once', async () => {
  await subscribe(1, [town.id])
  await subscribeBrowsers(browsersOf(1), [town.id])
  const { alerte, id } = await create()
  const driven = mailer()
  await send(driven, id)
  expect((await broadcastOf(alerte.id))?.status).toBe('sending')
  await sendPushes(pusher(), id)
  await send(driven, id)
  expect([driven.accepted.length, service.received.length]).toEqual([1, 1])
  expect(await broadcastOf(alerte.id)).toMatchObject({ status: 'ended', recipients: 2, sent: 2 })
})

test('the end of an alerte replaces it, and is told to those who were told of it', async () => {
  await subscribeBrowsers(browsersOf(2), [town.id])
  const { alerte, id } = await create()
  await sendPushes(pusher(), id)
  await subscribeBrowsers(browsersOf(1), [town.id])
  const fin = new Date().toISOString()
  const { status, text } = await editor.patch(`${path}/${alerte.id}`, { fin, prevenir: true })
  expect(status, text).toBe(200)
  const end = (await broadcastOf(alerte.id, 'alerte_fin'))?.id ?? ''
  await expand(mailer(), end)
  await sendPushes(pusher(), end)
  const [first, , third, fourth] = service.received
  expect(service.received).toHaveLength(4)
  expect(fourth?.title).toBe(`${town.nom} · Fin de l’alerte : Coupure d’eau`)
  expect(third?.tag).toBe(first?.tag)
})

test('a correction replaces the alerte on the browsers that got it, and says that it is one', async () => {
  await subscribeBrowsers(browsersOf(1), [town.id])
  const { alerte, id } = await create()
  await sendPushes(pusher(), id)
  await editor.patch(`${path}/${alerte.id}`, { niveau: 'urgence', titre: 'Coupure', notify: true })
  const correction = (await broadcastOf(alerte.id, 'alerte_correction'))?.id ?? ''
  await expand(mailer(), correction)
  await sendPushes(pusher(), correction)
  const [first, second] = service.received
  expect(second).toMatchObject({ title: `${town.nom} · Correction : Coupure`, tag: first?.tag })
  expect(second?.headers.urgency).toBe('high')
})

test('a corrected alerte reaches with its new text whoever was not sent the former one, and nobody twice', async () => {
  const [early, late] = [service.browser(), service.browser()]
  await subscribeBrowsers([early, late], [town.id])
  const { alerte, id } = await create()
  service.answerTo = ({ endpoint }) => ({ status: endpoint === early.endpoint ? 201 : 500 })
  await sendPushes(pusher(), id)
  expect((await editor.patch(`${path}/${alerte.id}`, { titre: 'Eau revenue' })).status).toBe(200)
  service.answerTo = accepts
  await passTime()
  await sendPushes(pusher(), id)
  expect(service.received.map(({ browser, title }) => [browser.endpoint, title])).toEqual([
    [early.endpoint, `${town.nom} · Attention : Coupure d’eau`],
    [late.endpoint, `${town.nom} · Attention : Eau revenue`],
  ])
})

test('an alerte withdrawn in the middle stops: what has not left is not sent', async () => {
  await subscribeBrowsers(browsersOf(200), [town.id])
  const { alerte, id } = await create()
  let withdrawn: Promise<unknown> | undefined
  service.answerTo = () => {
    withdrawn ??= editor.delete(`${path}/${alerte.id}`)
    return { status: 201 }
  }
  await sendPushes(pusher(), id)
  await withdrawn
  expect(service.received.length).toBeLessThan(200)
  const before = service.received.length
  await sendPushes(pusher(), id)
  expect(service.received.length).toBe(before)
})

test.each([404, 410])('a browser whose endpoint answers %i is deleted at once', async (status) => {
  const [gone, stays] = [service.browser(), service.browser()]
  const kept = await subscribeBrowsers([gone, stays], [town.id])
  const { id } = await create()
  service.answerTo = ({ endpoint }) => ({ status: endpoint === gone.endpoint ? status : 201 })
  await sendPushes(pusher(), id)
  expect((await subscribed()).map((one) => one.id)).toEqual([kept[1]?.id])
  expect(reached()).toEqual([stays.endpoint])
})

test('a browser that moves while its former endpoint is gone gets the message at the new one', async () => {
  const [before, after] = [service.browser(), service.browser()]
  const [kept] = await subscribeBrowsers([before], [town.id])
  const { id } = await create()
  service.answerTo = async ({ endpoint }) => {
    if (endpoint !== before.endpoint) return { status: 201 }
    await moveBrowser(db, addressesOf(config.sessionKeys), ['*'], { before: endpoint, ...after })
    return { status: 410 }
  }
  await sendPushes(pusher(), id)
  expect(await statuses(id)).toEqual({ queued: 1 })
  await passTime()
  await sendPushes(pusher(), id)
  expect(await statuses(id)).toEqual({ sent: 1 })
  expect(reached()).toEqual([after.endpoint])
  expect(await subscribed()).toEqual([{ id: kept?.id, failures: 0 }])
})

test('a browser whose endpoint refuses three messages in a row is deleted; one that accepts between is not', async () => {
  const [bad, moody] = [service.browser(), service.browser()]
  await subscribeBrowsers([bad, moody], [town.id])
  for (const round of [1, 2, 3]) {
    const { id } = await create()
    service.answerTo = ({ endpoint }) => ({ status: endpoint === bad.endpoint || round !== 2 ? 400 : 201 })
    await sendPushes(pusher(), id)
    expect(await statuses(id)).toMatchObject(round === 3 ? { failed: 1 } : { failed: round === 2 ? 1 : 2 })
  }
  expect(await subscribed()).toMatchObject([{ failures: 1 }])
})

test('a browser of a service that PUSH_SERVICES does not name is sent nothing', async () => {
  const unnamed = await startPushService()
  await subscribeBrowsers(browsersOf(1, unnamed), [town.id])
  const { id } = await create()
  await sendPushes(pusher(), id)
  expect([unnamed.asked, await statuses(id)]).toEqual([0, { failed: 1 }])
})

test.each([401, 403, 413, 500, 502])('an answer of %i is tried again, and deletes nobody', async (status) => {
  await subscribeBrowsers(browsersOf(1), [town.id])
  const { id } = await create()
  service.answerTo = () => ({ status })
  for (let attempt = 0; attempt < 4; attempt++) {
    await sendPushes(pusher(), id)
    await passTime()
  }
  expect(await subscribed()).toMatchObject([{ failures: 0 }])
  service.answerTo = accepts
  await sendPushes(pusher(), id)
  expect(await statuses(id)).toEqual({ sent: 1 })
})

test('Retry-After is waited for at its push service, while the others go on', async () => {
  await subscribeBrowsers(browsersOf(150), [town.id])
  await subscribeBrowsers(browsersOf(150, other), [town.id])
  const { id } = await create()
  service.answerTo = () => ({ status: 429, headers: { 'Retry-After': '120' } })
  let now = new Date()
  const push = pusher({ clock: () => now })
  const remaining = await sendPushes(push, id)
  expect(other.received).toHaveLength(150)
  expect(service.asked).toBeLessThanOrEqual(10)
  expect(remaining?.afterMs).toBeGreaterThan(30_000)
  const { rows } = await sql<{ tries: number; waits: boolean }>`
    select distinct tries, next_at > now() + interval '30 seconds' as waits from broadcast_deliveries
    where broadcast_id = ${id} and status = 'queued' order by tries`.execute(db)
  // Postponed deliveries do not count as attempts.
  expect(rows).toEqual([
    { tries: 0, waits: true },
    { tries: 1, waits: true },
  ])
  const before = service.asked
  await passTime()
  await sendPushes(push, id)
  expect(service.asked).toBe(before)
  service.answerTo = accepts
  now = new Date(now.getTime() + 121_000)
  await passTime()
  expect(await sendPushes(push, id)).toBeNull()
  expect(await statuses(id)).toEqual({ sent: 300 })
  expect(new Set(reached()).size).toBe(150)
})

test('a push service that does not answer is left alone for a while; nobody knows, and nothing is sent again', async () => {
  await subscribeBrowsers(browsersOf(150), [town.id])
  await subscribeBrowsers(browsersOf(10, other), [town.id])
  const { id } = await create()
  service.answerTo = () => 'silence'
  await sendPushes(pusher({ timeoutMs: 3_000 }), id)
  const { uncertain = 0, queued = 0, sent } = await statuses(id)
  expect([sent, uncertain + queued]).toEqual([10, 150])
  expect(uncertain).toBeLessThanOrEqual(20)
  service.answerTo = accepts
  await passTime()
  await sendPushes(pusher(), id)
  expect(service.received).toHaveLength(queued)
  expect(await statuses(id)).toEqual({ sent: 10 + queued, uncertain })
})

test.each([
  ['what it asked for, at least a second', '7', [7, 7, 7, 8]],
  ['a second, doubled each time, without a wish', undefined, [1, 2, 4, 8]],
])('a delivery that its push service postpones waits for %s', async (_what, wish, expected) => {
  await subscribeBrowsers(browsersOf(1), [town.id])
  const { id } = await create()
  service.answerTo = () => ({ status: 429, ...(wish && { headers: { 'Retry-After': wish } }) })
  const waits: number[] = []
  for (const _attempt of expected) {
    await sendPushes(pusher(), id)
    const { rows } = await sql<{ seconds: number }>`
      select extract(epoch from next_at - status_at)::int as seconds from broadcast_deliveries
      where broadcast_id = ${id}`.execute(db)
    waits.push(rows[0]?.seconds ?? 0)
    await passTime()
  }
  expect(waits).toEqual(expected)
})

test('a browser that ten messages in a row do not reach is deleted; one that a message reaches between is not', async () => {
  const [silent, failing, moody] = [service.browser(), service.browser(), service.browser()]
  const [, , stays] = await subscribeBrowsers([silent, failing, moody], [town.id])
  for (let round = 1; round <= 10; round++) {
    expect(await subscribed()).toHaveLength(3)
    const { id } = await create()
    service.answerTo = ({ endpoint }) => {
      if (endpoint === moody.endpoint && round === 5) return { status: 201 }
      return endpoint === failing.endpoint ? { status: 500 } : 'cut'
    }
    await passTime()
    await sendPushes(pusher(), id)
    // Another attempt at the same message does not count.
    await passTime()
    await sendPushes(pusher(), id)
  }
  expect((await subscribed()).map(({ id }) => id)).toEqual([stays?.id])
})

test('browsers that the last message did not reach are served after the others', async () => {
  const [late, early] = [service.browser(), service.browser()]
  const [doubtful] = await subscribeBrowsers([late, early], [town.id])
  await sql`update resident_subscribers set unreached = 1 where id = ${doubtful?.id}`.execute(db)
  const { id } = await create()
  const remaining = await sendPushes(pusher(), id)
  expect([reached(), (remaining?.afterMs ?? 0) > 0]).toEqual([[early.endpoint], true])
  await passTime()
  await sendPushes(pusher(), id)
  expect(reached()).toEqual(endpoints([late, early]))
  expect(await subscribed()).toMatchObject([{ failures: 0 }, { failures: 0 }])
})

test.runIf(isWhole)(
  'a thousand browsers that never answer delay neither others, nor the slice, nor another message',
  async () => {
    const [bad, good] = [browsersOf(1_000), browsersOf(200, other)]
    await subscribeBrowsers(bad, [town.id])
    await subscribeBrowsers(good, [town.id])
    service.answerTo = () => 'silence'
    const [first, second] = [await create(), await create()]
    const push = createPushSender({
      ...{ db, config, clock: () => new Date() },
      post: createGuardedPost({ allowPrivate: true, ca: service.ca, timeoutMs: 600_000 }),
    })
    const tools = { db, config, log: world.log, clock: () => new Date(), push }
    const slices: Promise<unknown>[] = []
    for (const { id } of [first, second])
      while ((await sentBy(id)) < good.length) {
        const { late } = await sendPushSlice(tools, id, kit.signal)
        slices.push(late)
      }
    // None of the thousand has ended: nobody waited for them, and few were asked.
    expect((await statuses(first.id)).uncertain ?? 0).toBe(0)
    expect(service.asked).toBeLessThanOrEqual(20)
    service.hangUp()
    await Promise.all(slices)
    expect(other.received).toHaveLength(2 * good.length)
  },
)

async function sentBy(id: string): Promise<number> {
  return (await statuses(id)).sent ?? 0
}

test('a push service that cannot be reached gets everything afterwards', async () => {
  await subscribeBrowsers(browsersOf(60), [town.id])
  const { id } = await create()
  // Nobody trusts its certificate yet.
  await sendPushes(kit.pusher(''), id)
  expect([service.asked, await statuses(id)]).toEqual([0, { queued: 60 }])
  await passTime()
  await sendPushes(pusher(), id)
  expect(await statuses(id)).toEqual({ sent: 60 })
})

test('whoever leaves while an alerte is sent gets nothing more', async () => {
  const browsers = browsersOf(3)
  const kept = await subscribeBrowsers(browsers, [town.id])
  const { id } = await create()
  const response = await fetch(`${world.url}/abonnement/${kept[0]?.token}/quitter`, { method: 'POST' })
  expect(response.status).toBe(200)
  await sendPushes(pusher(), id)
  expect(reached()).toEqual(endpoints(browsers.slice(1)))
})

test('browsers count in the reach of a commune', async () => {
  await subscribe(1, [town.id])
  await subscribeBrowsers(browsersOf(2), [town.id])
  const { body } = await editor.get(`/mairie/communes/${town.id}/reach`)
  expect(body.data.subscribers).toEqual([
    { kind: 'alertes', channel: 'email', count: 1 },
    { kind: 'alertes', channel: 'push', count: 2 },
  ])
})

test('an outcome that waits for a broadcast holds no delivery: whoever has the broadcast goes on', async () => {
  await subscribeBrowsers(browsersOf(1), [town.id])
  const { id } = await create()
  const taken = await takeDeliveries(db, { id, channel: 'push', limit: 1, now: new Date() })
  const [delivery] = taken?.deliveries ?? []
  const recorded = await db.transaction().execute(async (tx) => {
    await sql`select from broadcasts where id = ${id} for share`.execute(tx)
    const recording = recordOutcomes(db, id, [{ id: delivery?.id ?? '', outcome: 'sent' }])
    await untilWaiting(db)
    await sql`select from broadcast_deliveries where broadcast_id = ${id} for update nowait`.execute(tx)
    return { recording }
  })
  await recorded.recording
  expect(await statuses(id)).toEqual({ sent: 1 })
})

test('a refusal that is recorded again, because its commit was not answered, counts once', async () => {
  await subscribeBrowsers(browsersOf(1), [town.id])
  const { id } = await create()
  const taken = await takeDeliveries(db, { id, channel: 'push', limit: 1, now: new Date() })
  const outcome = { id: taken?.deliveries[0]?.id ?? '', outcome: 'refused' as const }
  await recordOutcomes(db, id, [outcome])
  await recordOutcomes(db, id, [outcome])
  expect(await subscribed()).toMatchObject([{ failures: 1 }])
})

test('pushes that a service does not accept make the transport fail, until one is accepted', async () => {
  await subscribeBrowsers(browsersOf(3), [town.id])
  const { id } = await create()
  service.answerTo = () => ({ status: 500 })
  const push = pusher()
  await sendPushes(push, id)
  const [failure] = await listTransportFailures(db)
  expect(failure).toMatchObject({ kind: 'push', refusals: 3, last_error: 'The push service answered 500.' })
  service.answerTo = accepts
  await passTime()
  await sendPushes(push, id)
  expect(await listTransportFailures(db)).toEqual([])
})
