import { opens } from './areas.ts'
import { isAdmin, type Permission, type Scope, type User } from './caller.ts'
import type { SessionStatus } from './sessions.ts'

/**
 * A permission, as data: a module defines its rules in `permissions.ts`, a route names the rules that guard
 * it, and checks call `allows`. The documentation is generated from the same rules, and a test calls the
 * routes as every kind of caller.
 */
export type Rule = {
  /** `record.verb`; routes name it in `needs`. */
  name: string
  /** The permission in words, for the documents: completes "may …". */
  allows: string
  over: Over
  /** Relations that grant the permission; one is enough. */
  who: readonly Relation[]
  /** `own`: not allowed on the caller's own record. `inactive`: not allowed for an inactive mairie. */
  except?: 'own' | 'inactive'
  /** The scope with which an access key may do it. Without one, no key may. */
  scope?: Scope
}

/**
 * Record to which the relations of a rule apply.
 * - `mairie`: the mairie in the path; its scope checks the rule before the body is read.
 * - `acteur`: the acteur that the record belongs to, or that the request names.
 * - `supervised`: mairies that have written the publication or may supervise it.
 * - `area`: the area of the back-office that the record belongs to.
 * - `own`: the caller's own account, or a record that the caller created.
 * - `session`: the session of the cookie, by its status.
 */
export type Over = 'mairie' | 'acteur' | 'supervised' | 'area' | 'own' | 'session'

/**
 * Relation of a caller to a record. `colleague`: has a role that opens the area, and calls from the
 * back-office. `author`: created the record. A `Permission` is a permission of an editor.
 */
export type Relation =
  | 'administrator'
  | 'colleague'
  | 'owner'
  | 'member'
  | 'author'
  | Permission
  | SessionStatus

export const allows = ({ who }: Rule, relations: readonly Relation[]): boolean =>
  who.some((relation) => relations.includes(relation))

type Subject = { acteurId?: string | null; authorId?: string | null; area?: string }

/**
 * Returns the relations of a user to a record, from its acteur, its author and its area. A key of some acteurs has none to
 * records of others, even if its owner has written them.
 */
export function relationsOf(user: User, { acteurId, authorId, area }: Subject): Relation[] {
  const ofKey = user.key?.acteurIds ?? null
  if (ofKey !== null && !(acteurId != null && ofKey.includes(acteurId))) return []
  const membership = user.memberships.find((membership) => membership.acteurId === acteurId)
  return [
    'signed_in',
    ...(isAdmin(user) ? ['administrator' as const] : []),
    ...(area !== undefined && opens(user.roles, area) ? ['colleague' as const] : []),
    ...(user.id === authorId ? ['author' as const] : []),
    ...(membership === undefined ? [] : ['member' as const, ...membership.permissions]),
    ...(membership?.role === 'owner' ? ['owner' as const] : []),
  ]
}

/**
 * Result of a check. `foreign`: not a member of the acteur. `lacking`: a member whom a rule does not allow.
 */
export type Right = 'allowed' | 'lacking' | 'foreign'

/**
 * Checks a user, and the scopes of an access key, against all these rules on behalf of an acteur. Without rules, every
 * member is allowed.
 */
export function rightOver(user: User, acteurId: string | null, rules: readonly Rule[]): Right {
  const relations = relationsOf(user, { acteurId })
  const applied = rules.length === 0 ? [anyMember] : rules
  if (applied.every((rule) => allows(rule, relations) && keyAllows(user, rule))) return 'allowed'
  return relations.includes('member') ? 'lacking' : 'foreign'
}

const anyMember: Rule = {
  name: 'acteur.enter',
  allows: 'see what an acteur manages',
  over: 'acteur',
  who: ['administrator', 'member'],
}

/** Rules that routes of any module may name. */
export const platformRules = {
  /** Default rule of mairie routes that name no other rule over the mairie. */
  enterMairie: {
    name: 'mairie.enter',
    allows: 'see what a mairie manages',
    over: 'mairie',
    who: ['administrator', 'member'],
    scope: 'mairie.read',
  },
  openRecord: {
    name: 'record.open',
    allows: 'work with the record that the request is about',
    over: 'area',
    who: ['colleague'],
  },
  changeOwn: {
    name: 'own.change',
    allows: 'change what is their own',
    over: 'own',
    who: ['signed_in'],
  },
} satisfies Record<string, Rule>

/** Returns the actions that the rules allow, for `can` of a record. */
export const allowedOf = <Action extends string>(
  rules: Readonly<Record<Action, Rule>>,
  relations: readonly Relation[],
): Action[] => (Object.keys(rules) as Action[]).filter((action) => allows(rules[action], relations))

/**
 * Returns the actions that would change something in this state, for `can` of a record on which colleagues of
 * the area may perform all actions. Routes refuse by the same conditions.
 */
export const leftOf = <Action extends string, Row>(
  actions: Readonly<Record<Action, (row: Row) => boolean>>,
  row: Row,
): Action[] => (Object.keys(actions) as Action[]).filter((action) => actions[action](row))

/** Returns a function that adds `can` to a record by these conditions. */
export const withCanOf =
  <Action extends string, Needed>(actions: Readonly<Record<Action, (row: Needed) => boolean>>) =>
  <Row extends Needed>(row: Row) => ({ ...row, can: leftOf(actions, row) })

/** Condition of an action that is available in every state. */
export const always = (): boolean => true

/** False for an access key that the rule is closed to, whatever its owner may do. */
export const keyAllows = ({ key }: User, { scope }: Rule): boolean =>
  key === undefined || (scope !== undefined && key.scopes.includes(scope))

export const isMember = (user: User, acteurId: string): boolean =>
  user.memberships.some((membership) => membership.acteurId === acteurId)
