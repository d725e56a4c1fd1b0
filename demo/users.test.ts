import { expect, test } from 'vitest'
import { roles } from '../src/platform/access/areas.ts'
import { openWorld } from '../test/support/world.ts'
import type { DemoActeur } from './acteurs.ts'
import { readData } from './data.ts'
import { insertDemoUsers } from './users.ts'

const { acteur, db } = await openWorld()

test('the demo users have every role, state and kind of membership, on existing demo acteurs', async () => {
  for (const { slug } of await readData<DemoActeur[]>('content/acteurs.json')) await acteur({ slug })
  const mairies = ['mairie-de-chambery', 'mairie-de-lyon', 'mairie-de-rennes']
  for (const slug of mairies) await acteur({ slug, type: 'mairie' })
  await insertDemoUsers(db, new Date())

  const users = await db.selectFrom('users').selectAll().execute()
  for (const { issuer, subject, email } of users) {
    expect([issuer, subject]).toEqual(['parvis', email])
    expect(email).toMatch(/^[a-z.]+@example\.org$/)
  }
  expect(users.some(({ actif }) => !actif)).toBe(true)
  const held = await db.selectFrom('user_roles').select('role').distinct().orderBy('role').execute()
  expect(held.map(({ role }) => role)).toEqual(roles.toSorted())
  const links = await db.selectFrom('actor_users').select(['role', 'permissions']).execute()
  const kinds = new Set(links.map(({ role, permissions }) => [role, ...permissions].join('+')))
  expect(kinds).toEqual(
    new Set([
      'owner',
      'editor',
      'editor+manage_publications',
      'editor+publish_publications',
      'editor+manage_publications+publish_publications',
    ]),
  )
  // Each membership found its acteur.
  expect(links).toHaveLength(16)
})

test('without the acteurs users have no memberships', async () => {
  await db.deleteFrom('actor_users').execute()
  await db.deleteFrom('acteurs').execute()
  await db
    .updateTable('users')
    .set({ subject: 'elsewhere', issuer: db.fn('concat', ['id']) })
    .execute()
  await insertDemoUsers(db, new Date())
  expect(await db.selectFrom('actor_users').selectAll().execute()).toEqual([])
})
