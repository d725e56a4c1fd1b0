// Not on another PostgreSQL, because other files run its statements too.
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chownSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { afterAll, beforeAll, expect, inject, onTestFinished, test } from 'vitest'
import { readConfig } from '../../src/platform/config/config.ts'
import { StartError } from '../../src/platform/config/start-error.ts'
import { openDatabase } from '../../src/platform/database/open.ts'
import { prepareDatabase } from '../../src/platform/database/prepare.ts'
import { ask, connect, urlOf } from './postgres.ts'
import { cleanUp, isRoot, makeFolder } from './service.ts'

const { superuser, owner, service } = inject('server')
const [fresh = '', other = ''] = [1, 2].map(() => `parvis_wrong_${randomBytes(4).toString('hex')}`)

beforeAll(async () => {
  for (const name of [fresh, other])
    await ask(connect(superuser), `create database ${name} owner ${owner.user}`)
})
afterAll(async () => {
  for (const name of [fresh, other])
    await ask(connect(superuser), `drop database if exists ${name} with (force)`)
  await cleanUp()
})

/** Does what a start does with the configured database, up to its tables. */
async function set(DATABASE_URL: string, MIGRATE_DATABASE_URL?: string, DATA_DIR?: string): Promise<void> {
  const config = readConfig([], { AUTH_JWT_SECRET: secret, DATABASE_URL, MIGRATE_DATABASE_URL, DATA_DIR })
  const database = await openDatabase(config, () => {})
  await prepareDatabase(database, { names: [], fill: async () => {} }, () => {})
}

const secret = 'a secret for tests: long enough to be one'

async function expectRefusal(starting: Promise<unknown>, sentence: string): Promise<void> {
  await expect(starting).rejects.toThrow(new StartError(sentence))
  await expect(starting).rejects.toBeInstanceOf(StartError)
}

const without = (role: string) =>
  `The role ${role} may not make or change the tables: let MIGRATE_DATABASE_URL name the role that owns the database, and DATABASE_URL the one that serves.`
const twoDatabases =
  'DATABASE_URL and MIGRATE_DATABASE_URL name two databases: let both name the same one, each with its role.'

const unready = (fault: string) =>
  `The database that DATABASE_URL names is not ready, since ${fault}: run "npm run migrate" with MIGRATE_DATABASE_URL, the role that owns it, beside DATABASE_URL.`

test('reports a role that may not create the tables, alone or as the owner, in one sentence', async () => {
  const asService = urlOf(service, fresh)
  await expectRefusal(set(asService), unready('the migration 0001-functions has not been applied'))
  await expectRefusal(set(asService, asService), without(`${service.user}`))
})

test('reports a role that may not alter tables of another role', async () => {
  await set(urlOf(service, fresh), urlOf(owner, fresh))
  await ask(connect({ ...superuser, database: fresh }), `grant create on schema public to ${service.user}`)
  await ask(connect(superuser), `grant create on database ${fresh} to ${service.user}`)
  await expectRefusal(set(urlOf(service, fresh), urlOf(service, fresh)), without(`${service.user}`))
})

test('the service role needs no owner once the tables exist', () => set(urlOf(service, fresh)))

test('reports two settings that name different databases in one sentence', () =>
  expectRefusal(set(urlOf(service, other), urlOf(owner, fresh)), twoDatabases))

test('reports a DIRECT_DATABASE_URL of another database in one sentence', () => {
  const [DATABASE_URL, DIRECT_DATABASE_URL] = [urlOf(service, fresh), urlOf(service, other)]
  const config = readConfig([], { AUTH_JWT_SECRET: secret, DATABASE_URL, DIRECT_DATABASE_URL })
  return expectRefusal(
    openDatabase(config, () => {}),
    twoDatabases.replace('MIGRATE', 'DIRECT'),
  )
})

test('waits for a database that is read-only, and otherwise says so in one sentence', async () => {
  const config = readConfig([], { AUTH_JWT_SECRET: secret, DATABASE_URL: urlOf(service, fresh) })
  const close = (state: string) =>
    ask(connect(superuser), `alter database ${fresh} set default_transaction_read_only = ${state}`)
  await close('on')
  const sentence = 'The database that DATABASE_URL names is read-only'
  await expectRefusal(
    openDatabase(config, () => {}, { writableMs: 0 }),
    `${sentence}: start again when it accepts changes, or name the primary.`,
  )
  const said: string[] = []
  let opening: Promise<unknown> = Promise.resolve()
  const waits = new Promise<void>((resolve) => {
    opening = openDatabase(config, (line) => resolve(void said.push(line)))
  })
  await waits
  await close('off')
  await opening
  expect(said).toEqual([`${sentence}: trying again for 30 s`])
})

test('waits for a database that recovers, and says in one sentence that it is gone', async () => {
  const fields = ['SFATAL', 'C57P03', 'Mthe database system is not yet accepting connections', '', '']
  const body = Buffer.from(fields.join('\0'))
  const size = Buffer.alloc(4)
  size.writeInt32BE(body.length + 4)
  let refusals = 0
  const server = createServer((socket) => {
    socket
      .on('error', () => {})
      .once('data', () => {
        if (++refusals === 100) server.close()
        socket.end(Buffer.concat([Buffer.from('E'), size, body]))
      })
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const DATABASE_URL = `postgres://x:y@127.0.0.1:${port}/parvis?sslmode=disable`
  const config = readConfig([], { AUTH_JWT_SECRET: secret, DATABASE_URL })
  const said: string[] = []
  let pauses = 0
  // Every other pause follows a refusal; the one before would count looks at a connection that is being opened.
  const pause = () => (++pauses % 2 === 0 ? Promise.resolve() : new Promise(() => {}))
  await expectRefusal(
    openDatabase(config, (line) => said.push(line), { writableMs: 0, pause }),
    `The database that DATABASE_URL names cannot be used: connect ECONNREFUSED 127.0.0.1:${port}.`,
  )
  expect(refusals).toBe(100)
  expect(said[0]).toBe(
    'The database that DATABASE_URL names is not ready (the database system is not yet accepting connections): waiting',
  )
})

test('names whichever of the two settings is unreachable', async () => {
  const [right, wrong] = [urlOf(owner, fresh), urlOf(service, 'parvis_wrong_nowhere')]
  const reason = 'cannot be used: database "parvis_wrong_nowhere" does not exist.'
  await expectRefusal(set(wrong, right), `The database that DATABASE_URL names ${reason}`)
  await expectRefusal(set(right, wrong), `The database that MIGRATE_DATABASE_URL names ${reason}`)
})

test.skipIf(!isRoot)("as root writes no mail into another user's data folder", async () => {
  const dataDir = makeFolder()
  chownSync(dataDir, 65_534, 65_534)
  const refused = set(urlOf(service, fresh), urlOf(owner, fresh), dataDir)
  await expect(refused).rejects.toThrow(`Root does not use ${dataDir}, since it belongs to another user: `)
})

test.each(['sslrootcert=/nope', 'sslkey=/', 'port=seven'])(
  'reports a DATABASE_URL with %s in one sentence without its password',
  async (parameter) => {
    const starting = set(`postgres://someone:secret@127.0.0.1:1/nowhere?${parameter}`)
    await expect(starting).rejects.toBeInstanceOf(StartError)
    await expect(starting).rejects.toThrow(
      /^The database that DATABASE_URL names cannot be used: (?!.*secret)[^\n]+[^.\n]\.$/,
    )
  },
)
