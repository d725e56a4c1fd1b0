import type { User } from '../../platform/access/caller.ts'
import { allows, keyAllows, type Rule, relationsOf } from '../../platform/access/rules.ts'
import { alerteRules } from '../alertes/permissions.ts'
import { communeRules } from '../communes/permissions.ts'
import { publicationRules } from '../publications/permissions.ts'
import { espaceRules } from './permissions.ts'

type Needed = { isActiveMairie: boolean; isActiveBody: boolean; mayPublish: boolean }

/** The actions that a user may take for an acteur, by the rules that guard the routes, and the acteurs for which these work. */
export const acteurDeeds = {
  edit: { rule: espaceRules.edit },
  members: { rule: espaceRules.team },
  publications: { rule: publicationRules.create, when: ({ mayPublish }) => mayPublish },
  pin: { rule: publicationRules.pin },
  moderate: { rule: publicationRules.moderateForMairie, when: ({ isActiveMairie }) => isActiveMairie },
  alertes: { rule: alerteRules.manage, when: ({ isActiveBody }) => isActiveBody },
  commune: { rule: communeRules.editForMairie, when: ({ isActiveMairie }) => isActiveMairie },
} satisfies Record<string, { rule: Rule; when?: (acteur: Needed) => boolean }>
export type ActeurDeed = keyof typeof acteurDeeds

type Shown = {
  id: string
  active: boolean
  valide: boolean
  mairie_of: readonly unknown[]
  groups: readonly unknown[]
}

/** Returns what this user may do for an acteur, for `can`. */
export function deedsOf(user: User, { id, active, valide, mairie_of, groups }: Shown): ActeurDeed[] {
  const relations = relationsOf(user, { acteurId: id })
  const isActiveMairie = active && mairie_of.length > 0
  const isActiveBody = isActiveMairie || (active && groups.length > 0)
  const acteur = { isActiveMairie, isActiveBody, mayPublish: active && valide }
  const deeds: Record<ActeurDeed, { rule: Rule; when?: (acteur: Needed) => boolean }> = acteurDeeds
  return (Object.keys(deeds) as ActeurDeed[]).filter((name) => {
    const { rule, when = () => true } = deeds[name]
    return allows(rule, relations) && keyAllows(user, rule) && when(acteur)
  })
}
