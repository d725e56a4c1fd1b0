import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openWorld } from '../../../../test/support/world.ts'
import { claimsKit } from '../../claims/claims.test-kit.ts'
import { insertPublication } from '../../publications/publications.test-kit.ts'
import { duplicateKey } from '../../publications/writing/duplicates.ts'
import { mergeKit } from './merge.test-kit.ts'
import { listReferences } from './queries.ts'

const world = await openWorld()
const { as, acteur, user, client, db, get } = world
const { runMerge, fill, named, references, mentions } = mergeKit(world)
const { claim, stored, membersOf, auditEntries } = claimsKit(world)
const admin = await as('admin')

const merge = async (one: { id: string }, into: { id: string }) =>
  expect((await admin.post(`/admin/acteurs/${one.id}/merge`, { into: into.id })).status).toBe(202)
const row = (id: string) =>
  db.selectFrom('acteurs').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

const types = [
  { type: 'mairie', others: named.intercommunalite },
  { type: 'intercommunalite', others: named.mairie },
] as const

test.each(types)(
  'moves every row with a foreign key to the acteur ($type), even if killed after each batch',
  async ({ type, others }) => {
    const [old, target] = [await acteur({ type }), await acteur({ type })]
    await fill(old)
    const before = await references(old)
    // A new table that refers to acteurs belongs into `fill`.
    for (const [column, count] of Object.entries(before))
      if (column !== others) expect(count, column).toBeGreaterThan(0)
    await merge(old, target)
    expect(await runMerge(old, 2)).toBeGreaterThan(8)
    expect(new Set(Object.values(await references(old)))).toEqual(new Set([0]))
    expect(await references(target)).toEqual(before)
    expect((await row(old.id)).deleted_at).not.toBeNull()
    const kept = ['acteurs', 'audit_log']
    expect((await mentions(old)).filter((table) => !kept.includes(table))).toEqual([])
    expect((await get(`/publications?acteur_id=${target.id}`)).body.meta.total).toBe(5)
  },
)

test.each(types)(
  'a write of the old id stores the target, in every column that refers to acteurs ($type)',
  async ({ type, others }) => {
    const [old, target] = [await acteur({ type }), await acteur({ type })]
    await fill(target)
    await merge(old, target)
    for (const { table, columns } of await listReferences(db))
      for (const column of columns) {
        await sql`
        update ${sql.table(table)} set ${sql.ref(column)} = ${old.id} where ${sql.ref(column)} = ${target.id}`.execute(
          db,
        )
        expect((await references(old))[`${table}.${column}`], `${table}.${column}`).toBe(0)
        if (`${table}.${column}` !== others)
          expect((await references(target))[`${table}.${column}`], `${table}.${column}`).toBeGreaterThan(0)
      }
    const fresh = await insertPublication(world, { acteur_id: old.id })
    expect(fresh.acteur_id).toBe(target.id)
    await runMerge(old)
  },
)

test('publications of both become one group of duplicates', async () => {
  const [old, target] = [await acteur(), await acteur()]
  const text = { title: 'Loto du club', body: 'Samedi à la salle des fêtes.' }
  const both = await Promise.all(
    [old, target].map(({ id: acteur_id }) => {
      const signed = { ...text, acteur_id, source_url: null, type_id: null, date_debut: null }
      return insertPublication(world, { ...signed, duplicate_key: duplicateKey(signed) })
    }),
  )
  await merge(old, target)
  await runMerge(old)
  const keys = await db
    .selectFrom('publications')
    .select('duplicate_key')
    .where(
      'id',
      'in',
      both.map(({ id }) => id),
    )
    .execute()
  expect(new Set(keys.map(({ duplicate_key }) => duplicate_key)).size).toBe(1)
})

test('members of both keep the stronger role, all permissions and immediate access', async () => {
  const [old, target] = [await acteur({ valide: true }), await acteur({ valide: true })]
  const both = await user({
    memberships: [
      { acteur: old, role: 'owner' },
      { acteur: target, permissions: ['manage_publications'] },
    ],
  })
  const only = await user({ memberships: [{ acteur: old, permissions: ['publish_publications'] }] })
  await merge(old, target)
  expect(await membersOf(old.id)).toEqual([])
  const members = await membersOf(target.id)
  expect(members.toSorted((one, other) => (one.user_id < other.user_id ? -1 : 1))).toEqual([
    { user_id: both.id, role: 'owner', permissions: ['manage_publications'] },
    { user_id: only.id, role: 'editor', permissions: ['publish_publications'] },
  ])
  const owner = client({ source: 'public', token: both.token })
  const content = { title: 'Fête', body: 'Sur la place.', acteur_id: old.id.toUpperCase() }
  const made = await owner.post('/publications', content)
  expect(made.status).toBe(201)
  expect(made.body.data.acteur_id).toBe(target.id)
  const { version } = await db
    .selectFrom('users')
    .select('version')
    .where('id', '=', both.id)
    .executeTakeFirstOrThrow()
  expect(version).toBe(both.version + 1)
  await runMerge(old)
})

test('with pending claims on both acteurs, the claims on the acteur claimed later are rejected', async () => {
  const [old, target] = [await acteur(), await acteur()]
  const first = await claim({ acteur: old, email: 'premiere@example.org' })
  const second = await claim({ acteur: target, email: 'seconde@example.org' })
  await merge(old, target)
  await runMerge(old)
  expect(await stored(first)).toMatchObject({ status: 'pending', acteur_id: target.id })
  expect(await stored(second)).toMatchObject({
    status: 'rejected',
    acteur_id: target.id,
    email_status: 'queued',
  })
  expect((await auditEntries(second)).map(({ action }) => action)).toEqual(['claim.create', 'claim.decide'])
  const [other, third] = [await acteur(), await claim({ acteur: await acteur() })]
  await db.updateTable('claims').set({ acteur_id: other.id }).where('id', '=', third).execute()
  await merge(other, target)
  await runMerge(other)
  expect((await stored(third)).status).toBe('rejected')
  expect((await stored(first)).status).toBe('pending')
})
