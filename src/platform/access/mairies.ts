import type { Database } from '../database/connect.ts'
import { forbidden, notFound, scopeViolation } from '../errors.ts'
import type { User } from './caller.ts'
import { answeringActeur } from './merged-acteurs.ts'
import { type Rule, rightOver } from './rules.ts'

/**
 * Requires that the acteur in the path is the mairie of some commune and that the rule allows the user.
 * Returns its id, or the id of its target if the acteur was merged.
 */
export async function requireMairieActeur(
  db: Database,
  user: User,
  acteurId: string,
  rule: Rule,
): Promise<string> {
  const acteur = await db
    .selectFrom('acteurs')
    .select('id')
    .select(({ exists, selectFrom }) =>
      exists(selectFrom('communes').select('id').whereRef('mairie_actor_id', '=', 'acteurs.id')).as(
        'is_mairie',
      ),
    )
    .where('id', '=', answeringActeur(acteurId))
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (acteur === undefined) throw notFound()
  if (!acteur.is_mairie) throw scopeViolation()
  requireRight(user, acteur.id, rule)
  return acteur.id
}

/** Requires that the rule allows the user over the mairie of the commune. A deleted mairie has no members. */
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
    .select('acteurs.id as mairie_id')
    .where('communes.id', '=', communeId)
    .executeTakeFirst()
  if (commune === undefined) throw notFound()
  requireRight(user, commune.mairie_id, rule)
  return null
}

function requireRight(user: User, mairieId: string | null, rule: Rule): void {
  const right = rightOver(user, mairieId, [rule])
  if (right === 'foreign') throw scopeViolation()
  if (right === 'lacking') throw forbidden()
}

/** Throws 404 if the commune does not exist. */
export async function requireCommune(db: Database, id: string): Promise<void> {
  const commune = await db.selectFrom('communes').select('id').where('id', '=', id).executeTakeFirst()
  if (commune === undefined) throw notFound()
}
