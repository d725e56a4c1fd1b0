import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { untilWaiting } from '../../../../test/support/locks.ts'
import { openMairie } from '../../../../test/support/mairies.ts'
import { openWorld } from '../../../../test/support/world.ts'
import type { Mail } from '../../../platform/mail/mail.ts'
import { getAlerteForUpdate } from '../../alertes/queries.ts'
import { subscribersKit } from '../subscribers.test-kit.ts'
import { followAlerte, restartStopped } from './announce.ts'
import { settle } from './deliveries.ts'

const world = await openWorld({ env: { MAIL_RATE: '1000' } })
const { db } = world
const { dyingAt, subscribe, mailer, expand, send, passTime, broadcastOf, statuses } = subscribersKit(world)
const { commune: town, hall, secretary: editor } = await openMairie(world)
const path = `/mairie/communes/${town.id}/alertes`
const water = { titre: 'Coupure d’eau', message: 'Rue du Puits, de 8 h à midi.', niveau: 'attention' }
const hour = 3_600_000

beforeEach(async () => {
  await sql`delete from broadcasts`.execute(db)
  await sql`delete from resident_subscribers`.execute(db)
})

const inMs = (ms: number) => new Date(Date.now() + ms).toISOString()
async function create(at = path) {
  const { status, body, text } = await editor.post(at, { ...water, debut: inMs(-hour) })
  expect(status, text).toBe(201)
  const id: string = body.data.id
  return { alerte: id, id: (await broadcastOf(id))?.id ?? '', at: `${at}/${id}` }
}
async function patch(at: string, values: object) {
  const { status, text } = await editor.patch(at, values)
  expect(status, text).toBe(200)
}
const end = (at: string, values = {}) => patch(at, { fin: inMs(-1_000), ...values })
const extend = (at: string) => patch(at, { fin: inMs(hour) })
const recipients = (mails: Mail[]) => mails.map(({ to }) => to).toSorted()
const addresses = (kept: { address: string }[]) => kept.map(({ address }) => address).toSorted()
const jobsOf = async (id: string) => {
  const { rows } = await sql`
    select from pgboss.job where name = 'subscribers.expand-broadcast' and data ->> 'broadcastId' = ${id}`.execute(
    db,
  )
  return rows.length
}
const audited = async (alerte: string) => {
  const { rows } = await sql`
    select from audit_log where action = 'notification.send' and entity_id = ${alerte}`.execute(db)
  return rows.length
}

test('an alerte that was ended and is extended goes on: those not yet reached get it, and nobody twice', async () => {
  const kept = await subscribe(25, [town.id])
  const { alerte, id, at } = await create()
  const driven = mailer(async () => {
    if (driven.accepted.length === 10) await end(at)
    return { status: 'sent' }
  })
  await expand(driven, id)
  expect(await send(driven, id)).toBeNull()
  expect(driven.accepted.length).toBeLessThan(25)
  expect((await broadcastOf(alerte))?.status).toBe('stopped')
  const jobs = await jobsOf(id)
  await extend(at)
  expect(await jobsOf(id)).toBe(jobs + 1)
  const rest = mailer()
  await expand(rest, id)
  expect(await send(rest, id)).toBeNull()
  expect(recipients([...driven.accepted, ...rest.accepted])).toEqual(addresses(kept))
  expect(await broadcastOf(alerte)).toMatchObject({ status: 'ended', recipients: 25, sent: 25 })
  expect(await audited(alerte)).toBe(1)
})

test.each([
  ['before it was expanded', 0],
  ['while it was expanded', 10],
])('an alerte that ended %s reaches everybody once it is extended', async (_when, first) => {
  const kept = await subscribe(25, [town.id])
  const { alerte, id, at } = await create()
  const dying = { ...mailer(), db: dyingAt(4) }
  if (first > 0) await expect(expand(dying, id, first)).rejects.toThrow('died')
  await end(at)
  await expand(mailer(), id, 10)
  expect((await broadcastOf(alerte))?.status).toBe('stopped')
  await extend(at)
  const driven = mailer()
  await expand(driven, id, 10)
  await send(driven, id)
  expect(recipients(driven.accepted)).toEqual(addresses(kept))
  expect(await broadcastOf(alerte)).toMatchObject({ status: 'ended', recipients: 25, sent: 25 })
  expect(await audited(alerte)).toBe(1)
})

