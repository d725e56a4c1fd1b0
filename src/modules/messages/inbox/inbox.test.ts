import { readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openWorld } from '../../../../test/support/world.ts'
import { modules } from '../../../app.ts'
import { settingsOf } from '../../../platform/config/config.ts'
import { parseMailBoxUrl } from '../../../platform/formats/mail-url.ts'
import { uuidv7 } from '../../../platform/formats/uuid.ts'
import { readMessage, startSmtpServer } from '../../../platform/mail/mail-servers.test-kit.ts'
import { createMailer } from '../../../platform/mail/mailer.ts'
import { claimsKit } from '../../claims/claims.test-kit.ts'
import { complaintsKit, why } from '../../complaints/complaints.test-kit.ts'
import { messagesKit } from '../messages.test-kit.ts'
import { sendReplyHandler } from '../replying/jobs.ts'
import { messagesSettings } from '../settings.ts'
import { readHead } from './head.ts'
import { type ImapOptions, startImapServer } from './imap-server.test-kit.ts'
import { readMailsHandler } from './jobs.ts'

const world = await openWorld({
  env: {
    MAIL_FROM: 'Parvis <parvis@example.org>',
    MAIL_INBOX_URL: 'imap://reponse%40example.org:sesame@127.0.0.1:1',
    MAIL_INBOX_ADDRESS: 'reponse+{token}@example.org',
  },
})
const { db, config } = world
const support = await world.as('support')
const { thread, reply, read, ids, messagesOf, auditEntries, moveMail } = messagesKit(world, support)

const { claim } = claimsKit(world)
const { written, statementOf } = complaintsKit(world)

type Imap = Awaited<ReturnType<typeof openInbox>>
let mailboxes = 0
/** A mailbox with numbers of its own. */
const openInbox = (options: ImapOptions = {}) => startImapServer({ uidValidity: ++mailboxes, ...options })

type Reading = { url?: string; address?: string; signal?: AbortSignal }
/** Reads the mailbox of the server once. */
function readFrom(imap: Pick<Imap, 'url'>, { address, signal = new AbortController().signal }: Reading = {}) {
  const { inbox, ...own } = settingsOf(config, messagesSettings)
  if (inbox === null) throw new Error('there is no inbox')
  const box = parseMailBoxUrl(imap.url)
  const settings = { ...own, inbox: { box, address: address ?? inbox.address } }
  const handler = readMailsHandler({
    ...{ db, log: world.log, clock: () => new Date(), modules },
    config: { ...config, modules: new Map([...config.modules, ['messages', settings]]) },
  })
  return handler.perform({}, { id: 'job', attempt: 1, signal })
}

const outcomesOf = async ({ state }: Imap) => {
  const { rows } = await sql<{ outcome: string }>`
    select outcome from received_mails where uid_validity = ${state.uidValidity} order by uid`.execute(db)
  return rows.map(({ outcome }) => outcome)
}

type Fields = { from?: string; to?: string; text?: string; head?: string[]; id?: string }
/** A mail as a mail program writes it. */
const mailOf = ({
  from = 'Odile Vauquelin <odile@example.org>',
  to = 'reponse@example.org',
  text = 'Merci !',
  head = [],
  id = uuidv7(),
}: Fields) =>
  [
    ...['Return-Path: <someone@example.org>', `From: ${from}`, `To: ${to}`, 'Subject: Re: votre message'],
    ...[`Message-ID: <${id}@mail.example.org>`, 'Date: Sat, 28 Nov 2026 10:00:00 +0100', ...head],
    ...(head.some((line) => /^content-type/i.test(line)) ? [] : ['Content-Type: text/plain; charset=utf-8']),
    ...['', text],
  ].join('\n')

/** A thread with a sent reply, and where its answer goes. */
async function answered() {
  const id = await thread()
  const replyId = await reply(id)
  await moveMail(replyId, 'sent')
  return {
    id,
    replyId,
    to: `reponse+support-${replyId}@example.org`,
    ref: `<support-${replyId}@example.org>`,
  }
}
const newest = async (id: string) => (await messagesOf(id)).at(-1)

