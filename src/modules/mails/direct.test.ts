import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openWorld } from '../../../test/support/world.ts'
import type { MailOutcome } from '../../platform/mail/mail.ts'
import { invitationHandler } from '../sign-in/invitations.ts'

const world = await openWorld()
const { as, db } = world

test('an invitation whose mail the server refuses for good is listed, and can be sent again', async () => {
  const admin = await as('admin')
  const invited = await admin.post('/admin/users', { email: 'invitee@example.org', nom: 'Inès' })
  expect(invited.status).toBe(201)
  let outcome: MailOutcome = { status: 'failed', retry: false, error: '550 no such user' }
  const mailer = { send: async () => outcome, close: async () => {} }
  const perform = async (job: { id: string; data: unknown }) =>
    invitationHandler({ ...world, mailer } as never).perform(job.data, {
      ...{ id: job.id, attempt: 1, signal: new AbortController().signal },
    })
  const jobs = async () =>
    (
      await sql<{ id: string; data: { userId: string } }>`
        select id, data from pgboss.job where name = 'sign-in.mail-invitation'
          and data->>'userId' = ${invited.body.data.id} order by created_on, id`.execute(db)
    ).rows
  const [first] = await jobs()
  await perform(first as never)
  const list = async () => (await admin.get('/admin/mails?kind=user_invitation')).body.data
  expect(await list()).toMatchObject([
    {
      ...{ id: first?.id, status: 'failed', attempts: 1, error: '550 no such user' },
      ...{ recipient: 'invitee@example.org', record_name: 'Inès', entity: 'user', can: ['resend'] },
    },
  ])
  expect((await admin.post(`/admin/mails/${first?.id}/resend`)).status).toBe(200)
  outcome = { status: 'sent' }
  await perform((await jobs()).at(-1) as never)
  expect(await list()).toMatchObject([{ id: first?.id, status: 'sent', attempts: 2, can: [] }])
})
