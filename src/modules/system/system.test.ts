import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { sql } from 'kysely'
import pg from 'pg'
import { expect, test } from 'vitest'
import { openWorld, run } from '../../../test/support/world.ts'
import { version } from '../../platform/config/version.ts'
import { readMessage } from '../../platform/mail/mail-servers.test-kit.ts'

const env = { DATA_DIR: process.cwd() }
const world = await openWorld({ keeps: true, env })
const { as, db, database, user, client } = world
const admin = await as('admin')
const read = async (language = 'en', by = admin) =>
  (await by.get('/admin/system', { headers: { 'accept-language': language } })).body.data

test('describes version, instances, database, jobs, backup, disk and settings that are off', async () => {
  const second = await openWorld({ database, keeps: true, env, jobsRole: 'off' })
  await sql`insert into last_backup (made_at, bytes) values ('2026-11-20T03:00:00Z', 21400000)`.execute(db)
  const told = await read()
  expect(told).toMatchObject({ version, node: process.versions.node, failed: [], mail: 'files' })
  expect(told.instances).toEqual(
    ['on', 'off'].map((jobs) => ({ version, jobs, connected_at: expect.stringMatching(/Z$/) })),
  )
  expect(told.database).toMatchObject({ is_embedded: true, version: expect.stringMatching(/^\d+\.\d+/) })
  expect(told.database.bytes).toBeGreaterThan(1_000_000)
  expect(told.backup).toEqual({ is_ours: true, made_at: '2026-11-20T03:00:00.000Z', bytes: 21_400_000 })
  expect(told.disk.total_bytes).toBeGreaterThan(told.disk.free_bytes)
  const off = (told.settings_off as { setting: string; is_advised: boolean }[]).map(({ setting }) => setting)
  expect(off).toEqual(expect.arrayContaining(['MAIL_URL', 'PUBLIC_URL', 'AUDIT_KEY', 'MAIL_INBOX_URL']))
  expect(off.indexOf('METRICS_PORT')).toBeGreaterThan(off.indexOf('MAIL_URL'))
  const french = (await read('fr')).settings_off.find(
    ({ setting }: { setting: string }) => setting === 'MAIL_URL',
  )
  expect(french.effect).toContain('ne partent pas')
  await second.app.server.close()
})

test.each([
  [{}, ['SITE_CONTACT', 'SITE_DIRECTOR', 'SITE_HOST', 'SITE_OWNER']],
  [{ SITE_OWNER: 'Ville de Chambéry', SITE_HOST: 'Hébergeur' }, ['SITE_CONTACT', 'SITE_DIRECTOR']],
  [
    {
      ...{ SITE_OWNER: 'Ville de Chambéry', SITE_CONTACT: 'mairie@chambery.example' },
      ...{ SITE_HOST: 'Hébergeur', SITE_DIRECTOR: 'Odile Vauquelin' },
    },
    [],
  ],
  [{ SITE: 'off' }, []],
])('with %j, it names as missing what the public site needs: %j', async (set, missing) => {
  const other = await openWorld({ database, env: { ...env, ...set } })
  const { settings_off } = await read('fr', await other.as('admin'))
  const ofSite = settings_off.filter(({ setting }: { setting: string }) => setting.startsWith('SITE_'))
  expect(ofSite.map(({ setting }: { setting: string }) => setting).sort()).toEqual(missing)
  for (const one of ofSite) expect(one).toMatchObject({ is_advised: true, docs: 'site.md#set-it-up' })
})

test('lists each instance, and whether it runs jobs', async () => {
  // PostgreSQL shows the connection of the test before for a moment after its end.
  await expect.poll(async () => (await read()).instances.length).toBe(1)
  const listen = async (application_name: string) => {
    const client = new pg.Client({ ...database.service, application_name })
    await client.connect()
    return client
  }
  const names = ['', ' jobs=off']
  const others = await Promise.all(names.map((name) => listen(`parvis-changes ${version}${name}`)))
  const { instances } = await read()
  expect(instances).toHaveLength(3)
  expect(
    instances
      .slice(1)
      .map(({ jobs }: { jobs: string }) => jobs)
      .sort(),
  ).toEqual(['off', 'on'])
  await Promise.all(others.map((other) => other.end()))
})