test('an answer comes into its thread once, opens it again, and is read in the mailbox', async () => {
  const imap = await openInbox()
  const { id, to } = await answered()
  await support.patch(`/admin/messages/threads/${id}/close`)
  const uid = imap.deliver(
    mailOf({
      to,
      text: 'Merci, c’est fait.\n\nLe sam. 28 nov. 2026 à 09:12, Parvis <parvis@example.org> a écrit :\n> Nous nous en occupons.\n',
    }),
  )
  await readFrom(imap)
  await readFrom(imap)
  expect(await newest(id)).toMatchObject({
    ...{ direction: 'inbound', body: 'Merci, c’est fait.', author: { id: null, nom: 'Odile Vauquelin' } },
    received: {
      ...{ sender: 'same', from: null, attachments: [], problem: null },
      quoted: 'Le sam. 28 nov. 2026 à 09:12, Parvis <parvis@example.org> a écrit :\n> Nous nous en occupons.',
    },
  })
  expect(await read(id)).toMatchObject({ status: 'open', unread: true, messages_count: 3, about: null })
  expect((await support.get('/admin/messages/threads?q=fait')).body.data).toMatchObject([{ id }])
  const [entry] = (await auditEntries(id)).slice(-1)
  expect(entry).toMatchObject({ action: 'thread.receive', user_id: null, after: { status: 'open' } })
  expect(imap.isRead(uid)).toBe(true)
  expect(await outcomesOf(imap)).toEqual(['message'])
})

test('where the address has no token, the mails that it refers to say what a mail answers', async () => {
  const imap = await openInbox()
  const { id, ref } = await answered()
  const [first] = await messagesOf(id)
  imap.deliver(mailOf({ text: 'Un.', head: [`In-Reply-To: ${ref}`] }))
  imap.deliver(
    mailOf({ text: 'Deux.', head: [`References: <x@y> ${ref}`, 'In-Reply-To: <other@example.org>'] }),
  )
  imap.deliver(mailOf({ text: 'Trois.', head: [`References: <support-${first.id}@example.org>\n <a@b>`] }))
  await readFrom(imap, { address: 'reponse@example.org' })
  expect((await messagesOf(id)).slice(-3).map(({ body }: { body: string }) => body)).toEqual([
    ...['Un.', 'Deux.', 'Trois.'],
  ])
})

test('a mail from another address, and one that its server calls forged, does not speak for the person', async () => {
  const imap = await openInbox()
  const { id, to } = await answered()
  imap.deliver(mailOf({ to, from: '"Odile Vauquelin" <voisin@example.net>', text: 'Effacez tout.' }))
  await readFrom(imap)
  const none = { id: null, nom: null }
  expect(await newest(id)).toMatchObject({
    author: none,
    received: { sender: 'other', from: 'voisin@example.net' },
  })
  imap.deliver(
    mailOf({
      to,
      text: 'Moi.',
      head: ['Authentication-Results: mx.example.org; spf=pass; dmarc=fail (p=NONE)'],
    }),
  )
  await readFrom(imap)
  expect(await newest(id)).toMatchObject({
    author: none,
    received: { sender: 'forged', from: 'odile@example.org' },
  })
  expect(await read(id)).toMatchObject({ nom: 'Odile Vauquelin', email: 'odile@example.org' })
})

test('attachments are listed, and HTML is read where there is no text', async () => {
  const imap = await openInbox()
  const { id, to } = await answered()
  const text = `--b
Content-Type: text/html; charset=utf-8

<style>p{}</style><p>Voici la photo, &amp; merci&nbsp;!</p><script>alert(1)</script><div class="gmail_quote">Le 28 nov., Parvis a écrit :<blockquote>Bonjour</blockquote></div>
--b
Content-Type: image/jpeg; name="photo.jpg"
Content-Disposition: attachment; filename="photo.jpg"
Content-Transfer-Encoding: base64

${Buffer.alloc(3_000).toString('base64')}
--b--`
  imap.deliver(mailOf({ to, text, head: ['MIME-Version: 1.0', 'Content-Type: multipart/mixed; boundary=b'] }))
  await readFrom(imap)
  const { body, received } = await newest(id)
  expect(body).toBe('Voici la photo, & merci\u00a0!')
  expect(received.attachments).toEqual([{ nom: 'photo.jpg', type: 'image/jpeg', bytes: 3_000 }])
  expect(received.quoted).toContain('Bonjour')
  expect(received.quoted).not.toContain('alert')
})

