import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { explain, gatherStatistics, readWhole, watch } from '../../../test/support/plans.ts'
import { openWorld } from '../../../test/support/world.ts'
import type { Role } from '../../platform/access/areas.ts'
import { ownIssuer } from '../../platform/access/tokens.ts'
import { uuidv7 } from '../../platform/formats/uuid.ts'
import { lapseRights, lockNeverSeen } from './lapse.ts'

const { db, user, acteur, post, as, database, pool } = await openWorld()
const signal = new AbortController().signal
const nobodyYet = { issuer: null, subject: null }

/** Creates an unbound user with a membership of that age for each acteur. */
async function unbound(...days: number[]) {
  const memberships = []
  for (const _ of days) memberships.push({ acteur: await acteur(), role: 'owner' as const })
  const { id } = await user({ ...nobodyYet, memberships })
  for (const [index, count] of days.entries()) await age(id, memberships[index]?.acteur.id ?? '', count)
  return { id, acteurs: memberships.map(({ acteur }) => acteur.id) }
}
const age = (userId: string, acteurId: string, days: number) =>
  db
    .updateTable('actor_users')
    .set({ created_at: sql`now() - make_interval(days => ${days}::int)` })
    .where('user_id', '=', userId)
    .where('acteur_id', '=', acteurId)
    .execute()
const acteursOf = async (userId: string) => {
  const query = db.selectFrom('actor_users').select('acteur_id').where('user_id', '=', userId)
  return (await query.execute()).map(({ acteur_id }) => acteur_id)
}
/** Creates an account as an invitation does, with roles of that age. */
async function invite(roles: Role[], days: number): Promise<string> {
  const { id } = await user({ issuer: ownIssuer, subject: `${uuidv7()}@example.org`, roles })
  const created_at = sql<Date>`now() - make_interval(days => ${days}::int)`
  await db.updateTable('user_roles').set({ created_at }).where('user_id', '=', id).execute()
  return id
}
const rolesOf = async (userId: string) => {
  const query = db.selectFrom('user_roles').select('role').where('user_id', '=', userId).orderBy('role')
  return (await query.execute()).map(({ role }) => role)
}
const auditEntries = (id: string) =>
  db
    .selectFrom('audit_log')
    .select(['action', 'user_id', 'before', 'after'])
    .where('entity_id', '=', id)
    .execute()
const owner = (acteur_id?: string) => ({ acteur_id, role: 'owner', permissions: [] })

test('permissions of an unbound user lapse after 180 days and are audited', async () => {
  const { id, acteurs } = await unbound(181, 179)
  const [old, recent] = acteurs
  expect(await lapseRights(db, signal)).toBe(1)
  expect(await lapseRights(db, signal)).toBe(0)
  expect(await acteursOf(id)).toEqual([recent])
  expect(await auditEntries(id)).toEqual([
    {
      action: 'user.lapse',
      user_id: null,
      before: {
        acteurs: [owner(old), owner(recent)].sort((a, b) =>
          (a.acteur_id ?? '') < (b.acteur_id ?? '') ? -1 : 1,
        ),
      },
      after: { acteurs: [owner(recent)] },
    },
  ])
  const { body } = await (await as('admin')).get(`/admin/users/${id}`)
  expect(body.data).toMatchObject({ version: 2, acteurs: [owner(recent)] })
})

test('permissions of a user who has signed in never lapse', async () => {
  const club = await acteur()
  const member = await user({ memberships: [{ acteur: club, role: 'owner' }], last_seen_at: new Date() })
  await age(member.id, club.id, 1_000)
  expect(await lapseRights(db, signal)).toBe(0)
  expect(await acteursOf(member.id)).toEqual([club.id])
})

test('old roles of an account to which nobody has signed in lapse, but not those of the last administrator', async () => {
  await db.deleteFrom('user_roles').where('role', '<>', 'admin').execute()
  const old = await invite(['admin', 'moderator'], 181)
  const recent = await invite(['support'], 179)
  const seen = await invite(['support'], 300)
  await db.updateTable('users').set({ last_seen_at: new Date() }).where('id', '=', seen).execute()
  await db.deleteFrom('user_roles').where('role', '=', 'admin').where('user_id', '<>', old).execute()
  expect(await lapseRights(db, signal)).toBe(1)
  expect(await lapseRights(db, signal)).toBe(0)
  expect([await rolesOf(old), await rolesOf(recent), await rolesOf(seen)]).toEqual([
    ['admin'],
    ['support'],
    ['support'],
  ])
  expect(await auditEntries(old)).toMatchObject([
    { action: 'user.lapse', before: { roles: ['admin', 'moderator'] }, after: { roles: ['admin'] } },
  ])
  await as('admin')
  expect(await lapseRights(db, signal)).toBe(1)
  expect(await rolesOf(old)).toEqual([])
})