test('counts due and dead jobs and dates the oldest, and no delayed ones', async () => {
  await sql`delete from pgboss.job`.execute(db)
  expect((await read()).jobs).toEqual({ waiting: 0, oldest_at: null, failed: 0 })
  const job = (name: string, start: string) =>
    run(
      database.owner,
      `insert into pgboss.job (name, state, start_after, data) values ('${name}', 'created', ${start}, '{}')`,
    )
  await run(database.owner, `select pgboss.create_queue('system.test', '{"policy": "standard"}')`).catch(
    () => {},
  )
  const { job: known } = { job: 'privacy.export' }
  await world.jobs.enqueue(db, (await import('../privacy/exports/jobs.ts')).exportJob, { exportId: 'x' })
  await sql`update pgboss.job set start_after = '2026-11-20T08:30:00Z'`.execute(db)
  await job(known, "now() + interval '1 hour'")
  expect((await read()).jobs).toEqual({ waiting: 1, oldest_at: '2026-11-20T08:30:00.000Z', failed: 0 })
})

test('a part that fails is named, and the others are shown', async () => {
  await run(database.owner, 'alter table last_backup rename to backup_away')
  const told = await read()
  expect(told).toMatchObject({ failed: ['backup'], backup: null, version })
  expect(told.database.bytes).toBeGreaterThan(0)
  await run(database.owner, 'alter table backup_away rename to last_backup')
})

test('shows the disk of a data folder that nothing has needed yet', async () => {
  const elsewhere = await openWorld({ database, env: { DATA_DIR: '/nowhere/at/all' } })
  const { token } = await user({ roles: ['admin'] })
  const by = elsewhere.client({ source: 'backoffice', token })
  const { failed, disk } = await read('en', by)
  expect([failed, disk.total_bytes > 0]).toEqual([[], true])
})

test('shows no value of a setting', async () => {
  const password = 'a-password-of-the-mail-server'
  const own = await openWorld({
    database,
    env: {
      MAIL_URL: `smtp://user:${password}@mail.example.org:587`,
      PUBLIC_URL: 'https://parvis.example.org',
    },
  })
  const { token } = await user({ roles: ['admin'] })
  const { text, body } = await own.client({ source: 'backoffice', token }).get('/admin/system')
  expect(body.data.mail).toBe('smtp')
  expect(text).not.toContain(password)
  expect(text).not.toContain('mail.example.org')
  expect(body.data.settings_off.map(({ setting }: { setting: string }) => setting)).not.toContain(
    'PUBLIC_URL',
  )
})

test('sends a test mail to the caller', async () => {
  const { token, email } = await user({ roles: ['admin'] })
  const answer = await client({ source: 'backoffice', token }).post('/admin/system/test-mail')
  expect(answer).toMatchObject({
    status: 200,
    body: { data: { status: 'sent', delivery: 'files', error: null } },
  })
  const mails = readdirSync(world.outbox).map((file) =>
    readMessage(readFileSync(join(world.outbox, file), 'utf8')),
  )
  expect(mails).toHaveLength(1)
  expect(mails[0]?.headers.get('To')).not.toBeNull()
  expect(email).not.toBeNull()
})

test('says what the mail server answered when it refuses the test mail', async () => {
  const refusing = createServer((socket) => socket.end('554 no service here\r\n')).listen(0, '127.0.0.1')
  await new Promise((resolve) => refusing.once('listening', resolve))
  const { port } = refusing.address() as { port: number }
  const own = await openWorld({ database, env: { MAIL_URL: `smtp://127.0.0.1:${port}` } })
  const { token } = await user({ roles: ['admin'] })
  const { body } = await own.client({ source: 'backoffice', token }).post('/admin/system/test-mail')
  expect(body.data).toMatchObject({
    status: 'failed',
    delivery: 'smtp',
    error: expect.stringContaining('554'),
  })
  refusing.close()
})

test('returns 409 for a test mail when the account has no address, and 429 beyond the limit', async () => {
  const own = await openWorld({ database, env: { RATE_LIMIT_TEST_MAIL: '1/hour' } })
  const { id, token } = await user({ roles: ['admin'] })
  const by = own.client({ source: 'backoffice', token })
  expect((await by.get('/me')).status).toBe(200)
  await sql`update users set email = null, email_verified = false where id = ${id}`.execute(db)
  expect(await by.post('/admin/system/test-mail')).toBeError(409, 'no_address')
  expect(await by.post('/admin/system/test-mail')).toBeError(429, 'rate_limited')
})