test('a mail of more than 10 MB is told of, and lies in the mailbox', async () => {
  const imap = await openInbox()
  const { id, to } = await answered()
  imap.deliver(mailOf({ to }), 10 * 1024 * 1024 + 1)
  imap.deliver(mailOf({ to, head: ['Content-Type: multipart/mixed; boundary=b'], text: nested(200) }))
  await readFrom(imap)
  expect((await messagesOf(id)).slice(-2)).toMatchObject([
    { body: '…', received: { problem: 'too_large' } },
    { body: '…', received: { problem: 'unreadable' } },
  ])
  expect(imap.commands.filter((command) => command.includes('BODY.PEEK[]'))).toHaveLength(1)
})

/** Parts within parts. */
const nested = (depth: number) =>
  Array.from(
    { length: depth },
    (_, at) => `--${'b'.repeat(at + 1)}\nContent-Type: multipart/mixed; boundary=${'b'.repeat(at + 2)}\n`,
  ).join('\n')

test('answers that no person wrote, and our own mails, become no message', async () => {
  const imap = await openInbox()
  const { id, to, ref } = await answered()
  const automatic = [
    ['Auto-Submitted: auto-replied'],
    ['Auto-Submitted: auto-generated (vacation)'],
    ['Precedence: bulk'],
    ['X-Autoreply: yes'],
    ['List-Id: <all.example.org>'],
  ]
  for (const head of automatic) imap.deliver(mailOf({ to, head: [...head, `In-Reply-To: ${ref}`] }))
  imap.deliver(mailOf({ to }).replace('<someone@example.org>', '<>'))
  imap.deliver(mailOf({ to, from: 'Parvis <parvis@example.org>' }))
  imap.deliver(mailOf({ to }).replace(/Message-ID: .*/, `Message-ID: ${ref}`))
  imap.deliver(mailOf({ to, head: ['Auto-Submitted: no'], text: 'Moi-même.' }))
  await readFrom(imap)
  expect(await outcomesOf(imap)).toEqual([
    ...automatic.map(() => 'auto_reply'),
    ...['auto_reply', 'loop', 'loop', 'message'],
  ])
  expect(await newest(id)).toMatchObject({ body: 'Moi-même.' })
  expect(await read(id)).toMatchObject({ messages_count: 3 })
})

test('a mail that answers nothing stays unread in the mailbox', async () => {
  const imap = await openInbox()
  const { id, replyId } = await answered()
  const uids = [
    imap.deliver(mailOf({ text: 'Bonjour, une question.' })),
    imap.deliver(mailOf({ to: `reponse+support-${uuidv7()}@example.org` })),
    imap.deliver(
      mailOf({ to: `reponse+${replyId}@example.org`, head: ['References: <a@b> <support@example.org>'] }),
    ),
    imap.deliver('\n\n'),
  ]
  await readFrom(imap)
  await readFrom(imap)
  expect(await outcomesOf(imap)).toEqual(uids.map(() => 'unmatched'))
  expect(uids.map(imap.isRead)).toEqual(uids.map(() => false))
  expect(await read(id)).toMatchObject({ messages_count: 2 })
})

const report = (action: string, about: string) => `--b
Content-Type: text/plain

I'm sorry to have to inform you that your message could not be delivered.

--b
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.example.org

Final-Recipient: rfc822; odile@example.org
Action: ${action}
Status: 5.1.1
Diagnostic-Code: smtp; 550 5.1.1 <odile@example.org>: Recipient address
 rejected: User unknown

--b
Content-Type: message/rfc822

Received: from localhost
Message-ID: ${about}
Subject: x

Bonjour
--b--`
const reportHead = ['Content-Type: multipart/report; report-type=delivery-status;\n boundary="b"']

