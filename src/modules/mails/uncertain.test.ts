import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { Registry } from 'prom-client'
import { expect, test } from 'vitest'
import { openWorld, run } from '../../../test/support/world.ts'
import { modules } from '../../app.ts'
import { until } from '../../platform/jobs/jobs.test-kit.ts'
import { createLog } from '../../platform/log/log.ts'
import { readMessage } from '../../platform/mail/mail-servers.test-kit.ts'
import { messagesKit } from '../messages/messages.test-kit.ts'
import { mailsHandlers, watchMails } from './module.ts'

const world = await openWorld()
const { db, as, user, acteur, post, jobs, log, config, outbox, runJobs, database } = world
const admin = await as('moderator')
const { thread, reply } = messagesKit(world, await as('support'))
const [, notify] = mailsHandlers({ db, jobs, log, config, modules } as never)
const perform = (handler = notify) =>
  handler?.perform({}, { id: 'job', attempt: 1, signal: new AbortController().signal })

/** Inserts a mail that reached this state that many minutes ago. */
async function replyThat(email_status: string, minutes = 10): Promise<void> {
  const id = await reply(await thread())
  await sql`update support_messages set email_status = ${email_status},
    email_status_at = now() - make_interval(mins => ${minutes}::int) where id = ${id}`.execute(db)
}

async function decisionThat(email_status: string): Promise<void> {
  const { id: acteur_id } = await acteur()
  const answer = await post('/claims', {
    acteur_id,
    message: 'La page de mon club.',
    email: 'odile@example.org',
  })
  await admin.patch(`/admin/claims/${answer.body.data.id}`, { status: 'rejected' })
  await sql`update claims set email_status = ${email_status}, email_status_at = now() - interval '10 minutes'
    where id = ${answer.body.data.id}`.execute(db)
}

const notices = async () => {
  const { rows } = await sql<{ data: { subject: string; text: string; key: string } }>`
    select data from pgboss.job where name = 'users.mail-administrator' order by created_on`.execute(db)
  return rows.map(({ data }) => data)
}

test('mails administrators once a day about newly uncertain mails, each once', async () => {
  await user({ roles: ['admin'], email: 'chef@example.org', issuer: 'parvis' })
  await perform()
  expect(await notices()).toEqual([])
  await replyThat('uncertain')
  await replyThat('uncertain', 60 * 24 * 400)
  await replyThat('sent')
  await replyThat('failed')
  await decisionThat('uncertain')
  // As before the first notice: old mails count as new too.
  await sql`update mail_notices set notified_until = '-infinity'`.execute(db)
  await perform()
  const [first, ...more] = await notices()
  expect(more).toEqual([])
  expect(first?.subject).toContain(': 3')
  expect(first?.text).toContain('- Réponse de l’assistance : 2\n')
  expect(first?.text).toContain('- Décision sur une revendication : 1\n')
  await perform()
  expect(await notices()).toHaveLength(1)
  await sql`update mail_notices set notified_until = now() - interval '1 day'`.execute(db)
  await sql`update claims set email_status = 'sent'`.execute(db)
  await perform()
  const [, second] = await notices()
  expect(second?.subject).toContain(': 1')
  expect(second?.key).not.toBe(first?.key)
})

test('two concurrent instances report each mail once', async () => {
  await replyThat('uncertain', 2)
  await sql`update mail_notices set notified_until = now() - interval '3 minutes'`.execute(db)
  const before = (await notices()).length
  await Promise.all([perform(), perform(), perform()])
  expect(await notices()).toHaveLength(before + 1)
})

test('a mail that changed in the last minute is reported next time', async () => {
  const before = (await notices()).length
  await replyThat('uncertain', 0)
  await perform()
  expect(await notices()).toHaveLength(before)
  await sql`update mail_notices set notified_until = notified_until - interval '2 minutes'`.execute(db)
  await sql`update support_messages set email_status_at = email_status_at - interval '2 minutes'
    where email_status = 'uncertain' and email_status_at > now() - interval '1 minute'`.execute(db)
  await perform()
  expect(await notices()).toHaveLength(before + 1)
})

const kinds = modules.flatMap(({ office }) => office?.mails ?? []).map(({ name }) => name)

