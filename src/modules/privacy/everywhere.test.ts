import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { beforeAll, expect, test } from 'vitest'
import { callsOfEachModule, openStage } from '../../../test/support/route-calls.ts'
import { openWorld, run } from '../../../test/support/world.ts'
import { modules } from '../../app.ts'
import { identityDigest } from '../../platform/access/erased-identities.ts'
import { sharedSecret } from '../../platform/config.ts'
import { onConnection } from '../../platform/database/connections/on-connection.ts'
import { whileConnected } from '../../platform/database/connections/while-connected.ts'
import type { Job } from '../../platform/jobs/job.ts'
import { until } from '../../platform/jobs/jobs.test-kit.ts'
import { createSealer } from '../audit/seals/rules.ts'
import { sealKey } from '../audit/seals/seal.ts'
import { verifyTrail } from '../audit/seals/verify.ts'
import { mailAdministratorHandler } from '../users/administrators/jobs.ts'
import { erasePerson } from './erase.ts'
import { exportPerson } from './export.ts'
import { findTraces, type Trace } from './traces.ts'

/*
 * One person in every table: she makes each call that modules stage, and what these write stands for her name, her
 * contacts and her words. An area that keeps something of people and forgets to say how it goes is found here, for
 * every column of every table is looked at, whoever made it.
 */

const world = await openWorld()
const { db, jobs, config, outbox, database } = world
const stage = await openStage(world)
const { author, address } = stage
const words = ['vauquelin']
const tools = { db, jobs, modules, clock: () => new Date(), digestOf: identityDigest(sharedSecret(config)) }
const key = sealKey('a key for tests that is long enough')
const { signal } = new AbortController()

/** Calls in which somebody speaks of acteurs, of élus, of things or of another user: these are no words of hers. */
const ofOthers = /^(POST|PATCH) \/admin\/(acteurs|communes|users|defibrillateurs|defibrillateurs-france)\b/

/** Tables with text in which nobody stands: public registers, settings, figures, and digests. */
const ofNobody = [
  'app_sources',
  'audit_seals',
  'collectes',
  'commune_aliases',
  'commune_infos',
  'communes',
  'defibrillateur_syncs',
  'defibrillateurs',
  'defibrillateurs_received',
  'duplicate_groups',
  'elus',
  'erased_identities',
  'first_loads',
  'import_items',
  'import_log',
  'import_runs',
  'import_sources',
  'kysely_migration',
  'kysely_migration_lock',
  'listing_counts',
  'migration_digests',
  'publication_communes',
  'payment_customers',
  'payment_events',
  'publication_counts',
  'publication_types',
  'rate_limits',
  'retention_runs',
  'subscriptions',
]

/** As PostgreSQL's own administrator, whom nothing is kept from. */
async function tracesOf(said: string[]): Promise<Trace[]> {
  const client = new pg.Client(database.superuser)
  return whileConnected(client, async () => {
    await client.connect()
    return findTraces(onConnection(client), said)
  }).finally(() => client.end())
}
const inOutbox = () =>
  readdirSync(outbox).filter((file) => /vauquelin/i.test(readFileSync(join(outbox, file), 'utf8')))
const faults = async () => {
  const told: string[] = []
  const { seals } = await verifyTrail(db, [key], [], (fault) => told.push(fault))
  expect(seals).toBeGreaterThan(0)
  return told
}
const asked = { user: author.id }

beforeAll(async () => {
  const calls = await callsOfEachModule(stage)
  for (const [name, make] of Object.entries(calls)) {
    if (ofOthers.test(name) || name.startsWith('GET ')) continue
    const { by, path, body, headers: own } = await make()
    const [method = ''] = name.split(' ')
    const headers = method === 'POST' ? { 'idempotency-key': name.replace(/[^\x21-\x7e]/g, '-') } : {}
    const answer = await by.client.send(method, path, body, { headers: { ...headers, ...own } })
    expect(answer.status, `${name} ${answer.text}`).toBeLessThan(300)
  }
  await db
    .updateTable('users')
    .set({ nom: 'Odile Vauquelin', email: address, subject: 'vauquelin|1', last_seen_at: new Date() })
    .where('id', '=', author.id)
    .execute()
  await db.updateTable('acteurs').set({ email: address }).where('id', '=', stage.club.id).execute()
  await db.updateTable('alertes').set({ created_by: author.id }).execute()
  await db.insertInto('user_roles').values({ user_id: author.id, role: 'support' }).execute()
  const notice = { userId: author.id, key: 'k', subject: 'Sujet', text: `Écrivez à ${address}.` }
  await jobs.enqueue(db, mailAdministratorHandler({ config } as never).job as Job<object>, notice)
  await createSealer(db, key, 7)(signal, 120_000)
}, 120_000)