test('somebody who subscribes after an alerte was expanded does not get it when it is extended', async () => {
  await subscribe(3, [town.id])
  const { id, at } = await create()
  await expand(mailer(), id)
  await end(at)
  await send(mailer(), id)
  await subscribe(1, [town.id], 'all', 'later')
  await extend(at)
  const driven = mailer()
  await expand(driven, id)
  await send(driven, id)
  expect(driven.accepted).toHaveLength(3)
})

test('an alerte that reached everybody before it ended is not sent again when it is extended', async () => {
  await subscribe(3, [town.id])
  const { alerte, id, at } = await create()
  const driven = mailer()
  await expand(driven, id)
  await send(driven, id)
  await end(at)
  await extend(at)
  await expand(driven, id)
  await send(driven, id)
  expect(driven.accepted).toHaveLength(3)
  expect((await broadcastOf(alerte))?.status).toBe('ended')
})

test('an alerte that is extended while its broadcast is being stopped goes on', async () => {
  const kept = await subscribe(5, [town.id])
  const { alerte, id, at } = await create()
  await expand(mailer(), id)
  await end(at)
  const { stopping, extending } = await db.transaction().execute(async (tx) => {
    await sql`select from broadcasts where id = ${id} for no key update`.execute(tx)
    const stopping = settle(db, id, 'email', new Date())
    await untilWaiting(db)
    const extending = extend(at)
    await untilWaiting(db, 2)
    return { stopping, extending }
  })
  await Promise.all([stopping, extending])
  expect((await broadcastOf(alerte))?.status).not.toBe('stopped')
  const driven = mailer()
  await expand(driven, id)
  await send(driven, id)
  expect(recipients(driven.accepted)).toEqual(addresses(kept))
})

test('a slice that waits for the change that extends an alerte does not stop its broadcast', async () => {
  await subscribe(5, [town.id])
  const { alerte, id, at } = await create()
  await expand(mailer(), id)
  await end(at)
  const { stopping } = await db.transaction().execute(async (tx) => {
    const before = await getAlerteForUpdate(tx, alerte)
    const now = new Date()
    const after = { ...before, fin: new Date(now.getTime() + hour) }
    const untold = { end: false, correction: false }
    await followAlerte(tx, world, before, after, { ...untold, isChanged: true, authorId: null, now })
    const stopping = settle(db, id, 'email', now)
    await untilWaiting(db)
    await sql`update alertes set fin = ${after.fin} where id = ${alerte}`.execute(tx)
    return { stopping }
  })
  await stopping
  expect((await broadcastOf(alerte))?.status).toBe('sending')
})

test('an alerte that two requests extend at once is sent once', async () => {
  const kept = await subscribe(12, [town.id])
  const { id, at } = await create()
  await expand(mailer(), id)
  await end(at)
  await send(mailer(), id)
  await Promise.all([extend(at), extend(at), extend(at)])
  const driven = mailer()
  await Promise.all([expand(driven, id), expand(driven, id)])
  await Promise.all([send(driven, id), send(driven, id)])
  await send(driven, id)
  expect(recipients(driven.accepted)).toEqual(addresses(kept))
})

test('a death between any two statements after an alerte is extended sends to nobody twice and leaves nobody out', {
  timeout: 120_000,
}, async () => {
  await subscribe(13, [town.id])
  for (let at = 0, isWhole = false; !isWhole; at++) {
    const { alerte, id, at: address } = await create()
    const driven = mailer(async () => {
      if (driven.accepted.length === 3) await end(address)
      return { status: 'sent' }
    })
    await expand(driven, id, 5)
    await send(driven, id)
    await extend(address)
    const rest = mailer()
    const dying = { ...rest, db: dyingAt(at) }
    isWhole = await expand(dying, id, 5)
      .then(() => send(dying, id))
      .then(
        () => true,
        () => false,
      )
    await expand(rest, id, 5)
    await passTime()
    for (let slices = 0; (await send(rest, id)) !== null && slices < 5; slices++) await passTime()
    const all = recipients([...driven.accepted, ...rest.accepted])
    expect(new Set(all).size, `statement ${at}`).toBe(all.length)
    const { status, sent = 0, uncertain = 0 } = (await broadcastOf(alerte)) ?? {}
    expect([status, sent + uncertain], `statement ${at}`).toEqual(['ended', 13])
  }
})

