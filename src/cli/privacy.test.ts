import { expect, test } from 'vitest'
import { openWorld } from '../../test/support/world.ts'
import { uuidv7 } from '../platform/formats/uuid.ts'
import { openCommandWorld } from './command.test-kit.ts'
import { run } from './privacy.ts'

const world = await openWorld()
const { db, user, acteur, client } = world
const { call, env, named, refusal } = await openCommandWorld(world, run)

const email = 'odile@example.org'
const { id, token } = await user({ email, nom: 'Odile' })
const claim = { id: uuidv7(), acteur_id: (await acteur()).id, message: `Écrivez à ${email}`, email }
await db.insertInto('claims').values(claim).execute()

test('export prints everything stored about an address or account as JSON', async () => {
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

test('erase --dry-run lists the rows and changes nothing; erase does the same for real', async () => {
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

test("erase reports where others' records still contain the address, and accounts that merely claim it", async () => {
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
  expect(stderr).toContain(`Left out: the user ${stranger.id} states this address, but it is not verified`)
  expect(stdout).toContain('The address still occurs in publications.body, in 1 rows: review these rows.\n')
  expect(stdout).toContain('The address still occurs in users.email, in 1 rows: review these rows.\n')
})

test('records of another account that only typed the address are listed as unsure, and kept by default', async () => {
  const address = 'visee@example.org'
  await user({ email: address })
  const stranger = await user()
  const typed = { message: 'Écrivez-lui', email: address, user_id: stranger.id }
  const made = { id: uuidv7(), acteur_id: (await acteur()).id, ...typed }
  const anonymous = { ...typed, id: uuidv7(), acteur_id: (await acteur()).id, user_id: null }
  for (const values of [made, anonymous]) await db.insertInto('claims').values(values).execute()
  const thread = { id: uuidv7(), subject: 'Bonjour', email: address, user_id: stranger.id, said: '' }
  await db.insertInto('support_threads').values(thread).execute()
  const told = await call(`export --email ${address}`)
  expect(JSON.parse(told.stdout)).toMatchObject({ claims: [{ id: anonymous.id }], threads: [] })
  const leftOut = (name: string, id: string) =>
    `Left out: ${name} ${id} contain this address but belong to another account. See --also.\n`
  expect(told.stderr).toContain(leftOut('claims', made.id))
  expect(told.stderr).toContain(leftOut('threads', thread.id))
  const also = await call(`export --email ${address} --also ${made.id}`)
  expect(JSON.parse(also.stdout).claims).toHaveLength(2)
  const erased = await call(`erase --email ${address} --also ${thread.id}`)
  expect(erased.stdout).toContain(`claims: 1 (${anonymous.id})\n`)
  expect(erased.stdout).toContain(`threads: 1 (${thread.id})\n`)
  expect(erased.stderr).toContain(leftOut('claims', made.id))
  const kept = await db.selectFrom('claims').select('email').where('id', '=', made.id).execute()
  expect(kept).toEqual([{ email: address }])
  expect(await call(`erase --email ${address} --also x`)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--also takes the id of a record.'),
  })
})

test('refuses the last administrator in one sentence', async () => {
  const { id: last } = await user({ roles: ['admin'] })
  expect(await call(`erase --user ${last}`)).toEqual({
    code: 2,
    stdout: '',
    stderr: `${named}This is the last administrator: make somebody else one first (npm run token).\n`,
  })
})

test.each([
  ['', 'Name what to do: export or erase.'],
  ['erase', 'Name the person: --email <address>, or --user <id>.'],
  ['erase --email a@example.org --user b', 'Name the person: --email <address>, or --user <id>.'],
  ['export --user b --dry-run', '--dry-run is an option of erase: an export changes nothing.'],
  ['export --user b', 'There is no user b.'],
  ['erase --email b', 'b is not a plain e-mail address.'],
])('"%s" exits with 2 and one sentence', async (args, sentence) => {
  expect(await refusal(args)).toBe(sentence)
})

test('a --dry-run option swallowed by npm erases nothing', async () => {
  const given = { ...env, npm_config_dry_run: 'true' }
  expect(await call(`erase --user ${id}`, given)).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^npm kept --dry-run for itself/),
  })
})
