import { expect, test } from 'vitest'
import { openWorld } from '../../test/support/world.ts'
import { uuidv7 } from '../platform/uuid.ts'
import { openCommandWorld } from './command.test-kit.ts'
import { run } from './privacy.ts'

const world = await openWorld()
const { db, user, acteur, client } = world
const { call, env, named, refusal } = await openCommandWorld(world, run)

const email = 'odile@example.org'
const { id, token } = await user({ email, nom: 'Odile' })
const claim = { id: uuidv7(), acteur_id: (await acteur()).id, message: `Écrivez à ${email}`, email }
await db.insertInto('claims').values(claim).execute()

test('export prints all that is kept of an address, or of an account, as JSON', async () => {
  const byEmail = await call(`export --email Odile@example.org`)
  expect({ ...byEmail, stdout: '' }).toEqual({ code: 0, stdout: '', stderr: named })
  const told = JSON.parse(byEmail.stdout)
  expect(told).toMatchObject({
    user_ids: [id],
    emails: [email],
    users: [{ id, nom: 'Odile' }],
    claims: [{ id: claim.id }],
  })
  const byUser = JSON.parse((await call(`export --user ${id}`)).stdout)
  expect(byUser).toMatchObject({ users: told.users, claims: told.claims, acts: [] })
  const nobody = JSON.parse((await call('export --email nobody@example.org')).stdout)
  expect(nobody).toMatchObject({ user_ids: [], users: [], claims: [] })
})

test('erase --dry-run says which rows, and changes nothing; erase says the same, and does it', async () => {
  const rows = `claims: 1 (${claim.id})\nusers: 1 (${id})\n`
  expect(await call(`erase --email ${email} --dry-run`)).toEqual({
    code: 0,
    stdout: `${rows}Nothing was changed: this was a dry run.\n`,
    stderr: named,
  })
  const kept = await db.selectFrom('users').select(['email', 'nom']).where('id', '=', id).execute()
  expect(kept).toEqual([{ email, nom: 'Odile' }])
  expect(await call(`erase --email ${email}`)).toEqual({ code: 0, stdout: `${rows}Erased.\n`, stderr: named })
  expect(await client({ token }).get('/me')).toBeError(401, 'unauthenticated')
  expect(await call(`erase --email ${email}`)).toMatchObject({
    code: 0,
    stdout: 'There is nothing to erase.\n',
  })
})

test('erase tells where the address still stands in what others keep, and whose account only says to have it', async () => {
  const other = 'zoe@example.org'
  const stranger = await user({ issuer: 'https://id.example/', email: other })
  await user({ email: other })
  const slug = uuidv7()
  await db
    .insertInto('publications')
    .values({
      id: slug,
      slug,
      title: 'Fête',
      body: `Écrivez à ${other}`,
      duplicate_key: `s:${slug.replaceAll('-', '')}`,
    })
    .execute()
  const { stdout, stderr } = await call(`erase --email ${other}`)
  expect(stderr).toContain(`Left out: the user ${stranger.id} says to have this address`)
  expect(stdout).toContain('The address still stands in publications.body, in 1 rows: read them.\n')
  expect(stdout).toContain('The address still stands in users.email, in 1 rows: read them.\n')
})

test('the last administrator is refused with one sentence', async () => {
  const { id: last } = await user({ roles: ['admin'] })
  expect(await call(`erase --user ${last}`)).toEqual({
    code: 2,
    stdout: '',
    stderr: `${named}This is the last administrator: make somebody else one first (npm run token).\n`,
  })
})

test.each([
  ['', 'Say export or erase.'],
  ['erase', 'Say of whom: --email <address>, or --user <id>.'],
  ['erase --email a@example.org --user b', 'Say of whom: --email <address>, or --user <id>.'],
  ['export --user b --dry-run', '--dry-run goes with erase: an export changes nothing.'],
  ['export --user b', 'There is no user b.'],
  ['erase --email b', 'b is not a plain e-mail address.'],
])('"%s" exits with 2 and one sentence', async (args, sentence) => {
  expect(await refusal(args)).toBe(sentence)
})

test('a dry run that npm keeps for itself erases nobody', async () => {
  const given = { ...env, npm_config_dry_run: 'true' }
  expect(await call(`erase --user ${id}`, given)).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^npm kept --dry-run for itself/),
  })
})
