import { beforeAll, expect, test } from 'vitest'
import { modules } from '../../src/app.ts'
import { findActeursOfCommune } from '../../src/modules/acteurs/meant.ts'
import { acteursList } from '../../src/modules/acteurs/queries.ts'
import {
  acteursOfCommune,
  type CommuneActeursQuery,
  publicActeurs,
} from '../../src/modules/acteurs/reading.ts'

import type { ActeursQuery } from '../../src/modules/acteurs/schema.ts'
import { alertesInForce, alertesList } from '../../src/modules/alertes/queries.ts'
import type { AlertesAdminQuery } from '../../src/modules/alertes/schema.ts'
import { auditList } from '../../src/modules/audit/routes.admin.ts'
import type { AuditQuery } from '../../src/modules/audit/schema.ts'
import { findNamedRecords, type SearchTerms } from '../../src/modules/audit/search.ts'
import { listUsersOfAddress } from '../../src/modules/claims/reading.ts'
import { mailsList } from '../../src/modules/mails/listing.ts'
import type { MailsQuery } from '../../src/modules/mails/schema.ts'
import { usersList } from '../../src/modules/users/queries.ts'
import type { UsersQuery } from '../../src/modules/users/schema.ts'
import { type List, readList } from '../../src/platform/http/listing/list.ts'
import { adminPerPage, type Paging, pagingOf } from '../../src/platform/http/listing/paging.ts'
import { insertManyRows } from '../support/many/rows.ts'
import { explain, gatherStatistics, readWhole, type Step, visitedBy, watch } from '../support/plans.ts'
import { openWorld } from '../support/world.ts'

const { pool, database } = await openWorld()
const { db, statements } = watch(pool)

const tables = ['communes', 'acteurs', 'users', 'user_roles', 'actor_users', 'alertes', 'audit_log']

/** Many of each; inserting them is most of the cost of this file. */
const count = process.env.PARVIS_TEST_LONG ? 100_000 : 30_000

/** Distributed as in a country: few pending, few inactive, few equal names. */
beforeAll(async () => {
  const id = (kind: string) => `('0199c9a3-${kind}-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid`
  await insertManyRows(database.superuser, tables, (client) =>
    client.query(`insert into communes (id, slug, nom, code_insee, departement, region)
     select ${id('cccc')}, 'c-' || n, 'Commune ' || n, lpad(n::text, 5, '0'), '99', '99' from generate_series(0, 1999) n;
     insert into acteurs (id, slug, nom, type, commune_id, valide, active, deleted_at, can_publish, badge)
     select ${id('aaaa')}, 'a-' || n, 'Association ' || md5(n::text),
       case when n % 1000 = 0 then 'ecole' else 'association' end,
       ('0199c9a3-cccc-7000-8000-' || lpad(to_hex(n % 2000), 12, '0'))::uuid,
       n % 500 <> 0, n % 700 <> 0, case when n % 900 = 0 then now() end, n % 600 = 0,
       case when n % 300 = 0 then 'Badge ' || n % 3 end
     from generate_series(1, ${count}) n;
     insert into users (id, issuer, subject, email, nom, actif, last_seen_at)
     select ${id('bbbb')}, 'test', n, case when n % 50 <> 0 then md5(n::text) || '@example.org' end,
       case when n % 20 <> 0 then 'Personne ' || n end, n % 800 <> 0,
       case when n % 3 <> 0 then now() - n * interval '1 minute' end
     from generate_series(1, ${count}) n;
     insert into user_roles (user_id, role)
     select id, case when subject::int % ${count / 20} = 0 then 'support' else 'moderator' end
     from users where subject::int % 1000 = 0;
     insert into actor_users (acteur_id, user_id, role)
     select ('0199c9a3-aaaa-7000-8000-' || lpad(to_hex(1 + n % ${count / 5}), 12, '0'))::uuid, ${id('bbbb')}, 'editor'
     from generate_series(1, ${count}) n;
     insert into alertes (id, commune_id, titre, message, niveau, fin, created_at, email_status, email_status_at)
     select ${id('eeee')}, ('0199c9a3-cccc-7000-8000-' || lpad(to_hex(n % 20), 12, '0'))::uuid, 'x', 'x', 'info',
       case when n % ${count / 20} > 20 then now() - n * interval '1 minute' end, now() - n * interval '2 minutes',
       case when n % 3000 = 0 then 'failed' when n % 2 = 0 then 'sent' end,
       case when n % 2 = 0 then now() - n * interval '1 minute' end
     from generate_series(1, ${count}) n;
     insert into audit_log (id, seq, at, user_id, action, entity, entity_id)
     select ${id('dddd')}, n, now() - (${count} - n) * interval '1 minute', ${id('bbbb')},
       case when n % 1000 = 0 then 'commune.update' else 'publication.update' end,
       case when n % 1000 = 0 then 'commune' else 'publication' end, n % 50000
     from generate_series(1, ${count}) n`),
  )
  await gatherStatistics(database, tables)
}, 120_000)

