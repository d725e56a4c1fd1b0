import { isAdmin, type SignedIn } from '../../platform/access/caller.ts'
import { type Rule, rightOver } from '../../platform/access/rules.ts'
import { forbidden, scopeViolation } from '../../platform/errors.ts'

export const communeRules = {
  editForMairie: {
    name: 'commune.edit_for_mairie',
    allows:
      'change the practical information, the collections, the élus and the pages of the commune of the path, and hide there what a group publishes or alerts',
    over: 'mairie',
    who: ['administrator', 'owner', 'manage_commune'],
    except: 'inactive',
    scope: 'commune.write',
  },
} satisfies Record<string, Rule>

const rules = [communeRules.editForMairie]

/** Returns whether the caller may change what a mairie manages of its commune. */
export const mayEditFor =
  ({ user }: SignedIn) =>
  (mairieId: string | null, isActive: boolean) =>
    rightOver(user, mairieId, rules) === 'allowed' && (isActive || isAdmin(user))

/** Refuses an application that is restricted to other communes. */
export function requireInScope({ source }: SignedIn, communeId: string): void {
  if (source?.communeIds?.includes(communeId.toLowerCase()) === false) throw scopeViolation()
}

/** Checks the row that is locked: the commune may have another mairie since the request came. */
export function requireStillTheirs({ user }: SignedIn, mairieId: string | null): void {
  const right = rightOver(user, mairieId, rules)
  if (right === 'foreign') throw scopeViolation()
  if (right === 'lacking') throw forbidden()
}
