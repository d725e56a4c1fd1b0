import { expect, test } from 'vitest'
import { opens, type Role, roles } from './areas.ts'
import type { Membership, Permission, User } from './caller.ts'
import { isMember, rightOver } from './rights.ts'

const manage = 'manage_publications'
const publish = 'publish_publications'
const needs: Permission[][] = [[], [manage], [publish], [manage, publish]]
const of = (role: Membership['role'], permissions: Permission[], acteurId = 'mine'): Membership[] => [
  { acteurId, role, permissions },
]
const user = (held: Role[], memberships: Membership[]): User => ({ id: 'u', roles: held, memberships })

// Rows: who. Columns: no permission needed, manage, publish, both.
const table: [who: string, user: User, rights: string[]][] = [
  ['nobody', user([], []), ['foreign', 'foreign', 'foreign', 'foreign']],
  ['a member elsewhere', user([], of('owner', [], 'other')), ['foreign', 'foreign', 'foreign', 'foreign']],
  ['an owner', user([], of('owner', [])), ['allowed', 'allowed', 'allowed', 'allowed']],
  ['an editor', user([], of('editor', [])), ['allowed', 'lacking', 'lacking', 'lacking']],
  ['an editor who manages', user([], of('editor', [manage])), ['allowed', 'allowed', 'lacking', 'lacking']],
  [
    'an editor who publishes',
    user([], of('editor', [publish])),
    ['allowed', 'lacking', 'allowed', 'lacking'],
  ],
  [
    'an editor who does both',
    user([], of('editor', [manage, publish])),
    ['allowed', 'allowed', 'allowed', 'allowed'],
  ],
  ['an admin', user(['admin'], []), ['allowed', 'allowed', 'allowed', 'allowed']],
  ['a platform admin', user(['platform_admin'], []), ['allowed', 'allowed', 'allowed', 'allowed']],
  ['a moderator', user(['moderator'], []), ['foreign', 'foreign', 'foreign', 'foreign']],
  ['a support operator', user(['support'], []), ['foreign', 'foreign', 'foreign', 'foreign']],
  [
    'a moderator who is an editor',
    user(['moderator'], of('editor', [])),
    ['allowed', 'lacking', 'lacking', 'lacking'],
  ],
]

test.each(table)('%s over the content of an acteur', (_who, who, rights) => {
  expect(needs.map((needed) => rightOver(who, 'mine', needed))).toEqual(rights)
})

test("what has no acteur is nobody's but the administrators'", () => {
  expect(rightOver(user([], of('owner', [])), null, [])).toBe('foreign')
  expect(rightOver(user(['admin'], []), null, [manage])).toBe('allowed')
})

test('membership is of that very acteur', () => {
  expect(isMember(user([], of('editor', [])), 'mine')).toBe(true)
  expect(isMember(user(['admin'], []), 'mine')).toBe(false)
})

test('which role opens which area', () => {
  const areas = ['acteurs', 'claims', 'communes', 'dashboard', 'messages', 'publications', 'users']
  const opened = Object.fromEntries(roles.map((role) => [role, areas.filter((area) => opens([role], area))]))
  expect(opened).toEqual({
    admin: areas,
    platform_admin: areas,
    moderator: ['claims', 'dashboard', 'publications'],
    support: ['dashboard', 'messages'],
  })
  expect(areas.some((area) => opens([], area))).toBe(false)
})