test('a mail that did not arrive is shown as failed, with what its server said', async () => {
  const imap = await openInbox()
  const [one, other, late] = [await answered(), await answered(), await answered()]
  const from = 'MAILER-DAEMON@mx.example.org'
  imap.deliver(mailOf({ from, to: one.to, head: reportHead, text: report('failed', '<x@y>') }))
  imap.deliver(mailOf({ from, head: reportHead, text: report('failed', other.ref) }))
  imap.deliver(mailOf({ from, to: late.to, head: reportHead, text: report('delayed', late.ref) }))
  imap.deliver(mailOf({ from, head: reportHead, text: report('failed', '<nobody@example.org>') }))
  await readFrom(imap)
  const email_error = 'returned: 5.1.1 550 5.1.1 <(address)>: Recipient address rejected: User unknown'
  for (const { id } of [one, other])
    expect(await newest(id)).toMatchObject({ email_status: 'failed', email_error })
  expect(await newest(late.id)).toMatchObject({ email_status: 'sent', email_error: null })
  expect(await outcomesOf(imap)).toEqual(['report', 'report', 'report', 'report'])
  // It is sent again as any mail that failed.
  const again = await support.post(`/admin/messages/threads/${one.id}/reply`, { resend_of: one.replyId })
  expect(again.status).toBe(201)
})

const sample = (name: string) => readFileSync(new URL(`./samples/${name}.eml`, import.meta.url), 'latin1')

test('the automatic answers of real servers become no message', async () => {
  const imap = await openInbox()
  const names = ['01', '02', '03', '04', '05', '06']
  for (const name of names) imap.deliver(sample(`auto-reply-${name}`))
  await readFrom(imap)
  expect(await outcomesOf(imap)).toEqual(names.map(() => 'auto_reply'))
})

test('the reports of Postfix and Exchange are understood', async () => {
  const imap = await openInbox()
  const [one, other] = [await answered(), await answered()]
  imap.deliver(sample('report-postfix').replace('<20140701000000.000000000000@e1.example.ne.jp>', one.ref))
  // Exchange returns no Message-ID: the address says which mail it is about.
  imap.deliver(sample('report-exchange').replace('To: kijitora@example.jp', `To: ${other.to}`))
  await readFrom(imap)
  expect(await newest(one.id)).toMatchObject({
    ...{ email_status: 'failed', email_error: 'returned: 5.0.0 550 Unknown user (address)' },
  })
  expect(await newest(other.id)).toMatchObject({
    email_status: 'failed',
    email_error: 'returned: 5.1.1 550 5.1.1 RESOLVER.ADR.RecipNotFound; not found',
  })
})

test('a thread takes twenty mails an hour; more stay in the mailbox', async () => {
  const imap = await openInbox()
  const { id, to } = await answered()
  for (let nth = 0; nth < 25; nth++) imap.deliver(mailOf({ to, text: `Message ${nth}` }))
  await readFrom(imap)
  expect(await read(id)).toMatchObject({ messages_count: 21 })
  expect((await outcomesOf(imap)).slice(-6)).toEqual(Array(6).fill('flood'))
  expect(imap.isRead(25)).toBe(false)
})

test('a mail that arrives twice, or gets another number, is one message', async () => {
  const imap = await openInbox()
  const { id, to } = await answered()
  const mail = mailOf({ to, text: 'Une fois.' })
  imap.deliver(mail)
  imap.deliver(`Received: from elsewhere\n${mail}`)
  await readFrom(imap)
  expect(await outcomesOf(imap)).toEqual(['message', 'repeated'])
  imap.state.uidValidity = ++mailboxes
  await readFrom(imap)
  expect(await outcomesOf(imap)).toEqual(['repeated', 'repeated'])
  expect(await read(id)).toMatchObject({ messages_count: 3 })
})

test('a mail whose mark got lost is handled once, and marked by the next reading', async () => {
  const imap = await openInbox()
  const { id, to } = await answered()
  const uid = imap.deliver(mailOf({ to }))
  imap.state.before = (command, hangUp) => {
    if (command.startsWith('UID STORE')) hangUp()
  }
  await readFrom(imap).catch(() => undefined)
  expect(imap.isRead(uid)).toBe(false)
  imap.state.before = undefined
  await readFrom(imap)
  expect(imap.isRead(uid)).toBe(true)
  expect(await read(id)).toMatchObject({ messages_count: 3 })
})

test('two instances that read the mailbox at once handle each mail once', async () => {
  const imap = await openInbox()
  const threads = [await answered(), await answered(), await answered()]
  for (let nth = 0; nth < 12; nth++)
    imap.deliver(mailOf({ to: threads[nth % 3]?.to ?? '', text: `Message ${nth}` }))
  await Promise.all([readFrom(imap), readFrom(imap), readFrom(imap)])
  for (const { id } of threads) expect(await read(id)).toMatchObject({ messages_count: 6 })
  expect(await outcomesOf(imap)).toEqual(Array(12).fill('message'))
})

