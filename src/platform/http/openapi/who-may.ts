import { opens, roles } from '../../access/areas.ts'
import { type Over, platformRules, type Relation, type Rule } from '../../access/rules.ts'
import type { Audience, RouteScope } from '../http-server.ts'

/** Describes the permission that a route requires, from its rules or its audience. */
export function describeCallers({ audience, area, rules = [] }: RouteScope): string {
  if (area !== undefined) return `Roles: ${roles.filter((role) => opens([role], area)).join(', ')}`
  const [rule, ...others] = rules
  if (rule === undefined || audience === 'admin') return defaults[audience]
  if (others.length === 0) return describeRule(rule)
  return rules.map((rule) => `To ${rule.allows}: ${lowerFirst(describeRule(rule))}`).join('. ')
}

/** Describes the callers that a rule allows. */
export function describeRule({ over, who, except }: Rule): string {
  const words = who.map((relation) => wordsOf(relation, over))
  const [last = '', ...before] = words.reverse()
  const all = before.length === 0 ? last : `${before.reverse().join(', ')} or ${last}`
  const described = except === undefined ? all : `${all}; ${exceptions[except]}`
  return described.charAt(0).toUpperCase() + described.slice(1)
}

const exceptions = {
  own: 'not about their own',
  inactive: 'not for an inactive mairie, save administrators for its commune',
}

function wordsOf(relation: Relation, over: Over): string {
  switch (relation) {
    case 'administrator':
      return 'administrators'
    case 'colleague':
      return 'back-office roles that open its area'
    case 'owner':
      return `owners of ${nounOf(over)}`
    case 'member':
      return `members of ${nounOf(over)}`
    case 'author':
      return 'its author'
    case 'signed_in':
      return over === 'session' ? 'a session that is signed in' : 'anybody signed in'
    case 'enrolment':
      return 'a session that has yet to set up a second factor'
    case 'second_factor':
      return 'a session that has yet to show a second factor'
    default:
      return `editors with \`${relation}\``
  }
}

const nounOf = (over: Over): string =>
  over === 'mairie'
    ? 'the mairie'
    : over === 'supervised'
      ? 'a mairie that has written or supervises it'
      : 'the acteur'

const lowerFirst = (text: string) => text.charAt(0).toLowerCase() + text.slice(1)

const defaults: Record<Audience, string> = {
  page: 'Anybody',
  open: 'Anybody',
  public: 'Anybody',
  'sign-in': 'Anybody',
  navigation: 'Anybody',
  bearer: 'Anybody signed in',
  mairie: describeRule(platformRules.enterMairie),
  admin: `Roles: ${roles.join(', ')}`,
  webhook: 'A provider that signs with the secret',
}
