import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { filledDataDir } from '../../test/processes/filled.ts'
import { openWorld } from '../../test/support/world.ts'
import { makeFolder, removeFolders } from '../embedded-postgres/cluster/cluster.test-kit.ts'
import { isClusterHeld } from '../embedded-postgres/cluster/cluster.ts'
import { readSecret } from '../embedded-postgres/files/secrets.ts'
import { clusterNames } from '../platform/database/cluster-names.ts'
import { openCommandWorld } from './command.test-kit.ts'
import { run } from './token.ts'

const world = await openWorld()
const { db, client } = world
const { call, env, named, refusal } = await openCommandWorld(world, run)
afterAll(removeFolders)

const enter = (token: string) => client({ source: 'backoffice', token: token.trim() }).get('/admin/users')
const userOf = (subject: string) =>
  db.selectFrom('users').selectAll().where('subject', '=', subject).executeTakeFirstOrThrow()
const auditedValues = (id: string) =>
  db.selectFrom('audit_log').selectAll().where('entity_id', '=', id).orderBy('at').orderBy('id').execute()

test('creates the user, grants the role and prints the token alone; a second time only the token', async () => {
  const { code, stdout, stderr } = await call('--email Ada@Example.org --role admin')
  expect([code, stderr]).toEqual([0, named])
  expect(stdout).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+\n$/)
  expect((await enter(stdout)).status).toBe(200)
  expect(await call('--email ada@example.org --role admin')).toMatchObject({ code: 0 })
  const user = await userOf('ada@example.org')
  expect(user).toMatchObject({ issuer: 'parvis', email: 'ada@example.org', actif: true })
  expect(await auditedValues(user.id)).toMatchObject([
    {
      action: 'user.create',
      entity: 'user',
      user_id: null,
      after: { issuer: 'parvis', email: '(personal)' },
    },
    { action: 'user.role_add', user_id: null, before: { roles: [] }, after: { roles: ['admin'] } },
  ])
})

test('without --role the token has no role, and it is valid as long as requested', async () => {
  const { stdout } = await call('--email bob@example.org --ttl 30m')
  expect(await enter(stdout)).toBeError(403, 'admin_required')
  const { iat, exp, iss, sub } = JSON.parse(Buffer.from(stdout.split('.')[1] ?? '', 'base64url').toString())
  expect({ iss, sub, ttl: exp - iat }).toEqual({
    iss: 'parvis',
    sub: 'bob@example.org',
    ttl: 1_800,
  })
  expect([iat, exp].every(Number.isInteger)).toBe(true)
})

test("the user's name is the address with ASCII letters folded and no others", async () => {
  await call('--email Z\u0130EH@B\u00DCCHER.example')
  expect(await userOf('z\u0130eh@xn--bcher-kva.example')).toMatchObject({ issuer: 'parvis' })
  expect(await call('--email vi\u212Ator@example.org')).toMatchObject({ code: 2, stdout: '' })
})

test('concurrent calls create one user', async () => {
  const answers = await Promise.all(
    Array.from({ length: 5 }, () => call('--email eve@example.org --role support')),
  )
  expect(answers.map(({ code, stderr }) => [code, stderr])).toEqual(Array(5).fill([0, named]))
  expect(await auditedValues((await userOf('eve@example.org')).id)).toHaveLength(2)
})

test('never takes over a user created by e-mail or of another issuer', async () => {
  const email = 'claimant@example.org'
  await world.user({ issuer: null, subject: null, email })
  await world.user({ issuer: 'https://id.example', subject: email, email, roles: ['admin'] })
  expect(await enter((await call(`--email ${email}`)).stdout)).toBeError(403, 'admin_required')
})

test('--revoke refuses every earlier token and no later one', async () => {
  const { stdout: old } = await call('--email zoe@example.org --role admin')
  expect(await call('--email zoe@example.org --revoke')).toEqual({
    code: 0,
    stdout: 'Every token of zoe@example.org issued before now is refused.\n',
    stderr: named,
  })
  expect(await enter(old)).toBeError(401, 'unauthenticated')
  await new Promise((resolve) => setTimeout(resolve, 5))
  expect((await enter((await call('--email zoe@example.org')).stdout)).status).toBe(200)
})

test.each([
  ['', 'Name the user: --email <address>, or --subject <sub> for a user of your provider.'],
  [
    '--email a@example.org --subject b',
    'Name the user: --email <address>, or --subject <sub> for a user of your provider.',
  ],
  ['--email nonsense', 'nonsense is not a plain e-mail address.'],
  [
    '--email a@example.org --role king',
    'There is no role king: the roles are admin, platform_admin, moderator, support.',
  ],
  ['--email a@example.org --ttl 8', '8 is not a duration: use 30m, 8h or 7d, at most 366d.'],
  ['--email a@example.org --ttl 0m', '0m is not a duration: use 30m, 8h or 7d, at most 366d.'],
  ['--email a@example.org --ttl 999999d', '999999d is not a duration: use 30m, 8h or 7d, at most 366d.'],
  ['--email a@example.org --revoke --role admin', '--revoke takes no other option than the user.'],
  ['--email nobody@example.org --revoke', 'There is no user nobody@example.org.'],
  ['--subject b', 'Name the role: the tokens of this user come from your identity provider.'],
  ['--email a@example.org --issuer b', '--issuer goes with --subject: addresses belong to the own issuer.'],
  [
    '--subject b --role admin',
    '--subject names a user of your identity provider: set AUTH_ISSUER or OIDC_ISSUER.',
  ],
  ['--mail a@example.org', "Unknown option '--mail'. See npm run token -- --help."],
])('"%s" exits with 2 and one sentence', async (args, sentence) => {
  expect(await refusal(args)).toBe(sentence)
})

