import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createBrowser } from '../../../../test/support/browser-client.ts'
import { jwtSecret } from '../../../../test/support/factories.ts'
import { openSession } from '../../../../test/support/sessions.ts'
import { openWorld } from '../../../../test/support/world.ts'
import { signToken } from '../../../platform/access/tokens.ts'
import { uuidv7 } from '../../../platform/formats/uuid.ts'
import type { Mailer } from '../../../platform/mail/mailer.ts'
import { deleteFinalChanges } from '../sessions/queries.ts'
import { newestMail, putPasskey, putTotp, secrets } from '../sign-in.test-kit.ts'
import { formerAddressHandler } from './jobs.ts'

const world = await openWorld()
const { db, user, client, as } = world

let number = 0
const newAddress = () => `changed-${++number}@example.org`

/** An account with its browser, signed in a moment ago. */
async function own() {
  const person = await user({ email_verified: true })
  const { id: sessionId, value } = await openSession(db, person.id, { hasShownFactor: true })
  const who = createBrowser(client)
  who.cookies.set('parvis_session', value)
  return { id: person.id, email: person.email ?? '', who, sessionId }
}

type Browser = ReturnType<typeof createBrowser>

/** Changes the address of the browser's account. Returns the address and the token of the link that undoes it. */
async function changeAddress(who: Browser, address = newAddress()) {
  expect((await who.post('/me/email', { email: address })).status).toBe(202)
  const { id, code } = await newestMail(db)
  const { status, text } = await who.post('/me/email/verify', { code })
  expect(status, text).toBe(200)
  return { address, token: secrets.undoToken(id), id }
}