const paging = pagingOf({}, adminPerPage)
const far = pagingOf({ page: count / 2 / adminPerPage }, adminPerPage)
const word = 'a0'
const commune_id = '0199c9a3-cccc-7000-8000-000000000005'
const ids = ['0199c9a3-aaaa-7000-8000-000000000005', '0199c9a3-bbbb-7000-8000-000000000005']

test.each<ActeursQuery>([
  {},
  { deleted: 'true' },
  { deleted: 'only' },
  { ids },
  { q: word },
  { q: 'association' },
  { q: 'nowhere' },
  { type: ['ecole'] },
  { type: ['commerce'] },
  { type: ['ecole', 'commerce'] },
  { type: ['ecole', 'association'] },
  { valide: [false] },
  { valide: [false], active: [false] },
  { valide: [true, false] },
  { active: [false] },
  { can_publish: [true] },
  { badge: 'Badge 0' },
  { badge: 'Badge 1', can_publish: [true], sort: 'nom_asc' },
  { commune_id },
  { commune_id, type: ['association'], q: 'association' },
  { sort: 'created_at_asc' },
  { sort: 'nom_asc' },
  { sort: 'nom_desc' },
  { sort: 'type_asc' },
  { sort: 'type_desc' },
  { sort: 'nom_asc', type: ['ecole'] },
  { sort: 'type_desc', commune_id },
])('a page of acteurs goes by an index, in one statement: %j', async (query) => {
  const { rows } = await readPage(acteursList, query)
  if (query.sort === undefined) expectNewestFirst(rows)
})

test.each<CommuneActeursQuery>([{}, { q: word }, { type: ['ecole', 'association'] }])(
  'a page of the public acteurs of a commune goes by an index, in one statement: %j',
  async (query) => {
    const { visited } = await readPage(acteursOfCommune, { ...query, commune_id })
    expect(visited).toBeLessThan(1_000)
  },
)

test('a misspelt name of an acteur is compared with those of its commune alone', async () => {
  const { near } = await findActeursOfCommune(db, { commune_id, q: 'asociation' }, 10)
  expect(near).toHaveLength(10)
  statements.splice(0, statements.length - 1)
  expect(statements[0]?.sql).toContain('strict_word_similarity')
  expect(Math.max(...(await expectIndexed()).map(visitedBy))).toBeLessThan(1_000)
})

test.each([{ q: word }, { q: 'association' }, { q: 'association', commune_ids: [commune_id] }])(
  'a page of the public acteurs that are found goes by an index, in one statement: %j',
  async (query) => {
    const { rows } = await readPage(publicActeurs, query)
    expect(rows.length).toBeGreaterThan(0)
  },
)

test('reads alerts in force without the thousands that have ended', async () => {
  const { rows, visited, total } = await readPage(alertesInForce(new Date(), commune_id), { commune_id })
  expect(visited).toBeLessThan(100)
  expect(total).toBe(20)
  expect(rows).toHaveLength(20)
})

test.each<AlertesAdminQuery>([
  {},
  { sort: 'created_at_asc' },
  { commune_id },
  { commune_id, en_cours: [true] },
  { niveau: ['info'] },
  { ids: ['0199c9a3-eeee-7000-8000-000000000005'] },
])('a page of all alerts goes by an index, in one statement: %j', async (query) => {
  await readPage(alertesList(new Date()), query)
})