test('every kind of mail is listed', () => {
  expect(kinds.toSorted()).toEqual([
    ...['acteur_deactivation', 'administrator_notice', 'alerte_hiding', 'alerte_reminder', 'claim_decision'],
    ...[
      'claim_question',
      'claim_receipt',
      'complaint',
      'digest',
      'former_address',
      'membership',
      'new_device',
    ],
    ...['publication_acceptance', 'publication_decision', 'report_outcome', 'sign_in_code'],
    ...['subscriber_confirmation', 'support_reply', 'team_invitation', 'user_invitation', 'webhook_notice'],
  ])
})

test('mails_uncertain counts by kind with an index, and is absent without the database', async () => {
  const registry = new Registry()
  watchMails(registry, { db, modules })
  const told = async () =>
    (await registry.metrics()).split('\n').filter((line) => line.startsWith('mails_uncertain{'))
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from support_messages where email_status = 'uncertain'`.execute(db)
  expect(await told()).toEqual(
    kinds.map((kind) => `mails_uncertain{kind="${kind}"} ${kind === 'support_reply' ? rows[0]?.count : 0}`),
  )
  await run(database.owner, 'alter table claims rename to claims_away')
  expect(await told()).toEqual([])
  await run(database.owner, 'alter table claims_away rename to claims')
})

test('gives up mails of each kind that have been in state sending for an hour', async () => {
  await replyThat('sending', 61)
  await decisionThat('sending')
  await sql`update claims set email_status_at = now() - interval '61 minutes' where email_status = 'sending'`.execute(
    db,
  )
  const lines: Record<string, unknown>[] = []
  const noting = createLog('info', { write: (line: string) => void lines.push(JSON.parse(line)) })
  const [giveUp] = mailsHandlers({ db, jobs, log: noting, config, modules } as never)
  await perform(giveUp)
  const told = [
    { mails: 'claim_decision', count: 1 },
    { mails: 'support_reply', count: 1 },
  ]
  expect(lines).toMatchObject(told)
  // No mail when there are none.
  await perform(giveUp)
  expect(lines).toMatchObject(told)
  for (const table of ['claims', 'support_messages']) {
    const { rows } = await sql`select from ${sql.table(table)} where email_status = 'sending'`.execute(db)
    expect(rows).toEqual([])
  }
})

test('the notice explains uncertain mails and what to do', async () => {
  await runJobs()
  const mails = async () => (await readdir(outbox)).filter((file) => /mails-uncertain.*\.eml$/.test(file))
  await until('it is there', async () => (await mails()).length > 0)
  const { headers, text } = readMessage(await readFile(join(outbox, (await mails())[0] ?? ''), 'utf8'))
  expect(headers.get('To')).toBe('chef@example.org')
  expect(headers.get('Subject')).toMatch(/^Courriels dont l’arrivée est incertaine : \d+$/)
  expect(text).toContain('se renvoie aussi depuis son échange')
  expect(text).toContain(`L’écran Courriels les montre`)
  expect(text).toContain(`\r\n${config.publicUrl}/backoffice/mails\r\n`)
})

test('mails_oldest_queued_seconds is the age of the oldest mail of each kind that is not sent, delayed or not', async () => {
  const registry = new Registry()
  watchMails(registry, { db, modules })
  const ages = async () =>
    Object.fromEntries(
      Array.from(
        (await registry.metrics()).matchAll(/^mails_oldest_queued_seconds{kind="(\w+)"} (\S+)/gm),
        ([, kind = '', age]) => [kind, Number(age)],
      ),
    )
  await run(database.owner, 'delete from pgboss.job')
  const none = Object.fromEntries(kinds.map((kind) => [kind, 0]))
  expect(await ages()).toEqual(none)
  await reply(await thread())
  // The state after a failed attempt: the next attempt is in an hour.
  await run(
    database.owner,
    `update pgboss.job set state = 'retry', created_on = now() - interval '2 hours', start_after = now() + interval '1 hour'
      where name = 'messages.send-reply'`,
  )
  const { support_reply: age, ...others } = await ages()
  expect(age).toBeGreaterThanOrEqual(7_200)
  expect({ ...others, support_reply: 0 }).toEqual(none)
  await run(database.owner, 'delete from pgboss.job')
})
