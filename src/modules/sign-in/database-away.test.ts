import { expect, test, vi } from 'vitest'
import { createBrowser } from '../../../test/support/browser-client.ts'
import { openWorld, run } from '../../../test/support/world.ts'
import { newestMail, putTotp, totpOf } from './sign-in.test-kit.ts'

test('sign-in returns 503 while the database is unavailable, consumes no attempt and works afterwards', async () => {
  const { db, user, client, database } = await openWorld({ keeps: true })
  const { email } = await user({ roles: ['moderator'] })
  const other = await user()
  const app = await putTotp(db, other.id)
  const [within, asking, half] = [createBrowser(client), createBrowser(client), createBrowser(client)]
  const signIn = async (who = within, address = email) => {
    await who.post('/auth/email', { email: address })
    return (await who.post('/auth/email/verify', { code: (await newestMail(db)).code })).body.data.status
  }
  expect(await signIn()).toBe('signed_in')
  expect(await signIn(half, other.email)).toBe('second_factor')
  await asking.post('/auth/email', { email })
  const { code } = await newestMail(db)
  const cookies = new Map(within.cookies)

  const elsewhere = { ...database.superuser, database: 'postgres' }
  await run(elsewhere, `alter database ${database.name} allow_connections false`)
  const cut = `select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = '${database.name}'`
  await vi.waitFor(async () => expect((await run(elsewhere, cut)).rowCount).toBe(0), { timeout: 60_000 })
  // A failed session lookup must not return 401: the browser would sign its user out.
  const refused = [
    await within.get('/me'),
    await within.post('/auth/logout'),
    await asking.post('/auth/email/verify', { code }),
    await half.post('/auth/second-factor', { totp: totpOf(app) }),
    await asking.post('/auth/email', { email }),
    await asking.post('/auth/email', { email: 'personne@example.org' }),
  ]
  for (const answer of refused) {
    expect(answer).toBeError(503, 'unavailable')
    expect(answer.headers.get('retry-after')).toBe('5')
    expect(answer.headers.getSetCookie()).toEqual([])
  }
  expect(within.cookies).toEqual(cookies)

  await run(elsewhere, `alter database ${database.name} allow_connections true`)
  await vi.waitFor(async () => expect((await within.get('/me')).status).toBe(200), { timeout: 60_000 })
  expect((await asking.post('/auth/email/verify', { code })).body.data.status).toBe('signed_in')
  const shown = await half.post('/auth/second-factor', { totp: totpOf(app) })
  expect(shown.body).toEqual({ data: { status: 'signed_in' } })
})