test('joins roles and memberships for the users of the page only', async () => {
  statements.length = 0
  const { rows } = await readList(db, usersList, {}, { ...far, isCounted: false })
  expect(rows).toHaveLength(adminPerPage)
  const [statement = { sql: '', parameters: [] }] = statements
  const looks = (await explain(pool, statement)).filter((step) =>
    ['user_roles', 'actor_users'].includes(step['Relation Name'] ?? ''),
  )
  expect(looks.length).toBeGreaterThan(0)
  for (const look of looks) expect(look['Actual Loops']).toBeLessThanOrEqual(adminPerPage + 1)
})

test.each<UsersQuery>([
  {},
  { ids },
  { q: word },
  { q: 'personne 77' },
  { q: 'example org' },
  { q: 'nobody' },
  { role: ['support'] },
  { role: ['admin'] },
  { role: ['support', 'moderator'] },
  { actif: [false] },
  { actif: [true], role: ['moderator'] },
  { acteur_id: '0199c9a3-aaaa-7000-8000-000000000005' },
  { sort: 'created_at_asc' },
  { sort: 'email_asc' },
  { sort: 'email_desc' },
  { sort: 'nom_asc' },
  { sort: 'nom_desc' },
  { sort: 'last_seen_at_asc' },
  { sort: 'last_seen_at_desc' },
  { sort: 'email_asc', role: ['support'] },
  { sort: 'nom_desc', actif: [false] },
])('a page of users goes by an index, in one statement: %j', async (query) => {
  const { rows } = await readPage(usersList, query)
  if (query.sort === undefined) expectNewestFirst(rows)
})

test('finds the users of an address by an index', async () => {
  statements.length = 0
  const found = await listUsersOfAddress(db, 'A87FF679A2F3E71D9181A67B7542122C@example.org')
  expect(found).toMatchObject([{ nom: 'Personne 4' }])
  const [statement = { sql: '', parameters: [] }] = statements
  const steps = await explain(pool, statement)
  expect(readWhole(steps)).not.toContain('users')
})

test.each<AuditQuery>([
  {},
  { ids },
  { entity: ['commune'] },
  { entity: ['publication'] },
  { entity: ['nothing'] },
  { entity: ['commune', 'nothing'] },
  { entity: ['commune', 'publication'] },
  { entity_id: '77' },
  { entity: ['publication'], entity_id: '77' },
  { action: ['commune.update'] },
  { action: ['commune.update', 'nothing'] },
  { user_id: '0199c9a3-bbbb-7000-8000-000000000005' },
  { since: '2026-01-01T00:00:00Z' },
  { sort: 'at_asc' },
  { sort: 'at_asc', entity: ['commune'] },
])('a page of the audit log uses an index, in one statement: %j', async (query) => {
  const { rows } = await readPage(auditList(), query)
  expectNewestFirst(query.sort === 'at_asc' ? rows.toReversed() : rows)
})

test.each<Partial<SearchTerms>>([
  { actions: ['publication.update'] },
  { actions: ['commune.update', 'nothing'] },
  { userIds: ['0199c9a3-bbbb-7000-8000-000000000005'], entityIds: ['0199c9a3-bbbb-7000-8000-000000000005'] },
  { actions: ['commune.update', 'publication.update'], entityIds: ['77'] },
  { entityIds: ['nothing'] },
  { actions: ['commune.update'], acteurIds: ids.slice(0, 2), entityIds: ids.slice(0, 2) },
])(
  'a page of the audit log found by a search reads a few rows of each index, in one statement: %j',
  async (found) => {
    const searched = { actions: [], userIds: [], entityIds: [], acteurIds: [], isCut: false, ...found }
    for (const query of [{}, { sort: 'at_asc' } as const, { entity: ['commune', 'publication'] }]) {
      const { rows, visited } = await readPage(auditList(searched), { ...query, q: 'searched' })
      expect(visited).toBeLessThan(200)
      expectNewestFirst('sort' in query ? rows.toReversed() : rows)
    }
  },
)

test.each(['zwetschge', 'publication', 'acteur 4', '12'])(
  'finds the records that a text names by indexes, in one statement: %s',
  async (q) => {
    statements.length = 0
    await findNamedRecords(db, q)
    const [statement = { sql: '', parameters: [] }, ...others] = statements
    expect(others).toEqual([])
    const steps = await explain(pool, statement)
    expect(readWhole(steps.filter((step) => visitedBy(step) > 1_000))).toEqual([])
  },
)

test('the entries of a request have their own index', async () => {
  const { steps } = await readPage(auditList(), { request_id: 'unknown' })
  expect(steps.map((step) => step['Index Name'])).toContain('audit_log_of_request')
})

