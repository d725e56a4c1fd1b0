import { sql } from 'kysely'
import { Registry } from 'prom-client'
import { expect, test } from 'vitest'
import { createBrowser } from '../../../test/support/browser-client.ts'
import { openWorld } from '../../../test/support/world.ts'
import { startSmtpServer } from '../../platform/mail/mail-servers.test-kit.ts'
import { watchTransports } from './transports.ts'

/** Nothing listens there. */
const world = await openWorld({ env: { MAIL_URL: 'smtp://127.0.0.1:1' } })
const { as, db, database, user, client, url } = world
const admin = await as('admin')

const transports = async (language = 'en', by = admin) => {
  const answer = await by.get('/admin/system', { headers: { 'accept-language': language } })
  return answer.body.data.transports as Record<string, unknown>[]
}
const working = { failing_since: null, last_error: null, refusals: 0, waiting: 0, oldest_unsent: null }
const gauge = async () => {
  const registry = new Registry()
  watchTransports(registry, { db })
  return registry.getSingleMetricAsString('transport_failing_seconds')
}
/** What people read who were promised a mail. */
async function told(email: string) {
  const slug = (await world.commune()).slug
  const zoe = createBrowser(client)
  const me = await admin.get('/me')
  return {
    me: me.body.data.mails_delayed,
    methods: (await zoe.get('/auth/methods')).body.data.mails_delayed,
    asked: (await zoe.post('/auth/email', { email })).body.data,
    site: (await (await fetch(`${url}/communes/${slug}/abonnement?envoye=1`)).text()).includes('retardés'),
    dashboard: (await admin.get('/admin/dashboard')).body.transports_failing,
  }
}

test('a dead mail server shows after two refusals, everywhere, and until the first success', async () => {
  const known = (await user({ issuer: 'parvis', email: 'zoe@example.org' })).email ?? ''
  const nothing = { me: false, methods: false, asked: { sent: true }, site: false, dashboard: 0 }
  await admin.post('/admin/system/test-mail')
  expect(await told(known)).toEqual(nothing)
  expect(await gauge()).toContain('{transport="mail"} 0')
  await admin.post('/admin/system/test-mail')
  const [mail, push] = await transports()
  expect(mail).toMatchObject({
    ...{ kind: 'mail', refusals: 2, failing_since: expect.stringMatching(/Z$/) },
    last_error: expect.stringMatching(/^The server refuses the connection \(.*ECONNREFUSED/),
  })
  expect((await transports('fr'))[0]?.last_error).toMatch(/^Le serveur refuse la connexion \(/)
  expect(push).toEqual({ kind: 'push', ...working })
  const delayed = { me: true, methods: true, asked: { sent: true, delayed: true }, site: true, dashboard: 1 }
  for (const email of [known, 'nobody@example.org']) expect(await told(email)).toEqual(delayed)
  expect(await gauge()).toMatch(/\{transport="mail"\} \d+\.\d+/)
  expect((await fetch(`${url}/readyz`)).status).toBe(200)
  expect((await (await as('moderator')).get('/admin/dashboard')).body).not.toHaveProperty(
    'transports_failing',
  )

  const { port } = await startSmtpServer()
  const other = await openWorld({ database, env: { MAIL_URL: `smtp://127.0.0.1:${port}` } })
  await (await other.as('admin')).post('/admin/system/test-mail')
  expect(await told(known)).toEqual(nothing)
  expect((await transports())[0]).toMatchObject({ failing_since: null, last_error: null, refusals: 0 })
})

test('mails that are due, and those that wait for a retry, are counted; those that an undo can cancel are not', async () => {
  await sql`delete from pgboss.job`.execute(db)
  const { enqueue } = world.jobs
  const { receiptMails } = await import('../claims/receipt/jobs.ts')
  const claims = ['0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d01', '0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d02']
  for (const id of [...claims, '0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d03'])
    await receiptMails.enqueue(db, { ...world.jobs, enqueue }, id)
  const aboutClaim = (n: number) => sql`data->>'claimId' like ${`%0${n}`}`
  await sql`update pgboss.job set created_on = '2026-11-20T08:30:00Z', state = 'retry', retry_count = 1,
    start_after = now() + interval '1 hour' where ${aboutClaim(1)}`.execute(db)
  await sql`update pgboss.job set start_after = now() + interval '30 seconds' where ${aboutClaim(3)}`.execute(
    db,
  )
  expect((await transports())[0]).toMatchObject({ waiting: 2, oldest_unsent: '2026-11-20T08:30:00.000Z' })
  const { jobs } = (await admin.get('/admin/system')).body.data
  expect(jobs.waiting).toBe(2)
})