test('a thread that was erased takes nothing', async () => {
  const imap = await openInbox()
  const { id, to } = await answered()
  await sql`update support_threads set email = null, status = 'closed', closed_at = now() where id = ${id}`.execute(
    db,
  )
  const uid = imap.deliver(mailOf({ to }))
  await readFrom(imap)
  expect(await outcomesOf(imap)).toEqual(['unmatched'])
  expect(imap.isRead(uid)).toBe(false)
})

test('a mail that cannot be fetched stops no other, and is handled later', async () => {
  const imap = await openInbox()
  const [bad, good] = [await answered(), await answered()]
  imap.deliver(mailOf({ to: bad.to }))
  imap.deliver(mailOf({ to: good.to }))
  imap.state.refuses = (command) => command.startsWith('UID FETCH 1 ') && command.includes('BODY.PEEK[]')
  await expect(readFrom(imap)).rejects.toThrow('mail 1 cannot be handled')
  expect(await outcomesOf(imap)).toEqual(['message'])
  expect(await read(good.id)).toMatchObject({ messages_count: 3 })
  imap.state.refuses = undefined
  await readFrom(imap)
  expect(await read(bad.id)).toMatchObject({ messages_count: 3 })
})

test('heads that are made to be searched forever are read within a moment', async () => {
  const long = 400_000
  const { inbox } = settingsOf(config, messagesSettings)
  if (inbox === null) throw new Error('there is no inbox')
  for (const value of [
    'a'.repeat(long),
    `<${'a@'.repeat(long / 2)}`,
    '<'.repeat(long),
    'a@'.repeat(long / 2),
  ]) {
    const begun = process.cpuUsage()
    for (const name of ['To', 'References', 'From', 'Content-Type'])
      await readHead(Buffer.from(`${name}: ${value}\r\n\r\n`), inbox, config.mail.from)
    // Time of this process: others may keep it waiting.
    expect(process.cpuUsage(begun).user / 1e3).toBeLessThan(5_000)
  }
})

test('a wrong password and a server that stays silent fail the run, which is tried again', async () => {
  const imap = await openInbox()
  imap.state.password = 'changed'
  await expect(readFrom(imap)).rejects.toThrow()
  const stop = new AbortController()
  const silent = await openInbox({
    before(command) {
      if (!command.startsWith('UID SEARCH')) return
      stop.abort()
      return new Promise(() => {})
    },
  })
  await expect(readFrom(silent, { signal: stop.signal })).rejects.toThrow()
})

test('replies leave with the address that brings their answers back', async () => {
  const { received, port } = await startSmtpServer()
  const { replyId } = await answered()
  await moveMail(replyId, 'queued')
  const mailer = createMailer({
    url: `smtp://127.0.0.1:${port}`,
    from: config.mail.from,
    outboxDir: '/nowhere',
  })
  const signal = new AbortController().signal
  await sendReplyHandler({ db, config, mailer }).perform(
    { messageId: replyId },
    { id: 'job', attempt: 1, signal },
  )
  await mailer.close()
  const [mail] = received
  const { headers, text } = readMessage(mail?.content ?? '')
  expect(headers.get('Reply-To')).toBe(`reponse+support-${replyId}@example.org`)
  expect(mail?.session.envelope.mailFrom).toMatchObject({ address: `reponse+support-${replyId}@example.org` })
  expect(text).not.toContain('ne sont pas lues')
})

