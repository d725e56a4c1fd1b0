import { type Selectable, sql } from 'kysely'
import type { Database } from '../../../platform/database/connect.ts'
import type * as tables from '../../../platform/database/types.generated.ts'

const columns = ['id', 'commune_id', 'valide', 'active', 'can_publish'] as const
/** `is_of_group`: a group names it, for whose members it publishes. */
export type ActeurRow = Pick<Selectable<tables.Acteurs>, (typeof columns)[number]> & { is_of_group: boolean }

const isOfGroup = sql<boolean>`exists (select from groups g where g.acteur_id = acteurs.id)`.as('is_of_group')

export async function findActeur(tx: Database, id: string): Promise<ActeurRow | undefined> {
  return tx
    .selectFrom('acteurs')
    .select([...columns, isOfGroup])
    .where('id', '=', id)
    .executeTakeFirst()
}

/** Returns a live acteur that was not merged, and locks it in share mode until the transaction ends. */
export async function findActeurForShare(tx: Database, id: string): Promise<ActeurRow | undefined> {
  return tx
    .selectFrom('acteurs')
    .select([...columns, isOfGroup])
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .where('merged_into', 'is', null)
    .forShare()
    .executeTakeFirst()
}

type CommuneRow = { id: string; of_acteur: boolean }

/**
 * Returns and locks these communes and those of an acteur: its own, those that name it as mairie, and of these the members of
 * its groups. The lock ensures that no mairie loses its commune meanwhile.
 */
export async function listCommunesForShare(
  tx: Database,
  ids: string[],
  acteur: Pick<ActeurRow, 'id' | 'commune_id'> | null,
): Promise<CommuneRow[]> {
  const own = acteur?.commune_id ?? null
  const mairieId = acteur?.id ?? null
  const { rows } = await sql<CommuneRow>`
    select id, (id = ${own}::uuid) is true or (mairie_actor_id = ${mairieId}::uuid) is true or exists (
      select from group_communes m join groups g on g.id = m.group_id
      where m.commune_id = communes.id and g.acteur_id = ${mairieId}::uuid) as of_acteur
    from communes
    where id = any(${own === null ? ids : [...ids, own]}::uuid[]) or mairie_actor_id = ${mairieId}
    order by id for share`.execute(tx)
  return rows
}

/** Lists the members of the groups that name an acteur. */
export async function listMembersOf(tx: Database, acteurId: string): Promise<string[]> {
  const { rows } = await sql<{ commune_id: string }>`
    select m.commune_id from groups g join group_communes m on m.group_id = g.id
    where g.acteur_id = ${acteurId}`.execute(tx)
  return rows.map(({ commune_id }) => commune_id)
}
