import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import pg from 'pg'
import { beforeAll, expect, test } from 'vitest'
import { callsOfEachModule, openStage } from '../../../test/support/route-calls.ts'
import { openWorld, run } from '../../../test/support/world.ts'
import { modules } from '../../app.ts'
import { identityDigests } from '../../platform/access/erased-identities.ts'
import { onConnection } from '../../platform/database/connections/on-connection.ts'
import { whileConnected } from '../../platform/database/connections/while-connected.ts'
import { uuidv7 } from '../../platform/formats/uuid.ts'
import type { Job } from '../../platform/jobs/job.ts'
import { until } from '../../platform/jobs/jobs.test-kit.ts'
import { personalOf } from '../../platform/module.ts'
import { createSealer } from '../audit/seals/rules.ts'
import { sealKey } from '../audit/seals/seal.ts'
import { verifyAuditLog } from '../audit/seals/verify.ts'
import { insertInvitation } from '../espace/invitations/queries.ts'
import { addressesOf } from '../subscribers/addresses.ts'
import { askToSubscribe } from '../subscribers/subscribing.ts'
import { mailAdministratorHandler } from '../users/administrators.ts'
import { erasePerson } from './erase.ts'
import { exportPerson } from './export.ts'
import { findTraces, type Trace } from './traces.ts'

/**
 * Stores one person in every table: she sends each prepared call, and every text in it is her name, contact or text.
 * The tests search every column of every table, so they find an area that stores personal data without declaring it.
 */

const world = await openWorld()
const { db, jobs, config, outbox, database } = world
const stage = await openStage(world)
const { author, address } = stage
const words = ['vauquelin']
const tools = { db, jobs, modules, config, clock: () => new Date(), digests: identityDigests(config) }
const key = sealKey('a key for tests that is long enough')
const { signal } = new AbortController()

/** Calls whose texts describe acteurs, élus, objects or another user, not her. */
const ofOthers = /^(POST|PATCH) \/admin\/(acteurs|communes|users|defibrillateurs|defibrillateurs-france)\b/

/** Tables with text but without people: public registers, settings, figures and digests. */
const ofNobody = [
  // Acts, which the law makes public with the names of those who signed them.
  'acceptance_mails',
  'act_authorities',
  'act_files',
  'act_seals',
  'act_timestamps',
  'acteur_former_slugs',
  'acteur_mails',
  'acts',
  'addresses',
  'alerte_hiding_mails',
  'alerte_hidings',
  'app_sources',
  'audit_archives',
  'audit_seal_faults',
  'audit_seals',
  'broadcast_deliveries',
  'broadcasts',
  'case_reporters',
  'claim_receipts',
  'collecte_import_communes',
  'collecte_imports',
  'collectes',
  'commune_activity',
  'commune_aliases',
  'commune_former_names',
  'commune_former_slugs',
  'commune_infos',
  'commune_page_versions',
  'commune_pages',
  'communes',
  'complaint_mails',
  'daily_counts',
  'decision_items',
  'decisions',
  'defibrillateur_map_cells',
  'defibrillateur_sync_progress',
  'defibrillateur_syncs',
  'defibrillateurs',
  'defibrillateurs_received',
  'digest_mails',
  'domains',
  'duplicate_groups',
  'elus',
  'erased_identities',
  'first_loads',
  'grounds',
  'group_communes',
  'group_former_slugs',
  'groups',
  'identity_keys',
  'image_backlog',
  'image_fetches',
  'image_hosts',
  'import_items',
  'import_log',
  'import_run_items',
  'import_runs',
  'import_sources',
  'kysely_migration',
  'kysely_migration_lock',
  'media_documents',
  'media_objects',
  'media_variants',
  'migration_digests',
  'moderation_facts',
  'oidc_id_tokens',
  'publication_communes',
  'payment_customers',
  'payment_events',
  'person_export_chunks',
  'presence',
  'publication_former_slugs',
  'publication_hidings',
  'publication_mails',
  'publication_types',
  'push_keys',
  'rate_limits',
  'readings',
  'reply_templates',
  'report_cases',
  'report_mails',
  'reporters',
  'resident_choices',
  'resident_group_choices',
  'resident_subscribers',
  'retention_runs',
  'search_terms',
  'secteurs',
  'sourced_facts',
  'streets',
  'subscriptions',
  'transport_failures',
  'used_oidc_states',
  'used_passkey_challenges',
  'wal_timeline',
  'webhook_deliveries',
  'webhooks',
]