const mailKinds = modules.flatMap(({ office }) => office?.mails ?? [])

test.each<MailsQuery>([
  {},
  { status: ['failed', 'uncertain'] },
  { status: ['held'] },
  { status: ['queued'], kind: ['claim_decision'] },
  { sort: 'status_at_asc' },
  { ids },
])('a page of mails reads a few rows of each index, in one statement: %j', async (query) => {
  const { rows, visited } = await readPage(mailsList(mailKinds, query), query)
  expect(visited).toBeLessThan(2_000)
  const times = rows.map(({ email_status_at }) => email_status_at.getTime())
  const newestFirst = times.toSorted((one, other) => other - one)
  expect(times).toEqual(query.sort === 'status_at_asc' ? newestFirst.toReversed() : newestFirst)
})

test('the audit log of one acteur has its own index, in the order of the list', async () => {
  const { steps, visited } = await readPage(auditList(), { acteur_id: ids[0] ?? '' })
  expect(steps.map((step) => step['Index Name'])).toContain('audit_log_by_acteur')
  expect(steps.map((step) => step['Node Type'])).not.toContain('Sort')
  expect(visited).toBeLessThan(200)
})

test('the audit log of one record has its own index, because before PostgreSQL 18 no other index helps', async () => {
  const { steps } = await readPage(auditList(), { entity_id: '77' })
  expect(steps.map((step) => step['Index Name'])).toContain('audit_log_of_record')
})

type Paged = { rows: object[]; next: string | null }
const from =
  <Query extends object, Row extends object>(list: List<Query, Row>, query: Query) =>
  (at: Paging): Promise<Paged> =>
    readList(db, list, query, { ...at, isCounted: false })

test.each<[string, (at: Paging) => Promise<Paged>]>([
  ['acteurs', from(acteursList, {})],
  ['acteurs by creation', from(acteursList, { sort: 'created_at_asc' })],
  ['acteurs by name', from(acteursList, { sort: 'nom_asc' })],
  ['acteurs by name, backwards', from(acteursList, { sort: 'nom_desc' })],
  ['acteurs by type', from(acteursList, { sort: 'type_asc' })],
  ['users', from(usersList, {})],
  ['users by address', from(usersList, { sort: 'email_asc' })],
  ['users by name, backwards', from(usersList, { sort: 'nom_desc' })],
  ['users by their last visit', from(usersList, { sort: 'last_seen_at_desc' })],
  ['alertes', from(alertesList(new Date()), {})],
  ['alertes by creation', from(alertesList(new Date()), { sort: 'created_at_asc' })],
  ['the audit log', from(auditList(), {})],
  ['the audit log of publications', from(auditList(), { entity: ['publication'] })],
])('%s: half way in, the rows after a cursor cost what the first page costs', async (_name, list) => {
  const { next } = await list(far)
  expect(next).not.toBeNull()
  statements.length = 0
  const { rows } = await list(pagingOf({ after: next ?? '' }, adminPerPage))
  expect(rows).toHaveLength(adminPerPage)
  const steps = await expectIndexed()
  expect(Math.max(...steps.map(visitedBy))).toBeLessThan(1_000)
})

/** Reads a page, expects it to use an index, and counts the list. */
async function readPage<Query extends object, Row extends object>(list: List<Query, Row>, query: Query) {
  statements.length = 0
  const { rows } = await readList(db, list, query, { ...paging, isCounted: false })
  const steps = await expectIndexed()
  const { total } = await readList(db, list, query, paging)
  expect(total).toBeGreaterThanOrEqual(rows.length)
  return { rows, total, steps, visited: Math.max(...steps.map(visitedBy)) }
}

async function expectIndexed(): Promise<Step[]> {
  expect(statements).toHaveLength(1)
  const [statement = { sql: '', parameters: [] }] = statements
  const steps = await explain(pool, statement)
  expect(readWhole(steps).filter((table) => table !== 'user_roles')).toEqual([])
  expect(Math.max(...steps.map(visitedBy))).toBeLessThan(0.3 * count)
  return steps
}

function expectNewestFirst(rows: { id: string }[]): void {
  const found = rows.map(({ id }) => id)
  expect(found).toEqual(found.toSorted().reverse())
}
