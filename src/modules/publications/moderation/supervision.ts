import { type RawBuilder, sql } from 'kysely'

/**
 * Condition for content a mairie may supervise, over `publications p`: attached only to communes that name
 * this mairie, by an acteur that is neither a mairie itself nor that of a group. Only the back-office handles content of a deleted
 * acteur.
 */
export const supervisedBy = (mairieId: RawBuilder<string>): RawBuilder<boolean> => sql<boolean>`(
  exists (select from acteurs author where author.id = p.acteur_id and author.deleted_at is null)
  and not exists (select from communes c where c.mairie_actor_id = p.acteur_id)
  and not exists (select from groups g where g.acteur_id = p.acteur_id)
  and exists (select from publication_communes pc where pc.publication_id = p.id)
  and not exists (
    select from publication_communes pc join communes c on c.id = pc.commune_id
    where pc.publication_id = p.id and c.mairie_actor_id is distinct from ${mairieId}))`