/** Connects as the PostgreSQL superuser, who can read everything. */
async function tracesOf(mentions: string[]): Promise<Trace[]> {
  const client = new pg.Client(database.superuser)
  return whileConnected(client, async () => {
    await client.connect()
    return findTraces(onConnection(client), mentions)
  }).finally(() => client.end())
}
const inOutbox = () =>
  readdirSync(outbox).filter((file) => /vauquelin/i.test(readFileSync(join(outbox, file), 'utf8')))
const faults = async () => {
  const told: string[] = []
  const { seals } = await verifyAuditLog(db, [key], [], (fault) => told.push(fault))
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
  const invited = { acteurId: stage.club.id, email: address, role: 'editor' as const, permissions: [] }
  await insertInvitation(db, invited, { isMailed: true })
  await db.updateTable('acteurs').set({ email: address }).where('id', '=', stage.club.id).execute()
  await db.updateTable('alertes').set({ created_by: author.id }).execute()
  await sql`
    insert into deleted_records (id, kind, commune_id, label, content)
    select gen_random_uuid(), 'alerte', commune_id, titre, jsonb_build_object('row', to_jsonb(a)) from alertes a
    where commune_id is not null limit 1`.execute(db)
  await sql`
    insert into received_mails (id, mailbox, uid_validity, uid, outcome, message_id, sender, from_address, quoted, attachments)
    select gen_random_uuid(), 'reponse@example.org', 1, 1, 'message', id, 'other', ${address}, 'Chère Odile Vauquelin',
      '[{"nom": "vauquelin.jpg", "type": "image/jpeg", "bytes": 1}]'
    from support_messages where direction = 'inbound' limit 1`.execute(db)
  await db.insertInto('user_roles').values({ user_id: author.id, role: 'support' }).execute()
  await sql`
    insert into statements (id, record_id, entity, title, restriction, ground, reason, decided_by, before)
    select gen_random_uuid(), id, 'publication', 'Fête', 'hidden', '{"code": "autre"}', 'Chère Odile Vauquelin', ${stage.moderator.id}, '{}'
    from publications where created_by = ${author.id} limit 1`.execute(db)
  await sql`
    insert into statements (id, record_id, entity, title, restriction, ground, reason, decided_by, before)
    values (gen_random_uuid(), ${stage.club.id}, 'acteur', 'Club', 'deactivated', '{"code": "autre"}', 'Chère Odile Vauquelin', ${stage.moderator.id}, '{}')`.execute(
    db,
  )
  const factor = { user_id: author.id }
  await db
    .insertInto('totp_factors')
    .values({ ...factor, pending_secret: Buffer.from('s') })
    .execute()
  await db
    .insertInto('address_changes')
    .values({ ...factor, id: uuidv7(), former_address: address, began_at: new Date() })
    .execute()
  const directMail = { mail_kind: 'former_address', record_id: author.id, user_id: author.id }
  await db
    .insertInto('direct_mails')
    .values({ ...directMail, id: uuidv7(), email_status: 'sent', email_tries: 1 })
    .execute()
  const link = { token_hash: Buffer.alloc(32), list: 'claims', query: 'q=vauquelin', language: 'fr' }
  await db
    .insertInto('export_links')
    .values({ ...factor, ...link, id: uuidv7(), expires_at: new Date() })
    .execute()
  const passkey = {
    credential_id: 'credential',
    public_key: Buffer.from('k'),
    counter: 0,
    label: 'Téléphone',
  }
  await db
    .insertInto('passkeys')
    .values({ ...factor, ...passkey, id: uuidv7() })
    .execute()
  await db
    .insertInto('recovery_codes')
    .values({ ...factor, id: uuidv7(), code_hash: Buffer.alloc(32) })
    .execute()
  const town = await world.commune()
  await askToSubscribe(
    { db, jobs, addresses: addressesOf(config.sessionKeys) },
    address,
    { id: town.id, isGroup: false },
    {
      ...{ alertes: 'all', collectes_hour: null, collectes_secteur: null, actualites: false },
    },
  )
  const notice = { userId: author.id, key: 'k', subject: 'Sujet', text: `Écrivez à ${address}.` }
  await jobs.enqueue(db, mailAdministratorHandler({ config } as never).job as Job<object>, notice)
  await createSealer(db, [key], { batch: 7 })(signal, 120_000)
}, 120_000)