test('she stands in each table that holds text, but in those that hold nobody', async () => {
  const found = new Set((await tracesOf([...words, author.id])).map(({ table }) => table))
  const { rows } = await run(
    database.owner,
    `select distinct c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped
     and a.atttypid::regtype::text ~ 'text|char|json|tsvector|bytea'`,
  )
  const holding = rows.map(({ name }) => name).filter((name) => !found.has(name))
  expect(holding.sort()).toEqual(ofNobody.filter((name) => holding.includes(name)))
  // The table of jobs is made of others.
  expect([...found].join()).toMatch('pgboss.job')
})

test('an export tells all that is kept of her, and stands in the trail', async () => {
  let text = ''
  const person = { userIds: [author.id], emails: [address] }
  for await (const piece of exportPerson(tools, person)) text += piece
  const told = JSON.parse(text)
  const sections = modules.flatMap(({ personal = [] }) => personal.map(({ name }) => name))
  expect(Object.keys(told).sort()).toEqual([...sections, 'emails', 'exported_at', 'user_ids'].sort())
  expect(sections.filter((name) => told[name].length === 0)).toEqual([])
  expect(told.users).toMatchObject([
    { email: address, roles: [{ role: 'support' }], acteurs: [{ role: 'owner' }] },
  ])
  expect(told.claims[0]).toMatchObject({ message: stage.secret })
  const row = { action: 'person.export', entity_id: author.id, after: { exported: true } }
  expect(
    await db.selectFrom('audit_log').selectAll().where('action', '=', row.action).execute(),
  ).toMatchObject([row])
})

test('a dry run says what would be changed, and changes nothing', async () => {
  const before = await tracesOf([...words, author.id])
  const { changed } = await erasePerson(tools, asked, { dryRun: true })
  expect(changed.claims?.length).toBeGreaterThan(1)
  expect(await tracesOf([...words, author.id])).toEqual(before)
})

test('once she is erased, nothing of her is left in any column of any table, nor in mail that waits', async () => {
  const counts = () =>
    run(
      database.owner,
      `select (select count(*) from claims) as claims, (select count(*) from publication_reports) as reports,
       (select count(*) from publications) as publications, (select count(*) from users) as users`,
    )
  const { rows: before } = await counts()
  expect(await faults()).toEqual([])
  const { changed } = await erasePerson(tools, asked)
  const erasing = modules.flatMap(({ personal = [] }) =>
    personal.filter(({ erase }) => erase).map(({ name }) => name),
  )
  for (const name of [...erasing, 'jobs']) expect(changed[name]?.length, name).toBeGreaterThan(0)
  expect(await tracesOf(words)).toEqual([])
  expect((await counts()).rows).toEqual(before)
  // Of what was sealed nothing has changed; what was added since is sealed too.
  await createSealer(db, key, 7)(signal, 120_000)
  expect(await faults()).toEqual([])
  const { rows } = await run(database.owner, `select from pgboss.job where data::text like '%${author.id}%'`)
  expect(rows).toEqual([])
  await world.runJobs()
  const due = `select from pgboss.job where state in ('created', 'active') and name ~ 'mail|send|tell' and start_after <= now()`
  await until('mail that waited was sent', async () => (await run(database.owner, due)).rows.length === 0)
  expect(inOutbox()).toEqual([])
})

test('the erasure stands in the trail, by numbers alone; a second one finds nothing', async () => {
  const trail = () => db.selectFrom('audit_log').selectAll().where('action', '=', 'person.erase').execute()
  expect(await trail()).toMatchObject([
    { user_id: null, entity: 'person', entity_id: author.id, after: { erased: { users: 1 } } },
  ])
  const { changed } = await erasePerson(tools, asked)
  expect(Object.values(changed).flat()).toEqual([])
  expect(await trail()).toHaveLength(1)
})
