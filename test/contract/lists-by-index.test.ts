import { beforeAll, expect, test } from 'vitest'
import { type ActeurRow, countActeurs, listActeurs } from '../../src/modules/acteurs/queries.ts'
import type { ActeursQuery } from '../../src/modules/acteurs/schema.ts'
import { countAudit, listAudit } from '../../src/modules/audit/queries.ts'
import type { AuditQuery } from '../../src/modules/audit/schema.ts'
import { countUsers, listUsers } from '../../src/modules/users/queries.ts'
import type { UsersQuery } from '../../src/modules/users/schema.ts'
import { adminPerPage, pagingOf } from '../../src/platform/http/paging.ts'
import { explain, gatherStatistics, readWhole, type Step, visitedBy, watch } from '../support/plans.ts'
import { openWorld, run } from '../support/world.ts'

const { pool, database } = await openWorld()
const { db, statements } = watch(pool)

/** A hundred thousand of each, as a country has them: few wait, few are inactive, a name is seldom the same. */
beforeAll(async () => {
  const id = (kind: string) => `('0199c9a3-${kind}-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid`
  await run(
    database.owner,
    `insert into communes (id, slug, nom, code_insee, departement, region)
     select ${id('cccc')}, 'c-' || n, 'Commune ' || n, lpad(n::text, 5, '0'), '99', '99' from generate_series(0, 1999) n;
     insert into acteurs (id, slug, nom, type, commune_id, valide, active, deleted_at)
     select ${id('aaaa')}, 'a-' || n, 'Association ' || md5(n::text),
       case when n % 1000 = 0 then 'ecole' else 'association' end,
       ('0199c9a3-cccc-7000-8000-' || lpad(to_hex(n % 2000), 12, '0'))::uuid,
       n % 500 <> 0, n % 700 <> 0, case when n % 900 = 0 then now() end
     from generate_series(1, 100000) n;
     insert into users (id, issuer, subject, email, nom, actif)
     select ${id('bbbb')}, 'test', n, md5(n::text) || '@example.org', 'Personne ' || n, n % 800 <> 0
     from generate_series(1, 100000) n;
     insert into user_roles (user_id, role)
     select id, case when subject::int % 5000 = 0 then 'support' else 'moderator' end
     from users where subject::int % 1000 = 0;
     insert into audit_log (id, at, user_id, action, entity, entity_id)
     select ${id('dddd')}, now() - (100000 - n) * interval '1 minute', ${id('bbbb')},
       case when n % 1000 = 0 then 'commune.update' else 'publication.update' end,
       case when n % 1000 = 0 then 'commune' else 'publication' end, n % 50000
     from generate_series(1, 100000) n;`,
  )
  await gatherStatistics(database, ['communes', 'acteurs', 'users', 'user_roles', 'audit_log'])
}, 120_000)

const paging = pagingOf({}, adminPerPage)
const word = 'a0'

test.each<ActeursQuery>([
  {},
  { deleted: 'true' },
  { deleted: 'only' },
  { q: word },
  { q: 'association' },
  { q: 'nowhere' },
  { type: 'ecole' },
  { type: 'commerce' },
  { valide: false },
  { valide: false, active: false },
  { active: false },
  { commune_id: '0199c9a3-cccc-7000-8000-000000000005' },
  { commune_id: '0199c9a3-cccc-7000-8000-000000000005', type: 'association', q: 'association' },
])('a page of acteurs goes by an index, in one statement: %j', async (query) => {
  statements.length = 0
  const rows = await listActeurs(db, query, paging)
  await expectIndexed(rows)
  expect(await countActeurs(db, query)).toBeGreaterThanOrEqual(rows.length)
})

test('roles and memberships are looked up for the users of the page, not for those before it', async () => {
  statements.length = 0
  const rows = await listUsers(db, {}, pagingOf({ page: 2_000 }, adminPerPage))
  expect(rows).toHaveLength(adminPerPage)
  const [statement = { sql: '', parameters: [] }] = statements
  const looks = (await explain(pool, statement)).filter((step) =>
    ['user_roles', 'actor_users'].includes(step['Relation Name'] ?? ''),
  )
  expect(looks.length).toBeGreaterThan(0)
  for (const look of looks) expect(look['Actual Loops']).toBeLessThanOrEqual(adminPerPage)
})

test.each<UsersQuery>([
  {},
  { q: word },
  { q: 'personne 77' },
  { q: 'example org' },
  { q: 'nobody' },
  { role: 'support' },
  { role: 'admin' },
  { actif: false },
  { actif: true, role: 'moderator' },
])('a page of users goes by an index, in one statement: %j', async (query) => {
  statements.length = 0
  const rows = await listUsers(db, query, paging)
  expect(statements).toHaveLength(1)
  await expectIndexed(rows)
  expect(await countUsers(db, query)).toBeGreaterThanOrEqual(rows.length)
})

test.each<AuditQuery>([
  {},
  { entity: 'commune' },
  { entity: 'publication' },
  { entity: 'nothing' },
  { entity_id: '77' },
  { entity: 'publication', entity_id: '77' },
  { action: 'commune.update' },
  { user_id: '0199c9a3-bbbb-7000-8000-000000000005' },
  { since: '2026-01-01T00:00:00Z' },
])('a page of the trail goes by an index, in one statement: %j', async (query) => {
  statements.length = 0
  const rows = await listAudit(db, query, paging)
  await expectIndexed(rows)
  expect(await countAudit(db, query)).toBeGreaterThanOrEqual(rows.length)
})

test('the trail of one record has an index of its own: before PostgreSQL 18 none skips to it', async () => {
  statements.length = 0
  const steps = await expectIndexed(await listAudit(db, { entity_id: '77' }, paging))
  expect(steps.map((step) => step['Index Name'])).toContain('audit_log_by_record')
})

async function expectIndexed(rows: Pick<ActeurRow, 'id'>[]): Promise<Step[]> {
  expect(statements).toHaveLength(1)
  const [statement = { sql: '', parameters: [] }] = statements
  const steps = await explain(pool, statement)
  expect(readWhole(steps).filter((table) => table !== 'user_roles')).toEqual([])
  expect(Math.max(...steps.map(visitedBy))).toBeLessThan(30_000)
  const ids = rows.map(({ id }) => id)
  expect(ids).toEqual(ids.toSorted().reverse())
  return steps
}
