import { expect, test } from 'vitest'
import { createBrowser } from '../../test/support/browser-client.ts'
import { openWorld } from '../../test/support/world.ts'
import { putTotp } from '../modules/sign-in/sign-in.test-kit.ts'
import { openCommandWorld } from './command.test-kit.ts'
import { run } from './sign-in.ts'

const world = await openWorld()
const { db, client } = world
const { call, env, named, refusal } = await openCommandWorld(world, run)
Object.assign(env, { PUBLIC_URL: 'https://parvis.example.org' })

const enter = async (link: string) => {
  const who = createBrowser(client)
  const answer = await who.post('/auth/email/verify', { token: link.trim().split('#token=')[1] })
  return { who, answer }
}

test('prints only a link that signs in once, and creates the account with its role', async () => {
  const { code, stdout, stderr } = await call('--email Ada@Example.org --role admin')
  expect([code, stderr]).toEqual([0, named])
  expect(stdout).toMatch(/^https:\/\/parvis\.example\.org\/backoffice\/sign-in#token=[\w-]{56}\n$/)
  const { who, answer } = await enter(stdout)
  expect(answer.body).toEqual({ data: { status: 'signed_in' } })
  expect((await who.get('/me')).body.data).toMatchObject({ email: 'ada@example.org', roles: ['admin'] })
  expect((await enter(stdout)).answer).toBeError(401, 'unauthenticated')
  const auditEntries = await db
    .selectFrom('audit_log')
    .selectAll()
    .where('action', '=', 'user.sign_in_link')
    .execute()
  expect(auditEntries).toMatchObject([{ user_id: null, entity: 'user', after: { link: true } }])
})

test('--reset-factors lets a user sign in again who lost their second factors', async () => {
  const { id, email } = await world.user({ subject: 'lost@example.org', email: 'lost@example.org' })
  await putTotp(db, id)
  const before = await enter((await call(`--email ${email}`)).stdout)
  expect(before.answer.body.data.status).toBe('second_factor')
  const after = await enter((await call(`--email ${email} --reset-factors`)).stdout)
  expect(after.answer.body.data.status).toBe('signed_in')
  expect(await before.who.get('/me')).toBeError(401, 'unauthenticated')
})

test('refuses invalid arguments in one sentence', async () => {
  expect(await refusal('')).toBe('Name the user: --email <address>.')
  expect(await refusal('--email nowhere')).toContain('nowhere is not a plain e-mail address')
  expect(await refusal('--email a@example.org --role king')).toContain('There is no role king')
  expect((await call('--help')).stdout).toContain('Usage: npm run -s sign-in')
  const { SESSION_KEY, ...without } = env
  expect(SESSION_KEY).toBeDefined()
  const answer = await call('--email a@example.org', without)
  expect(answer).toMatchObject({ code: 2, stderr: expect.stringContaining('SESSION_KEY') })
})
