import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openWorld } from '../../../test/support/world.ts'
import { uuidv7 } from '../../platform/formats/uuid.ts'
import { until } from '../../platform/jobs/jobs.test-kit.ts'
import type { MailOutcome } from '../../platform/mail/mail.ts'
import { mailAdministratorHandler, notifyAdministrators } from './administrators.ts'

const { user, db, config, jobs, log, outbox, runJobs } = await openWorld()
const fr = { subject: 'Quelque chose', text: 'À voir dès que possible.\n' }
const notice = { key: 'something-2026-11-20', fr, en: { subject: 'Something', text: 'To be looked at.\n' } }

test('a notice is sent once to each enabled administrator with a verified address, in their language, and to no other user', async () => {
  const elsewhere = { issuer: 'https://id.example.org' }
  await user({ roles: ['admin'], email: 'own@example.org', issuer: 'parvis' })
  await user({
    roles: ['platform_admin', 'admin'],
    email: 'sure@example.org',
    email_verified: true,
    langue: 'en',
    ...elsewhere,
  })
  await user({ roles: ['admin'], email: 'unsure@example.org', ...elsewhere })
  await user({ roles: ['admin'], email: 'gone@example.org', issuer: 'parvis', actif: false })
  await user({ roles: ['moderator'], email: 'moderator@example.org', issuer: 'parvis' })
  await user({ roles: ['admin'], email: null, issuer: 'parvis' })
  await db.transaction().execute((tx) => notifyAdministrators(tx, { jobs }, notice))
  await db.transaction().execute((tx) => notifyAdministrators(tx, { jobs }, notice))
  await runJobs()
  const mails = async () => (await readdir(outbox)).filter((file) => file.endsWith('.eml'))
  await until('both are told', async () => (await mails()).length === 2)
  const texts = await Promise.all((await mails()).map((file) => readFile(join(outbox, file), 'utf8')))
  expect(texts.map((text) => /^To: (.+)\r\nSubject: (.+)\r$/m.exec(text)?.slice(1)).sort()).toEqual([
    ['own@example.org', 'Quelque chose'],
    ['sure@example.org', 'Something'],
  ])
})

test('retries a mail the server did not accept, but not one that may have been sent', async () => {
  const { id: userId } = await user({ roles: ['admin'], email: 'late@example.org', issuer: 'parvis' })
  const tell = (outcome: MailOutcome, attempt = 1, id = uuidv7()) => {
    const mailer = { send: async () => outcome, close: async () => {} }
    const context = { id, attempt, signal: new AbortController().signal }
    return mailAdministratorHandler({ db, config, log, mailer }).perform(
      { key: notice.key, ...fr, userId },
      context,
    )
  }
  const away: MailOutcome = { status: 'failed', retry: true, error: 'connection refused' }
  const job = uuidv7()
  await expect(tell(away, 1, job)).rejects.toThrow('not sent: connection refused')
  await tell({ status: 'sent' }, 2, job)
  // It is not sent twice, whatever the jobs do.
  await tell(away, 3, job)
  await tell(away, 21)
  await tell({ status: 'uncertain', error: 'no answer' })
  await tell({ status: 'failed', retry: false, error: 'no such user' })
  const stored = await db
    .selectFrom('direct_mails')
    .select(['email_status', 'user_id'])
    .orderBy('id')
    .execute()
  expect(stored.filter(({ user_id }) => user_id === userId).map(({ email_status }) => email_status)).toEqual([
    ...['sent', 'failed', 'uncertain', 'failed'],
  ])
})