/** Mails about records that nobody has a thread about, each with its record and whom it went to. */
async function answerableMails() {
  const claimId = await claim({ email: 'candidate@example.org' })
  const asked = await world.as('moderator')
  const question = await asked.post(`/admin/claims/${claimId}/question`, { body: 'Qui préside le club ?' })
  const one = await written()
  await asked.patch(`${one.at}/valide`, { valide: false, reason: 'Photo floue.' })
  const complaint = await one.asEditor.post('/me/complaints', {
    ...{ statement_id: await statementOf(one.id), text: why },
  })
  await sql`
    update users set email = 'author@example.org', email_verified = true where id = (
      select user_id from complaints where id = ${complaint.body.data.id})`.execute(db)
  const receipt = await db
    .selectFrom('complaint_mails')
    .select(['id', 'kind'])
    .where('complaint_id', '=', complaint.body.data.id)
    .executeTakeFirstOrThrow()
  const of = await world.acteur({ valide: true })
  const owner = await world.user({ memberships: [{ acteur: of, role: 'owner' }] })
  const invited = { email: 'invited@example.org', role: 'editor', permissions: [] }
  await world.client({ token: owner.token }).post(`/me/acteurs/${of.id}/members`, invited)
  const invitation = await db
    .selectFrom('team_invitations')
    .select('id')
    .where('acteur_id', '=', of.id)
    .executeTakeFirstOrThrow()
  const newcomer = await world.user({ email: 'newcomer@example.org' })
  return [
    {
      about: { kind: 'claim', id: claimId },
      name: `claim-question-${question.body.data.id}`,
      to: 'candidate@example.org',
    },
    {
      ...{ about: { kind: 'complaint', id: complaint.body.data.id as string }, to: 'author@example.org' },
      name: `reclamation-${receipt.kind}-${receipt.id}`,
    },
    { about: { kind: 'acteur', id: of.id }, name: `team-invitation-${invitation.id}`, to: invited.email },
    { about: { kind: 'user', id: newcomer.id }, name: `invitation-${newcomer.id}`, to: newcomer.email },
  ]
}
const threadsAbout = async (id: string) => {
  const { rows } = await sql<{ id: string; email: string }>`
    select id, email from support_threads where about_id = ${id} order by number`.execute(db)
  return rows
}

test('answers to questions, complaints and invitations begin a thread about their record, one for each person', async () => {
  const imap = await openInbox()
  for (const { about, name, to } of await answerableMails()) {
    imap.deliver(mailOf({ to: `reponse+${name}@example.org`, from: `Nom <${to}>`, text: 'Ma réponse.' }))
    imap.deliver(
      mailOf({ head: [`In-Reply-To: <${name}@example.org>`], from: `Nom <${to}>`, text: 'Et encore.' }),
    )
    imap.deliver(mailOf({ to: `reponse+${name}@example.org`, from: 'autre@example.net', text: 'Moi aussi.' }))
    await readFrom(imap)
    const threads = await threadsAbout(about.id)
    expect(threads.map(({ email }) => email)).toEqual([to, 'autre@example.net'])
    const [mine, other] = threads.map(({ id }) => id)
    expect(await read(mine ?? '')).toMatchObject({
      ...{ about, nom: 'Nom', subject: 'Re: votre message', messages_count: 2, unread: true },
    })
    expect(await ids(`about=${about.id}`)).toEqual(expect.arrayContaining([mine, other]))
    expect(await messagesOf(mine ?? '')).toMatchObject([
      { body: 'Ma réponse.', received: { sender: 'same' } },
      { body: 'Et encore.', received: { sender: 'same' } },
    ])
    expect(await messagesOf(other ?? '')).toMatchObject([
      { body: 'Moi aussi.', received: { sender: 'other', from: 'autre@example.net' } },
    ])
  }
})

test('strangers who answer the same mail begin at most five threads an hour', async () => {
  const imap = await openInbox()
  const [{ about, name } = { about: { id: '' }, name: '' }] = await answerableMails()
  for (let nth = 0; nth < 7; nth++)
    imap.deliver(mailOf({ to: `reponse+${name}@example.org`, from: `stranger-${nth}@example.net` }))
  await readFrom(imap)
  expect(await threadsAbout(about.id)).toHaveLength(5)
  expect((await outcomesOf(imap)).slice(-2)).toEqual(['flood', 'flood'])
})

test('a mail about a complaint that did not arrive is shown as failed', async () => {
  const imap = await openInbox()
  const [, complaint] = await answerableMails()
  const id = complaint?.name.slice(-36) ?? ''
  await db.updateTable('complaint_mails').set({ email_status: 'sent' }).where('id', '=', id).execute()
  imap.deliver(mailOf({ head: reportHead, text: report('failed', `<${complaint?.name}@example.org>`) }))
  await readFrom(imap)
  const { email_status } = await db
    .selectFrom('complaint_mails')
    .select('email_status')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  expect(email_status).toBe('failed')
})
