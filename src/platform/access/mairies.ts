import type { Database } from '../database/connect.ts'
import { notFound, scopeViolation } from '../errors.ts'
import { isAdmin, type User } from './caller.ts'
import { isMember } from './rights.ts'

/** The acteur in the path must be the mairie of some commune, and the caller one of its members. */
export async function requireMairieActeur(db: Database, user: User, acteurId: string): Promise<void> {
  const acteur = await db
    .selectFrom('acteurs')
    .select('id')
    .select(({ exists, selectFrom }) =>
      exists(selectFrom('communes').select('id').whereRef('mairie_actor_id', '=', 'acteurs.id')).as(
        'is_mairie',
      ),
    )
    .where('id', '=', acteurId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (acteur === undefined) throw notFound()
  if (!acteur.is_mairie || !(isAdmin(user) || isMember(user, acteur.id))) throw scopeViolation()
}

/** The caller must be a member of the mairie of the commune in the path; a deleted one has no members. */
export async function requireMairieOfCommune(db: Database, user: User, communeId: string): Promise<void> {
  const commune = await db
    .selectFrom('communes')
    .leftJoin('acteurs', (join) =>
      join.onRef('acteurs.id', '=', 'communes.mairie_actor_id').on('acteurs.deleted_at', 'is', null),
    )
    .select('acteurs.id as mairie_id')
    .where('communes.id', '=', communeId)
    .executeTakeFirst()
  if (commune === undefined) throw notFound()
  const mairie = commune.mairie_id
  if (!isAdmin(user) && (mairie === null || !isMember(user, mairie))) throw scopeViolation()
}