test('a disabled user gets no token and no role', async () => {
  await call('--email off@example.org')
  const { id } = await userOf('off@example.org')
  await db.updateTable('users').set({ actif: false }).where('id', '=', id).execute()
  expect(await call('--email off@example.org --role admin')).toEqual({
    code: 2,
    stdout: '',
    stderr: `${named}The user off@example.org is disabled: an administrator can enable it.\n`,
  })
  expect(await db.selectFrom('user_roles').selectAll().where('user_id', '=', id).execute()).toEqual([])
})

const provider = {
  AUTH_JWKS_URL: 'https://id.example/keys',
  AUTH_ISSUER: 'https://id.example',
  AUTH_AUDIENCE: 'parvis',
}

test('with an identity provider its users get roles by --subject', async () => {
  const { AUTH_JWT_SECRET, ...without } = env
  const jwksOnly = { ...without, ...provider }
  expect(await call('--email ada@example.org --role admin', jwksOnly)).toEqual({
    code: 2,
    stdout: '',
    stderr:
      'Tokens come from your identity provider (AUTH_JWKS_URL): name its user, with --subject <sub> --role <role>.\n',
  })
  expect(await call('--subject auth0|42 --role admin', jwksOnly)).toEqual({
    code: 0,
    stdout: 'auth0|42 has the role admin. Nobody of https://id.example has signed in by this name yet.\n',
    stderr: named,
  })
  expect(await call('--subject auth0|42 --role support', jwksOnly)).toMatchObject({
    stdout: 'auth0|42 has the role support.\n',
  })
  const user = await userOf('auth0|42')
  expect(user).toMatchObject({ issuer: 'https://id.example', email: null })
  expect((await auditedValues(user.id)).map(({ action }) => action)).toEqual([
    'user.create',
    'user.role_add',
    'user.role_add',
  ])
  expect(await call('--subject auth0|42 --revoke', jwksOnly)).toMatchObject({ code: 0 })
  expect(await call('--subject auth0|43 --revoke', jwksOnly)).toMatchObject({
    code: 2,
    stderr: `${named}There is no user auth0|43 of https://id.example.\n`,
  })
})

const signIn = {
  OIDC_ISSUER: 'https://people.example',
  OIDC_CLIENT_ID: 'parvis',
  OIDC_CLIENT_SECRET: 'secret',
}

test('the OpenID provider for sign-in also works as issuer', async () => {
  expect(await call('--subject 4f0e --role admin', { ...env, ...signIn })).toMatchObject({
    code: 0,
    stdout: '4f0e has the role admin. Nobody of https://people.example has signed in by this name yet.\n',
  })
  expect(await userOf('4f0e')).toMatchObject({ issuer: 'https://people.example', email: null })
})

test('where two providers differ, --issuer names one of them', async () => {
  const both = { ...env, ...provider, ...signIn }
  await world.user({ issuer: 'https://people.example', subject: 'both' })
  const grant = (more: string) => call(`--subject both --role support${more}`, both)
  const issuersOfBoth = async () =>
    (await db.selectFrom('users').select('issuer').where('subject', '=', 'both').execute()).map(
      ({ issuer }) => issuer,
    )
  expect(await grant('')).toEqual({
    code: 2,
    stdout: '',
    stderr:
      'Name the provider too: --issuer https://id.example (AUTH_ISSUER) or --issuer https://people.example (OIDC_ISSUER).\n',
  })
  expect(await grant(' --issuer https://people.example/')).toMatchObject({
    code: 2,
    stderr: 'https://people.example/ is neither AUTH_ISSUER nor OIDC_ISSUER.\n',
  })
  expect(await grant(' --issuer https://people.example')).toMatchObject({
    code: 0,
    stdout: 'both has the role support.\n',
  })
  expect(await issuersOfBoth()).toEqual(['https://people.example'])
  expect(await grant(' --issuer https://id.example')).toMatchObject({ code: 0 })
  expect((await issuersOfBoth()).sort()).toEqual(['https://id.example', 'https://people.example'])
  expect(await call('--subject both --issuer https://people.example --revoke', both)).toMatchObject({
    code: 0,
  })
})

test('--help prints the usage', async () => {
  expect(await call('--help')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('npm run -s token --'),
  })
})

test('without a database it creates none, prints no token, and says so in one sentence', async () => {
  const dataDir = join(makeFolder(), 'data')
  expect(await call('--email ada@example.org --role admin', { DATA_DIR: dataDir })).toEqual({
    code: 2,
    stdout: '',
    stderr: `There is no database in ${dataDir}, and DATABASE_URL is not set: give this command the same settings as the service, or start Parvis here first.\n`,
  })
  expect(existsSync(dataDir)).toBe(false)
})

test('without a running service it starts the embedded database, creates the secret, and stops it', async () => {
  const dataDir = await filledDataDir(join(makeFolder(), 'data'))
  const { code, stdout, stderr } = await call('--email ada@example.org --role admin', { DATA_DIR: dataDir })
  expect([code, stderr]).toEqual([0, `Database: the embedded one in ${dataDir}\n`])
  expect(stdout.split('.')).toHaveLength(3)
  expect(isClusterHeld(dataDir, clusterNames)).toBe(false)
  const secret = readSecret(dataDir, 'jwtSecret')
  expect(secret).not.toBeNull()
  await call('--email bob@example.org', { DATA_DIR: dataDir })
  expect(readSecret(dataDir, 'jwtSecret')).toBe(secret)
}, 120_000)