test('an alerte of a mairie that was inactive meanwhile goes on', async () => {
  const kept = await subscribe(3, [town.id])
  const { alerte, id } = await create(`/mairie/acteurs/${hall.id}/alertes`)
  const ended = await create()
  await expand(mailer(), id)
  await end(ended.at)
  await expand(mailer(), ended.id)
  const setActive = (active: boolean) =>
    sql`update acteurs set active = ${active} where id = ${hall.id}`.execute(db)
  await setActive(false)
  await send(mailer(), id)
  expect((await broadcastOf(alerte))?.status).toBe('stopped')
  await restartStopped(db)
  expect((await broadcastOf(alerte))?.status).toBe('stopped')
  await setActive(true)
  await restartStopped(db)
  const driven = mailer()
  for (const one of [id, ended.id]) {
    await expand(driven, one)
    await send(driven, one)
  }
  expect(recipients(driven.accepted)).toEqual(addresses(kept))
  expect((await broadcastOf(ended.alerte))?.status).toBe('stopped')
})

test('the end of an alerte is told again when it was extended and ended again, and each end once', async () => {
  await subscribe(4, [town.id])
  const { alerte, id, at } = await create()
  const driven = mailer()
  await expand(driven, id)
  await send(driven, id)
  const ends: Mail[][] = []
  for (const _round of [1, 2]) {
    await end(at, { prevenir: true })
    const told = mailer()
    const first = (await broadcastOf(alerte, 'alerte_fin'))?.id ?? ''
    await expand(told, first)
    await send(told, first)
    await end(at, { prevenir: true })
    await Promise.all([patch(at, { prevenir: true }), patch(at, { prevenir: true })])
    expect((await broadcastOf(alerte, 'alerte_fin'))?.id).toBe(first)
    ends.push(told.accepted)
    await extend(at)
  }
  expect(ends.map((mails) => mails.length)).toEqual([4, 4])
  // Mail servers drop a second message with the same Message-ID.
  expect(new Set(ends.flat().map(({ messageId }) => messageId)).size).toBe(8)
})

test('the end of an alerte that is extended is not told to those who were not told of it yet', async () => {
  await subscribe(25, [town.id])
  const { alerte, id, at } = await create()
  const driven = mailer()
  await expand(driven, id)
  await send(driven, id)
  await end(at, { prevenir: true })
  const fin = (await broadcastOf(alerte, 'alerte_fin'))?.id ?? ''
  const told = mailer(async () => {
    if (told.accepted.length === 5) await extend(at)
    return { status: 'sent' }
  })
  await expand(told, fin)
  expect(await send(told, fin)).toBeNull()
  expect(told.accepted.length).toBeLessThan(25)
  expect((await statuses(fin)).queued).toBe(25 - told.accepted.length)
  const { rows } = await sql<{ status: string }>`select status from broadcasts where id = ${fin}`.execute(db)
  expect(rows).toEqual([{ status: 'stopped' }])
})

test('an end that is told and lies a little ahead of the service is now; one further ahead is refused', async () => {
  const { alerte, at } = await create()
  expect(await editor.patch(at, { fin: inMs(90_000), prevenir: true })).toBeError(422, 'validation_failed')
  const { status, body, text } = await editor.patch(at, { fin: inMs(30_000), prevenir: true })
  expect(status, text).toBe(200)
  expect(new Date(body.data.fin).getTime()).toBeLessThanOrEqual(Date.now())
  expect(await broadcastOf(alerte, 'alerte_fin')).toMatchObject({ status: 'expanding' })
})