const undo = (token: string) => client({ source: 'backoffice' }).post('/auth/address/undo', { token })
const addressOf = async (id: string) => {
  const { email, subject } = await db
    .selectFrom('users')
    .select(['email', 'subject'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return [email, subject]
}
const age = (id: string, interval: string) =>
  sql`update address_changes set changed_at = changed_at - ${interval}::interval where id = ${id}`.execute(db)

async function signInByMail(email: string) {
  const browser = createBrowser(client)
  await browser.post('/auth/email', { email })
  const { code } = await newestMail(db)
  return { browser, answer: await browser.post('/auth/email/verify', { code }) }
}

test('the former address undoes a change: it comes back, and sessions, tokens and keys end', async () => {
  const { id, email, who } = await own()
  const key = (await who.post('/me/keys', { name: 'Site', scopes: ['own.read'] })).body.data.key
  const { address, token } = await changeAddress(who)
  const thief = await signInByMail(address)
  expect(thief.answer.status).toBe(200)
  const stolen = await signToken(jwtSecret, address, address, 600, new Date(), new Date())
  expect((await client({ token: stolen }).get('/me')).status).toBe(200)

  const undone = await undo(token)
  expect([undone.status, undone.body]).toEqual([200, { data: { undone: true } }])
  expect(await addressOf(id)).toEqual([email, email])
  for (const one of [who, thief.browser, client({ token: stolen }), client({ token: key })])
    expect(await one.get('/me/publications')).toBeError(401, 'unauthenticated')
  expect((await signInByMail(address)).answer).toBeError(401, 'unauthenticated')
  const back = await signInByMail(email)
  expect((await back.browser.get('/me')).body.data).toMatchObject({ id, email, email_verified: true })
})

test('an undo is audited without addresses, and each session that it ends', async () => {
  const { id, who } = await own()
  const { token } = await changeAddress(who)
  await undo(token)
  const { rows } = await sql<{ action: string; after: object; user_id: string }>`
    select action, after, user_id from audit_log where entity_id = ${id} or after ->> 'user_id' = ${id}
    order by id`.execute(db)
  expect(rows.slice(-2)).toEqual([
    {
      action: 'user.address_undo',
      user_id: id,
      after: { email: '(personal)', subject: '(personal)' },
    },
    { action: 'session.end', user_id: id, after: { user_id: id, reason: 'address_undone' } },
  ])
})

test('an undo removes the factors added since the session began that changed the address, and no others', async () => {
  const { id, who } = await own()
  const kept = await putPasskey(db, id)
  await sql`update passkeys set created_at = now() - interval '1 day' where id = ${kept.id}`.execute(db)
  await putPasskey(db, id)
  const { token } = await changeAddress(who)
  await putTotp(db, id)
  await sql`
    insert into recovery_codes (id, user_id, code_hash) values (gen_random_uuid(), ${id}, sha256('x'))`.execute(
    db,
  )
  expect((await undo(token)).status).toBe(200)
  const left = await db.selectFrom('passkeys').select('id').where('user_id', '=', id).execute()
  expect(left).toEqual([{ id: kept.id }])
  for (const table of ['totp_factors', 'recovery_codes'] as const)
    expect(await db.selectFrom(table).select('user_id').where('user_id', '=', id).execute()).toEqual([])
})

test('a link works once, also when it is used twice at the same time', async () => {
  const { id, email, who } = await own()
  const { token } = await changeAddress(who)
  const both = await Promise.all([undo(token), undo(token)])
  expect(both.map(({ status }) => status).sort()).toEqual([200, 401])
  expect(await undo(token)).toBeError(401, 'unauthenticated')
  expect(await addressOf(id)).toEqual([email, email])
})

test('a link works for 72 hours; then its row is deleted', async () => {
  const [late, early] = [await own(), await own()]
  const [old, young] = [await changeAddress(late.who), await changeAddress(early.who)]
  await age(old.id, '72 hours')
  await age(young.id, '71 hours 59 minutes')
  expect(await undo(old.token)).toBeError(401, 'unauthenticated')
  await deleteFinalChanges(db, 500)
  const left = await db
    .selectFrom('address_changes')
    .select('id')
    .where('id', 'in', [old.id, young.id])
    .execute()
  expect(left).toEqual([{ id: young.id }])
  expect((await undo(young.token)).status).toBe(200)
})

test('a forged token, and that of a sign-in mail, undo nothing', async () => {
  const { id, who } = await own()
  const { address, token, id: change } = await changeAddress(who)
  const forged = token.slice(0, -1) + (token.endsWith('A') ? 'B' : 'A')
  for (const wrong of [forged, secrets.linkToken(change), 'x'])
    expect(await undo(wrong)).toBeError(401, 'unauthenticated')
  expect(await undo('')).toBeError(401, 'unauthenticated')
  expect(await createBrowser(client).post('/auth/email/verify', { token })).toBeError(401, 'unauthenticated')
  expect(await addressOf(id)).toEqual([address, address])
})

test('of two changes the earlier one is undone with the later one, whose link then undoes nothing', async () => {
  const { id, email, who } = await own()
  const first = await changeAddress(who)
  const second = await changeAddress(who)
  expect((await undo(first.token)).status).toBe(200)
  expect(await undo(second.token)).toBeError(401, 'unauthenticated')
  expect(await addressOf(id)).toEqual([email, email])
})

test('the later of two changes can be undone alone, and the earlier one after it', async () => {
  const { id, email, who } = await own()
  const first = await changeAddress(who)
  const second = await changeAddress(who)
  expect((await undo(second.token)).status).toBe(200)
  expect(await addressOf(id)).toEqual([first.address, first.address])
  expect((await undo(first.token)).status).toBe(200)
  expect(await addressOf(id)).toEqual([email, email])
})

test('an undo and another change at the same time end with the earliest address', async () => {
  const { id, email, who } = await own()
  const { token } = await changeAddress(who)
  await who.post('/me/email', { email: newAddress() })
  const { code } = await newestMail(db)
  const [undone, changed] = await Promise.all([undo(token), who.post('/me/email/verify', { code })])
  expect(undone.status).toBe(200)
  expect([200, 401]).toContain(changed.status)
  expect(await addressOf(id)).toEqual([email, email])
  expect(await db.selectFrom('address_changes').select('id').where('user_id', '=', id).execute()).toEqual([])
})

test('whoever goes back to the former address leaves no link that undoes that', async () => {
  const { id, email, who } = await own()
  const { address, token } = await changeAddress(who)
  const back = await changeAddress(who, email.toUpperCase())
  for (const one of [token, back.token]) expect(await undo(one)).toBeError(401, 'unauthenticated')
  expect((await addressOf(id))[1]).toBe(email)
  expect(await mailsFor(back.id)).toEqual([{ to: address, hasLink: false }])
})

test('an address that another account has meanwhile is a conflict, and nothing changes', async () => {
  const { id, email, who } = await own()
  const { address, token } = await changeAddress(who)
  const other = uuidv7()
  await db.insertInto('users').values({ id: other, email }).execute()
  expect(await undo(token)).toBeError(409, 'conflict')
  expect(await addressOf(id)).toEqual([address, address])
  expect((await who.get('/me')).status).toBe(200)
  await db.deleteFrom('users').where('id', '=', other).execute()
  expect((await undo(token)).status).toBe(200)
})

test('the link of an account that was erased meanwhile undoes nothing', async () => {
  const { id, who } = await own()
  const { token } = await changeAddress(who)
  expect((await (await as('admin')).post('/admin/people/erase', { user_id: id })).status).toBe(200)
  expect(await undo(token)).toBeError(401, 'unauthenticated')
  expect(await db.selectFrom('address_changes').select('id').where('user_id', '=', id).execute()).toEqual([])
})

test('a disabled account gets its address back, and stays disabled', async () => {
  const { id, email, who } = await own()
  const { token } = await changeAddress(who)
  await (await as('admin')).patch(`/admin/users/${id}`, { actif: false })
  expect((await undo(token)).status).toBe(200)
  expect(await addressOf(id)).toEqual([email, email])
  expect((await signInByMail(email)).answer).toBeError(401, 'unauthenticated')
})

test('the former address gets a mail with the link; the job and the row hold none', async () => {
  const { email, who } = await own()
  const { id, token } = await changeAddress(who)
  expect(await mailsFor(id)).toEqual([{ to: email, hasLink: true }])
  const { rows } = await sql<{ text: string }>`
    select row_to_json(address_changes)::text as text from address_changes where id = ${id}`.execute(db)
  expect(rows.map(({ text }) => text).join()).not.toContain(token.slice(22))
})

test('the link of the mail names the page of the back-office, and its token undoes the change and ends every session', async () => {
  const { id, email, who } = await own()
  const { id: challengeId, address } = await changeAddress(who)
  const thief = await signInByMail(address)
  const [mail] = await sentFor(challengeId)
  const link = new URL(/https?:\S+undo-address\S*/.exec(mail?.text ?? '')?.[0] ?? '')
  // The token is in the fragment, which a browser sends to no server.
  expect([link.origin + link.pathname, link.search]).toEqual([
    `${new URL(world.config.publicUrl).origin}/backoffice/undo-address`,
    '',
  ])
  expect((await thief.browser.get('/me')).status).toBe(200)
  const token = new URLSearchParams(link.hash.slice(1)).get('token') ?? ''
  expect((await undo(token)).status).toBe(200)
  expect(await addressOf(id)).toEqual([email, email])
  for (const one of [who, thief.browser]) expect(await one.get('/me')).toBeError(401, 'unauthenticated')
  const left = await db
    .selectFrom('sessions')
    .select('id')
    .where('user_id', '=', id)
    .where('ended_at', 'is', null)
    .execute()
  expect(left).toEqual([])
})

/** Runs the job that mails the former address, and says whether each mail has the link. */
async function mailsFor(challengeId: string) {
  const link = `${world.config.publicUrl}/backoffice/undo-address#token=${secrets.undoToken(challengeId)}`
  return (await sentFor(challengeId)).map(({ to, text }) => ({ to, hasLink: text.includes(link) }))
}

/** Runs the job that mails the former address, and returns what it sent. */
async function sentFor(challengeId: string) {
  const sent: { to: string; text: string }[] = []
  const mailer: Mailer = {
    async send({ to, text }) {
      sent.push({ to, text: text ?? '' })
      return { status: 'sent' }
    },
    close: async () => {},
  }
  const { config, log } = world
  const context = { id: uuidv7(), attempt: 1, signal: new AbortController().signal }
  await formerAddressHandler({ db, config, log, mailer } as never).perform({ challengeId }, context)
  return sent
}
