import { expect, test } from 'vitest'
import { opens, type Role, roles } from './areas.ts'
import type { Membership, Permission, User } from './caller.ts'
import { allowedOf, isMember, type Relation, type Rule, relationsOf, rightOver } from './rules.ts'

const who = (...permissions: Permission[]): Rule => ({
  ...{ name: 'test.rule', allows: 'test', over: 'acteur' },
  who: ['administrator', 'owner', ...permissions],
})
const manage = who('manage_publications')
const publish = who('publish_publications')
const needs: Rule[][] = [[], [manage], [publish], [manage, publish]]
const of = (role: Membership['role'], permissions: Permission[], acteurId = 'mine'): Membership[] => [
  { acteurId, role, permissions },
]
const user = (held: Role[], memberships: Membership[]): User => ({ id: 'u', roles: held, memberships })

const [managing, publishing] = ['manage_publications', 'publish_publications'] as const
const foreign = ['foreign', 'foreign', 'foreign', 'foreign']
const allowed = ['allowed', 'allowed', 'allowed', 'allowed']

// Rows: the user. Columns: no rule, manage, publish, both.
const table: [who: string, user: User, rights: string[]][] = [
  ['nobody', user([], []), foreign],
  ['a member elsewhere', user([], of('owner', [], 'other')), foreign],
  ['an owner', user([], of('owner', [])), allowed],
  ['an editor', user([], of('editor', [])), ['allowed', 'lacking', 'lacking', 'lacking']],
  ['an editor who manages', user([], of('editor', [managing])), ['allowed', 'allowed', 'lacking', 'lacking']],
  [
    'an editor who publishes',
    user([], of('editor', [publishing])),
    ['allowed', 'lacking', 'allowed', 'lacking'],
  ],
  ['an editor who does both', user([], of('editor', [managing, publishing])), allowed],
  ['an admin', user(['admin'], []), allowed],
  ['a platform admin', user(['platform_admin'], []), allowed],
  ['a moderator', user(['moderator'], []), foreign],
  ['a support operator', user(['support'], []), foreign],
  [
    'a moderator who is an editor',
    user(['moderator'], of('editor', [])),
    ['allowed', 'lacking', 'lacking', 'lacking'],
  ],
]

test.each(table)('permissions of %s over the content of an acteur', (_who, who, rights) => {
  expect(needs.map((rules) => rightOver(who, 'mine', rules))).toEqual(rights)
})

test('only administrators manage content that has no acteur', () => {
  expect(rightOver(user([], of('owner', [])), null, [])).toBe('foreign')
  expect(rightOver(user(['admin'], []), null, [manage])).toBe('allowed')
})

test('a rule that does not name administrators does not allow them', () => {
  const members: Rule = { ...manage, who: ['member'] }
  expect(rightOver(user(['admin'], []), 'mine', [members])).toBe('foreign')
  expect(rightOver(user(['admin'], of('editor', [])), 'mine', [members])).toBe('allowed')
})

test.each<[string, User, Parameters<typeof relationsOf>[1], Relation[]]>([
  ['an administrator', user(['admin'], []), { area: 'claims' }, ['signed_in', 'administrator', 'colleague']],
  ['a moderator', user(['moderator'], []), { area: 'claims' }, ['signed_in', 'colleague']],
  ['a moderator elsewhere', user(['moderator'], []), { area: 'messages' }, ['signed_in']],
  ['an author', user([], []), { authorId: 'u' }, ['signed_in', 'author']],
  ['a stranger', user([], []), { authorId: null, acteurId: null }, ['signed_in']],
])('relations of %s to a record', (_who, who, record, relations) => {
  expect(relationsOf(who, record)).toEqual(relations)
})

test('the actions on a record are those whose rule allows the caller', () => {
  const rules = { delete: { ...manage, who: ['author'] }, edit: manage } satisfies Record<string, Rule>
  expect(allowedOf(rules, ['signed_in', 'author'])).toEqual(['delete'])
  expect(allowedOf(rules, ['signed_in', 'owner'])).toEqual(['edit'])
})

test('membership of one acteur gives no permission over another', () => {
  expect(isMember(user([], of('editor', [])), 'mine')).toBe(true)
  expect(isMember(user(['admin'], []), 'mine')).toBe(false)
})

test('each role opens its own areas', () => {
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