test('what lapses of two administrators to whom nobody came is what the audit log says', async () => {
  const [one, other] = [await invite(['admin'], 181), await invite(['admin', 'moderator'], 181)]
  await db
    .deleteFrom('user_roles')
    .where('role', '=', 'admin')
    .where('user_id', 'not in', [one, other])
    .execute()
  await lapseRights(db, signal)
  for (const id of [one, other]) {
    const [entry] = await auditEntries(id)
    const kept = (entry?.after as { roles?: string[] } | undefined)?.roles ?? ['admin']
    expect(await rolesOf(id)).toEqual(kept)
  }
  expect([await rolesOf(one), await rolesOf(other)].flat()).toContain('admin')
  await db.updateTable('users').set({ last_seen_at: new Date() }).where('id', 'in', [one, other]).execute()
})

test('handles more than a batch', async () => {
  const users = [await unbound(200), await unbound(200), await unbound(200)]
  expect(await lapseRights(db, signal, 2)).toBe(3)
  for (const { id } of users) expect(await acteursOf(id)).toEqual([])
})

test("with two instances and more than a batch each user's permissions lapse once", async () => {
  const users = []
  for (let n = 0; n < 30; n++) users.push((await unbound(200)).id)
  const counts = await Promise.all([lapseRights(db, signal, 7), lapseRights(db, signal, 7)])
  // Each instance skips what the other has locked and continues behind it.
  const rest = await lapseRights(db, signal)
  expect((counts[0] ?? 0) + (counts[1] ?? 0) + rest).toBe(30)
  for (const id of users) {
    expect(await acteursOf(id)).toEqual([])
    expect(await auditEntries(id)).toHaveLength(1)
  }
})

test('a user who is being bound keeps their permissions', async () => {
  const { id, acteurs } = await unbound(200)
  const tx = await db.startTransaction().execute()
  await tx.selectFrom('users').select('id').where('id', '=', id).forUpdate().execute()
  expect(await lapseRights(db, signal)).toBe(0)
  await tx.updateTable('users').set({ issuer: 'test', subject: id }).where('id', '=', id).execute()
  await tx.commit().execute()
  expect(await lapseRights(db, signal)).toBe(0)
  expect(await acteursOf(id)).toEqual(acteurs)
})

test('another approval restarts the period', async () => {
  const admin = await as('admin')
  const { id: acteur_id } = await acteur()
  const approve = async () => {
    const { body } = await post('/claims', { acteur_id, message: 'Ma page.', email: 'odile@example.org' })
    return (await admin.patch(`/admin/claims/${body.data.id}`, { status: 'approved' })).body.data.user_id
  }
  const id = await approve()
  await age(id, acteur_id, 200)
  expect(await approve()).toBe(id)
  expect(await lapseRights(db, signal)).toBe(0)
  expect(await acteursOf(id)).toEqual([acteur_id])
})

test('stops when the service stops', async () => {
  await expect(lapseRights(db, AbortSignal.abort())).rejects.toThrow()
})

test('finds lapsed permissions by indexes, not by scanning users or memberships', async () => {
  const { id: acteur_id } = await acteur()
  await sql`
    with made as (
      insert into users (id, issuer, subject, email)
      select md5('lapse ' || n)::uuid, case when n % 100 <> 0 then 'test' end, case when n % 100 <> 0 then 'l' || n end,
        'l' || n || '@example.org' from generate_series(1, 20000) n
      returning id)
    insert into actor_users (acteur_id, user_id, role, created_at)
    select ${acteur_id}, id, 'owner', now() - interval '1 year' from made`.execute(db)
  await gatherStatistics(database, ['users', 'actor_users'])
  const watched = watch(pool)
  expect(await lockNeverSeen(watched.db, '00000000-0000-0000-0000-000000000000', 50)).toHaveLength(50)
  const [statement = { sql: '', parameters: [] }] = watched.statements
  const steps = await explain(pool, statement)
  expect(readWhole(steps)).toEqual([])
  expect(steps.map((step) => step['Index Name'])).toContain('users_never_seen')
})
