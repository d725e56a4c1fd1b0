import { type RawBuilder, sql } from 'kysely'
import { isAdmin, type User } from '../../platform/access/caller.ts'
import { type Rule, rightOver } from '../../platform/access/rules.ts'
import type { Database } from '../../platform/database/connect.ts'
import { ApiError, forbidden, notFound, scopeViolation } from '../../platform/errors.ts'
import type { MemberPath } from '../../platform/http/audiences.ts'
import { answeringActeur } from './merge/merged.ts'

type Require = (db: Database, user: User, acteurId: string, rule: Rule) => Promise<string>

const isMairie = sql<boolean>`exists (select from communes where mairie_actor_id = acteurs.id)`
const isOfGroup = sql<boolean>`exists (select from groups where acteur_id = acteurs.id)`

/**
 * Requires that the acteur in the path is the mairie of some commune and that the rule allows the user.
 * Returns its id, or the id of its target if the acteur was merged.
 */
const requireMairieActeur = requireActeurThat(isMairie)

/** The same for a mairie or the acteur of a group of communes. */
export const requirePublicBody = requireActeurThat(sql`(${isMairie} or ${isOfGroup})`)

function requireActeurThat(isSuitable: RawBuilder<boolean>): Require {
  return async (db, user, acteurId, rule) => {
    const acteur = await db
      .selectFrom('acteurs')
      .select(['id', 'active', isSuitable.as('is_suitable'), isMairie.as('is_mairie')])
      .where('id', '=', answeringActeur(acteurId))
      .where('deleted_at', 'is', null)
      .executeTakeFirst()
    if (acteur === undefined) throw notFound()
    if (!acteur.is_suitable) throw scopeViolation()
    requireRight(user, acteur.id, rule)
    if (!acteur.active) refuseInactive(rule, acteur.is_mairie ? inactive.mairie : inactive.group)
    return acteur.id
  }
}

/**
 * Requires that the rule allows the user over the mairie of the commune. A deleted mairie has no members. Administrators act for
 * the commune, also while its mairie is inactive.
 */
export async function requireMairieOfCommune(
  db: Database,
  user: User,
  communeId: string,
  rule: Rule,
): Promise<null> {
  const commune = await db
    .selectFrom('communes')
    .leftJoin('acteurs', (join) =>
      join.onRef('acteurs.id', '=', 'communes.mairie_actor_id').on('acteurs.deleted_at', 'is', null),
    )
    .select(['acteurs.id as mairie_id', 'acteurs.active'])
    .where('communes.id', '=', communeId)
    .executeTakeFirst()
  if (commune === undefined) throw notFound()
  requireRight(user, commune.mairie_id, rule)
  if (commune.active === false && !isAdmin(user)) refuseInactive(rule, inactive.mairie)
  return null
}

/** Routes that name a mairie, a commune (its mairie is meant), or a mairie or the acteur of a group of communes. */
export const mairiePaths = {
  acteur: { parameter: 'acteurId', require: requireMairieActeur },
  commune: { parameter: 'communeId', require: requireMairieOfCommune },
  publicBody: { parameter: 'acteurId', require: requirePublicBody },
} satisfies Record<string, MemberPath>

type Refusal = { status: number; en: string; fr: string }

/** Refuses what an inactive mairie or group may not do: the public sees nothing of it. It may still read. */
function refuseInactive({ except }: Rule, refusal: Refusal): void {
  if (except === 'inactive') throw new ApiError(scopeViolation().code, refusal)
}

const inactive = {
  mairie: {
    status: 403,
    en: 'This mairie is inactive: it can do this again once an administrator has activated it.',
    fr: 'Cette mairie est désactivée : elle pourra de nouveau le faire quand un administrateur l’aura réactivée.',
  },
  group: {
    status: 403,
    en: 'The acteur of this group is inactive: it can do this again once an administrator has activated it.',
    fr: 'Ce groupement est désactivé : il pourra de nouveau le faire quand un administrateur l’aura réactivé.',
  },
}

function requireRight(user: User, mairieId: string | null, rule: Rule): void {
  const right = rightOver(user, mairieId, [rule])
  if (right === 'foreign') throw scopeViolation()
  if (right === 'lacking') throw forbidden()
}