test('the person appears in each table that holds text, except those without personal data', async () => {
  const found = new Set((await tracesOf([...words, author.id])).map(({ table }) => table))
  const { rows } = await run(
    database.owner,
    `select distinct c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped
     and a.atttypid::regtype::text ~ 'text|char|json|tsvector|bytea'`,
  )
  const holding = rows.map(({ name }) => name).filter((name) => !found.has(name))
  expect(holding.sort()).toEqual(ofNobody.filter((name) => holding.includes(name)))
  // The job table is partitioned into others.
  expect([...found].join()).toMatch('pgboss.job')
})

test('an export contains everything stored about her and is audited', async () => {
  let text = ''
  const person = { userIds: [author.id], emails: [address] }
  for await (const piece of exportPerson(tools, person)) text += piece
  const told = JSON.parse(text)
  const sections = personalOf(modules, config).map(({ name }) => name)
  expect(Object.keys(told).sort()).toEqual([...sections, 'emails', 'exported_at', 'user_ids'].sort())
  expect(sections.filter((name) => told[name].length === 0)).toEqual([])
  expect(told.users).toMatchObject([
    { email: address, roles: [{ role: 'support' }], acteurs: [{ role: 'owner' }] },
  ])
  expect(told.claims[0]).toMatchObject({ message: stage.secret })
  const row = { action: 'person.export', entity_id: author.id, after: { exported: true } }
  expect(
    await db
      .selectFrom('audit_log')
      .selectAll()
      .where('action', '=', row.action)
      .where('user_id', 'is', null)
      .execute(),
  ).toMatchObject([row])
})

test('a dry run reports the changes and makes none', async () => {
  const before = await tracesOf([...words, author.id])
  const { changed } = await erasePerson(tools, asked, { dryRun: true })
  expect(changed.claims?.length).toBeGreaterThan(1)
  expect(await tracesOf([...words, author.id])).toEqual(before)
})

test('after the erasure no column and no queued mail contains her data', async () => {
  const counts = () =>
    run(
      database.owner,
      `select (select count(*) from claims) as claims, (select count(*) from publication_reports) as reports,
       (select count(*) from publications) as publications, (select count(*) from users) as users`,
    )
  const { rows: before } = await counts()
  expect(await faults()).toEqual([])
  const { changed } = await erasePerson(tools, asked)
  const erasing = personalOf(modules, config)
    .filter(({ erase }) => erase)
    .map(({ name }) => name)
  for (const name of [...erasing, 'jobs']) expect(changed[name]?.length, name).toBeGreaterThan(0)
  expect(await tracesOf(words)).toEqual([])
  expect((await counts()).rows).toEqual(before)
  // Sealed entries are unchanged, and later ones are sealed too.
  await createSealer(db, [key], { batch: 7 })(signal, 120_000)
  expect(await faults()).toEqual([])
  const { rows } = await run(database.owner, `select from pgboss.job where data::text like '%${author.id}%'`)
  expect(rows).toEqual([])
  await world.runJobs()
  const due = `select from pgboss.job where state in ('created', 'active') and name ~ 'mail|send|tell' and start_after <= now()`
  await until('mail that waited was sent', async () => (await run(database.owner, due)).rows.length === 0)
  expect(inOutbox()).toEqual([])
})

test('the erasure is audited by ids only; a second one finds nothing', async () => {
  const auditEntries = () =>
    db
      .selectFrom('audit_log')
      .selectAll()
      .where('action', '=', 'person.erase')
      .where('user_id', 'is', null)
      .execute()
  expect(await auditEntries()).toMatchObject([
    { user_id: null, entity: 'person', entity_id: author.id, after: { erased: { users: 1 } } },
  ])
  const { changed } = await erasePerson(tools, asked)
  expect(Object.values(changed).flat()).toEqual([])
  expect(await auditEntries()).toHaveLength(1)
})
