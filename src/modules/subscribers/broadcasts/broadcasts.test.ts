import { sql } from 'kysely'
import { afterAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { openMairie } from '../../../../test/support/mairies.ts'
import { isWhole } from '../../../../test/support/sample.ts'
import { openWorld, run } from '../../../../test/support/world.ts'
import { modules } from '../../../app.ts'
import { identityDigests } from '../../../platform/access/erased-identities.ts'
import { until } from '../../../platform/jobs/jobs.test-kit.ts'
import type { Mail } from '../../../platform/mail/mail.ts'
import {
  type Mood,
  readMessage,
  startMoodyServer,
  startSmtpServer,
} from '../../../platform/mail/mail-servers.test-kit.ts'
import { createMailer } from '../../../platform/mail/mailer.ts'
import { erasePerson } from '../../privacy/erase.ts'
import { subscribersKit } from '../subscribers.test-kit.ts'
import { takeDeliveries } from './deliveries.ts'

const world = await openWorld({ env: { MAIL_RATE: '1000' } })
const { db, config, jobs, url } = world
const { dyingAt, subscribe, mailer, expand, send, passTime, broadcastOf, statuses } = subscribersKit(world)
const { commune: town, hall, secretary: editor } = await openMairie(world)
const other = await world.commune()
const path = `/mairie/communes/${town.id}/alertes`
const water = { titre: 'Coupure d’eau', message: 'Rue du Puits, de 8 h à midi.', niveau: 'attention' }

beforeEach(async () => {
  await sql`delete from broadcasts`.execute(db)
  await sql`delete from resident_subscribers`.execute(db)
})

async function create(values: object = {}, at = path) {
  const { status, body, text } = await editor.post(at, { ...water, ...values })
  expect(status, text).toBe(201)
  const broadcast = await broadcastOf(body.data.id)
  return { alerte: body.data as { id: string }, id: broadcast?.id ?? '' }
}
const patch = async (id: string, values: object) => {
  const { status, text } = await editor.patch(`${path}/${id}`, values)
  expect(status, text).toBe(200)
}
const recipients = (mails: Mail[]) => mails.map(({ to }) => to).toSorted()
const addresses = (kept: { address: string }[]) => kept.map(({ address }) => address).toSorted()
const counts = async (id: string) =>
  db
    .selectFrom('broadcasts')
    .select(['status', 'recipients', 'sent', 'failed', 'uncertain'])
    .where('id', '=', id)
    .executeTakeFirst()

test('an alerte is mailed once to each confirmed subscriber, and audited once', async () => {
  const all = await subscribe(25, [town.id])
  await subscribe(1, [town.id], 'urgent', 'urgent')
  await subscribe(1, [other.id], 'all', 'elsewhere')
  const [pending] = await subscribe(1, [town.id], 'all', 'pending')
  await sql`update resident_choices set confirmed_at = null where subscriber_id = ${pending?.id}`.execute(db)
  const { alerte, id } = await create()
  const driven = mailer()
  await expand(driven, id, 10)
  await expand(driven, id, 10)
  expect(await send(driven, id)).toBeNull()
  expect(recipients(driven.accepted)).toEqual(addresses(all))
  expect(new Set(driven.accepted.map(({ messageId }) => messageId)).size).toBe(25)
  expect(await counts(id)).toEqual({ status: 'ended', recipients: 25, sent: 25, failed: 0, uncertain: 0 })
  const audited = await db
    .selectFrom('audit_log')
    .selectAll()
    .where('action', '=', 'notification.send')
    .execute()
  expect(audited).toMatchObject([
    { entity: 'alerte', entity_id: alerte.id, after: { kind: 'alerte', commune_id: town.id, count: 25 } },
  ])
  expect(audited[0]?.user_id).not.toBeNull()
  const { rows } = await sql`select from resident_subscribers where last_success_at is not null`.execute(db)
  expect(rows).toHaveLength(25)
})

test('mails of a broadcast share their text, and differ by the link of each', async () => {
  const kept = await subscribe(2, [town.id, other.id])
  const { id } = await create({ niveau: 'urgence' })
  const driven = mailer()
  await expand(driven, id)
  await send(driven, id)
  for (const { address, token } of kept) {
    const mail = driven.accepted.find(({ to }) => to === address)
    expect(mail?.subject).toBe(`${town.nom} · Urgence : Coupure d’eau`)
    expect(mail?.text).toContain(`/abonnement/${token}\n`)
    expect(mail?.text).toContain(water.message)
    expect(mail?.unsubscribe).toBe(`${config.publicUrl}/abonnement/${token}/quitter/${town.id}`)
  }
  const texts = driven.accepted.map(({ text }) => text.replace(/abonnement\/[\w-]+/, ''))
  expect(new Set(texts).size).toBe(1)
})

test('an alerte of a mairie reaches each subscriber of its communes once', async () => {
  const second = await world.commune({ mairie_actor_id: hall.id })
  const kept = await subscribe(3, [town.id, second.id])
  const more = await subscribe(2, [second.id], 'all', 'lea')
  const { id } = await create({}, `/mairie/acteurs/${hall.id}/alertes`)
  const driven = mailer()
  await expand(driven, id, 2)
  await send(driven, id)
  expect(recipients(driven.accepted)).toEqual(addresses([...kept, ...more]))
  expect(driven.accepted.find(({ to }) => to === 'zoe-0@example.org')?.unsubscribe).toMatch(
    /quitter\/[\w-]+\.[\w-]+$/,
  )
  await sql`update communes set mairie_actor_id = null where id = ${second.id}`.execute(db)
})

test('the job of a broadcast exists if and only if the alerte does', async () => {
  const count = async () =>
    (await sql`select from pgboss.job where name = 'subscribers.expand-broadcast'`.execute(db)).rows.length
  const before = await count()
  const refused = await editor.post(path, { ...water, fin: '2020-01-01T00:00:00Z' })
  expect([refused.status, await count()]).toEqual([422, before])
  await create()
  expect(await count()).toBe(before + 1)
})

test('an alerte that begins later is mailed when it begins, also when that is changed', async () => {
  await subscribe(1, [town.id])
  const { alerte, id } = await create({ debut: '2100-01-01T08:00:00Z' })
  const driven = mailer()
  await expand(driven, id)
  expect(await send(driven, id)).toEqual({ afterMs: 1_000 })
  expect(driven.accepted).toEqual([])
  const starts = async () =>
    (
      await sql<{ start_after: Date }>`
        select start_after from pgboss.job where name = 'subscribers.expand-broadcast' and data ->> 'broadcastId' = ${id}
        order by created_on`.execute(db)
    ).rows.map(({ start_after }) => start_after.getUTCFullYear())
  expect(await starts()).toEqual([2100])
  await patch(alerte.id, { debut: '2099-01-01T08:00:00Z' })
  expect(await starts()).toContain(2099)
  const later = { ...driven, clock: () => new Date('2099-06-01T00:00:00Z') }
  await expand(later, id)
  await send(later, id)
  expect(driven.accepted).toHaveLength(1)
})

test('an alerte withdrawn in the middle stops: what has not left is not sent', async () => {
  await subscribe(30, [town.id])
  const { alerte, id } = await create()
  const driven = mailer(async () => {
    if (driven.accepted.length === 10) await editor.delete(`${path}/${alerte.id}`)
    return { status: 'sent' }
  })
  await expand(driven, id)
  expect(await send(driven, id)).toBeNull()
  const { length } = driven.accepted
  expect(length).toBeLessThanOrEqual(20)
  expect(await counts(id)).toEqual({
    status: 'stopped',
    recipients: 30,
    sent: length,
    failed: 0,
    uncertain: 0,
  })
  await send(driven, id)
  expect(driven.accepted).toHaveLength(length)
})

test('an alerte that has ended is not sent any more', async () => {
  await subscribe(1, [town.id])
  const { alerte, id } = await create()
  await patch(alerte.id, { fin: new Date(Date.now() - 60_000).toISOString(), debut: '2026-01-01T00:00:00Z' })
  const driven = mailer()
  await expand(driven, id)
  await send(driven, id)
  expect([driven.accepted, (await counts(id))?.status]).toEqual([[], 'stopped'])
})

test('the end of an alerte is mailed on request, to the subscribers who got the alerte', async () => {
  const [left] = await subscribe(2, [town.id])
  const { alerte, id } = await create()
  const driven = mailer()
  await expand(driven, id)
  await send(driven, id)
  await subscribe(1, [town.id], 'all', 'later')
  await sql`delete from resident_subscribers where id = ${left?.id}`.execute(db)
  expect(await editor.patch(`${path}/${alerte.id}`, { prevenir: true })).toBeError(422, 'validation_failed')
  const fin = new Date(Date.now() - 1_000).toISOString()
  await patch(alerte.id, { debut: '2026-01-01T00:00:00Z', fin })
  expect(await broadcastOf(alerte.id, 'alerte_fin')).toBeUndefined()
  await patch(alerte.id, { prevenir: true })
  await patch(alerte.id, { prevenir: true })
  const end = await broadcastOf(alerte.id, 'alerte_fin')
  const told = mailer()
  await expand(told, end?.id ?? '')
  await send(told, end?.id ?? '')
  expect(recipients(told.accepted)).toEqual(['zoe-1@example.org'])
  expect(told.accepted[0]?.subject).toBe(`${town.nom} · Fin de l’alerte : Coupure d’eau`)
})

test('a correction reaches those who were not sent the former text, and nobody twice', async () => {
  await subscribe(35, [town.id])
  const { alerte, id } = await create()
  let corrections = 0
  let correcting: Promise<unknown> = Promise.resolve()
  const driven = mailer(async () => {
    const isDue = driven.accepted.length >= 10 * (corrections + 1) && corrections < 2
    if (isDue) correcting = patch(alerte.id, { titre: `Titre ${++corrections}` })
    // No mail passes a correction that is under way.
    await correcting
    return { status: 'sent' }
  })
  await expand(driven, id)
  await send(driven, id)
  const titles = driven.accepted.map(({ subject }) => subject.replace(/^.* : /, ''))
  expect(driven.accepted).toHaveLength(35)
  expect(new Set(recipients(driven.accepted)).size).toBe(35)
  expect(new Set(titles)).toEqual(new Set(['Coupure d’eau', 'Titre 1', 'Titre 2']))
})

test('an alerte that becomes urgent is then sent to those who want urgent ones only', async () => {
  await subscribe(2, [town.id])
  await subscribe(2, [town.id], 'urgent', 'urgent')
  const { alerte, id } = await create()
  const driven = mailer()
  await expand(driven, id)
  await send(driven, id)
  expect(driven.accepted).toHaveLength(2)
  await patch(alerte.id, { niveau: 'urgence' })
  await expand(driven, id)
  expect(await send(driven, id)).toBeNull()
  await patch(alerte.id, { titre: 'Autre' })
  await expand(driven, id)
  expect(recipients(driven.accepted)).toEqual(
    ['urgent-0', 'urgent-1', 'zoe-0', 'zoe-1'].map((name) => `${name}@example.org`),
  )
  expect(await counts(id)).toMatchObject({ status: 'ended', recipients: 4, sent: 4 })
})

test.each([
  [
    'leaves',
    async (token: string) => void (await fetch(`${url}/abonnement/${token}/quitter`, { method: 'POST' })),
  ],
  [
    'is erased',
    async () => {
      const tools = { db, jobs, modules, config, clock: () => new Date(), digests: identityDigests(config) }
      await erasePerson(tools, { email: 'last-0@example.org' })
    },
  ],
  [
    'wants urgent ones only',
    async (_token: string, id: string) =>
      void (await sql`update resident_choices set alertes = 'urgent' where subscriber_id = ${id}`.execute(
        db,
      )),
  ],
])('somebody who %s while the batch runs is not sent what has not left', async (_what, end) => {
  await subscribe(12, [town.id])
  const [last] = await subscribe(1, [town.id], 'all', 'last')
  const { id } = await create()
  let isOver: Promise<void> | undefined
  const driven = mailer(async () => {
    isOver ??= end(last?.token ?? '', last?.id ?? '')
    await isOver
    return { status: 'sent' }
  })
  await expand(driven, id)
  expect(await send(driven, id)).toBeNull()
  expect(driven.accepted).toHaveLength(12)
  expect(recipients(driven.accepted)).not.toContain('last-0@example.org')
  expect(await counts(id)).toMatchObject({ status: 'ended', sent: 12 })
})

test('two instances that send one broadcast send to nobody twice', async () => {
  const kept = await subscribe(60, [town.id])
  const { id } = await create()
  const driven = mailer()
  await expand(driven, id)
  await Promise.all(Array.from({ length: 4 }, () => send(driven, id)))
  await send(driven, id)
  expect(recipients(driven.accepted)).toEqual(addresses(kept))
  expect(await counts(id)).toMatchObject({ status: 'ended', sent: 60 })
})

test('two instances that expand one broadcast create each delivery once', async () => {
  await subscribe(50, [town.id])
  const { id } = await create()
  const driven = mailer()
  await Promise.all([expand(driven, id, 7), expand(driven, id, 5), expand(driven, id, 11)])
  expect(await counts(id)).toMatchObject({ status: 'sending', recipients: 50 })
  expect(await statuses(id)).toEqual({ queued: 50 })
})

test('a server that accepts some mails and then none is tried again later; all arrive, once', async () => {
  const kept = await subscribe(45, [town.id])
  const { id } = await create()
  let isAway = false
  const away = { status: 'failed', retry: true, error: '421 too many' } as const
  const driven = mailer(() => {
    isAway ||= driven.accepted.length >= 20
    return isAway ? away : { status: 'sent' }
  })
  await expand(driven, id)
  await expect(send(driven, id)).rejects.toThrow('421 too many')
  await expect(send(driven, id)).rejects.toThrow('421 too many')
  const { sent = 0, queued } = await statuses(id)
  expect([sent >= 20, sent + (queued ?? 0)]).toEqual([true, 45])
  const back = mailer()
  await passTime()
  expect(await send(back, id)).toBeNull()
  expect(recipients([...driven.accepted, ...back.accepted])).toEqual(addresses(kept))
})

test('an address that the server refuses three times in a row is deleted; a refused sender deletes nobody', async () => {
  await subscribe(5, [town.id])
  const [bad] = await subscribe(1, [town.id], 'all', 'bad')
  const refuse = (refused?: 'recipient') => (mail: Mail) =>
    mail.to.startsWith('bad')
      ? ({ status: 'failed', retry: false, error: '550 no', ...(refused && { refused }) } as const)
      : ({ status: 'sent' } as const)
  const known = async () =>
    (await sql`select from resident_subscribers where id = ${bad?.id}`.execute(db)).rows.length
  for (let round = 0; round < 4; round++) {
    const { id } = await create()
    const driven = mailer(refuse())
    await expand(driven, id)
    expect(await send(driven, id)).toEqual({ afterMs: expect.any(Number) })
  }
  for (const left of [1, 1, 0]) {
    const { id } = await create()
    const driven = mailer(refuse('recipient'))
    await expand(driven, id)
    expect(await send(driven, id)).toBeNull()
    expect(await counts(id)).toMatchObject({ status: 'ended', sent: 5, failed: 1 })
    expect(await known()).toBe(left)
  }
})

test('a refusal that a success follows does not count any more', async () => {
  await subscribe(1, [town.id], 'all', 'bad')
  for (const refused of [true, true, false, true, true]) {
    const { id } = await create()
    const driven = mailer(
      refused ? { status: 'failed', retry: false, error: '550', refused: 'recipient' } : { status: 'sent' },
    )
    await expand(driven, id)
    await send(driven, id)
  }
  expect((await sql`select from resident_subscribers`.execute(db)).rows).toHaveLength(1)
})

test.runIf(isWhole)(
  'of 5 000 addresses of which 200 fail for good the others get the mail',
  {
    timeout: 300_000,
  },
  async () => {
    await subscribe(200, [town.id], 'all', 'bad')
    await subscribe(4_800, [town.id])
    const { id } = await create()
    const driven = mailer((mail) =>
      mail.to.startsWith('bad')
        ? { status: 'failed', retry: false, error: '550', refused: 'recipient' }
        : { status: 'sent' },
    )
    await expand(driven, id)
    while ((await send(driven, id)) !== null);
    expect(await counts(id)).toEqual({
      status: 'ended',
      recipients: 5_000,
      sent: 4_800,
      failed: 200,
      uncertain: 0,
    })
  },
)

test.runIf(isWhole)(
  'a death between any two statements sends to nobody twice and leaves nobody out',
  {
    timeout: 300_000,
  },
  async () => {
    const kept = await subscribe(23, [town.id])
    let deaths = 0
    for (let at = 0, isWhole = false; !isWhole; at++) {
      const { id } = await create()
      const driven = mailer()
      const dying = { ...driven, db: dyingAt(at) }
      isWhole = await expand(dying, id, 10)
        .then(() => send(dying, id))
        .then(
          () => true,
          () => false,
        )
      if (!isWhole) deaths += 1
      const sentBefore = driven.accepted.length
      await expand(driven, id, 10)
      await passTime()
      for (let slices = 0; (await send(driven, id)) !== null && slices < 5; slices++) await passTime()
      const { status, uncertain = 0, sent = 0 } = (await counts(id)) ?? {}
      expect([status, sent + uncertain], `statement ${at}`).toEqual(['ended', 23])
      expect(uncertain).toBeLessThanOrEqual(10)
      expect(new Set(recipients(driven.accepted)).size).toBe(driven.accepted.length)
      // Uncertain messages were handed over before the death.
      expect(driven.accepted.length - sent).toBeLessThanOrEqual(Math.min(uncertain, sentBefore))
      if (uncertain === 0) expect(recipients(driven.accepted)).toEqual(addresses(kept))
    }
    expect(deaths).toBeGreaterThan(30)
  },
)

test.each(['before', 'after'])(
  'a death %s the server accepts a mail leaves what each connection was handing over uncertain',
  async (when) => {
    await subscribe(30, [town.id])
    const { id } = await create()
    const accepted: Mail[] = []
    const dying = mailer((mail) => {
      if (accepted.length >= 13 && when === 'before') throw new Error('the process died')
      accepted.push(mail)
      if (accepted.length > 13) throw new Error('the process died')
      return { status: 'sent' }
    })
    await expand(dying, id)
    await expect(send(dying, id)).rejects.toThrow('died')
    const back = mailer()
    const { sending = 0 } = await statuses(id)
    expect(sending).toBeGreaterThan(0)
    expect(sending).toBeLessThanOrEqual(5)
    // Before two minutes nobody can know that the process died.
    expect(await send(back, id)).toEqual({ afterMs: expect.any(Number) })
    expect(await statuses(id)).toEqual({ sent: 30 - sending, sending })
    await passTime()
    expect(await send(back, id)).toBeNull()
    expect(await counts(id)).toEqual({
      ...{ status: 'ended', recipients: 30, failed: 0 },
      ...{ sent: 30 - sending, uncertain: sending },
    })
    const all = recipients([...accepted, ...back.accepted])
    expect(new Set(all).size).toBe(all.length)
  },
)

test('a relay that closes at the final dot stops the sending, which goes on when the relay is back', async () => {
  await subscribe(40, [town.id])
  const { id } = await create()
  await expand(mailer(), id)
  const mood: Mood = { dot: null }
  const relay = await startMoodyServer(mood)
  const closing = createMailer({
    ...{ url: `smtp://127.0.0.1:${relay.port}`, from: config.mail.from, outboxDir: '/nowhere' },
  })
  onTestFinished(() => closing.close())
  const handedOver = () => relay.steps.filter((step) => step === 'dot').length
  await expect(send({ accepted: [], mailer: closing }, id)).rejects.toThrow('no mail was sent')
  const first = handedOver()
  expect(first).toBeLessThanOrEqual(5)
  // A mail that was not handed over is not uncertain.
  expect(await statuses(id)).toEqual({ uncertain: first, queued: 40 - first })
  // Each retry risks one mail.
  for (const retry of [1, 2]) {
    await expect(send({ accepted: [], mailer: closing }, id, { isRetry: true })).rejects.toThrow()
    expect(handedOver()).toBe(first + retry)
    expect(await statuses(id)).toEqual({ uncertain: first + retry, queued: 40 - first - retry })
  }
  mood.dot = '250 queued'
  expect(await send({ accepted: [], mailer: closing }, id, { isRetry: true })).toBeNull()
  expect(await statuses(id)).toEqual({ uncertain: first + 2, sent: 38 - first })
})

test('an outcome that arrives late is recorded', async () => {
  await subscribe(1, [town.id])
  const { id } = await create()
  const driven = mailer(async () => {
    await passTime()
    await send(mailer(), id)
    return { status: 'sent' }
  })
  await expand(driven, id)
  await send(driven, id)
  expect(driven.accepted).toHaveLength(1)
  expect(await counts(id)).toMatchObject({ sent: 1, uncertain: 0 })
})

test('who withdraws an alerte waits for what is being taken, and then nothing more is taken', async () => {
  await subscribe(12, [town.id])
  const { alerte, id } = await create()
  await expand(mailer(), id)
  const take = () => takeDeliveries(db, { id, channel: 'email', limit: 3, now: new Date() })
  const [taken, answer, more] = await Promise.all([take(), editor.delete(`${path}/${alerte.id}`), take()])
  expect(answer.status).toBe(200)
  expect([0, 3]).toContain(taken?.deliveries.length ?? 0)
  expect([0, 3]).toContain(more?.deliveries.length ?? 0)
  expect(await take()).toBeNull()
})

const server = await startSmtpServer({}, afterAll)
test('mails leave through the jobs with headers for one click, and a sign-in mail does not wait', {
  timeout: 300_000,
}, async () => {
  const sending = await openWorld({
    env: { MAIL_URL: `smtp://127.0.0.1:${server.port}`, MAIL_RATE: '5' },
    database: world.database,
  })
  // The jobs of earlier tests would delay this one.
  await run(world.database.owner, 'delete from pgboss.job')
  await subscribe(25, [town.id])
  const before = server.received.length
  const { id } = await create()
  await sending.runJobs()
  await until('the broadcast is under way', () => server.received.length >= before + 5)
  const user = await world.user({ email_verified: true, roles: ['moderator'] })
  const asked = await sending.client({ source: 'backoffice' }).post('/auth/email', { email: user.email })
  expect(asked.status, asked.text).toBeLessThan(300)
  await until('the sign-in mail is sent', () =>
    server.received.some(({ content }) => content.includes(user.email ?? '')),
  )
  expect((await counts(id))?.status).not.toBe('ended')
  await until('all is sent', async () => (await counts(id))?.status === 'ended')
  const mails = server.received
    .map(({ content }) => readMessage(content))
    .filter(({ headers }) => headers.get('To')?.startsWith('zoe-'))
  expect(mails).toHaveLength(25)
  for (const { headers, text } of mails) {
    const link = headers.get('List-Unsubscribe')?.replace(/\s/g, '') ?? ''
    expect(link).toMatch(new RegExp(`^<http://localhost:3000/abonnement/[\\w-]{44}/quitter/${town.id}>$`))
    expect(headers.get('List-Unsubscribe-Post')).toBe('List-Unsubscribe=One-Click')
    expect(text).toContain(water.message)
  }
})
