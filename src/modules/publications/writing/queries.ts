import { type Selectable, sql } from 'kysely'
import type { Database } from '../../../platform/database/connect.ts'
import type * as tables from '../../../platform/database/types.generated.ts'

const columns = ['id', 'commune_id', 'valide', 'active', 'can_publish'] as const
export type ActeurRow = Pick<Selectable<tables.Acteurs>, (typeof columns)[number]>

export async function findActeur(tx: Database, id: string): Promise<ActeurRow | undefined> {
  return tx.selectFrom('acteurs').select(columns).where('id', '=', id).executeTakeFirst()
}

/** Returns a live acteur that was not merged, and locks it in share mode until the transaction ends. */
export async function findActeurForShare(tx: Database, id: string): Promise<ActeurRow | undefined> {
  return tx
    .selectFrom('acteurs')
    .select(columns)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .where('merged_into', 'is', null)
    .forShare()
    .executeTakeFirst()
}

type CommuneRow = { id: string; of_acteur: boolean }

/**
 * Returns and locks these communes and those of an acteur: its own and those that name it as mairie. The lock
 * ensures that no mairie loses its commune meanwhile.
 */
export async function listCommunesForShare(
  tx: Database,
  ids: string[],
  acteur: Pick<ActeurRow, 'id' | 'commune_id'> | null,
): Promise<CommuneRow[]> {
  const own = acteur?.commune_id ?? null
  const mairieId = acteur?.id ?? null
  const { rows } = await sql<CommuneRow>`
    select id, (id = ${own}::uuid) is true or (mairie_actor_id = ${mairieId}::uuid) is true as of_acteur
    from communes
    where id = any(${own === null ? ids : [...ids, own]}::uuid[]) or mairie_actor_id = ${mairieId}
    order by id for share`.execute(tx)
  return rows
}
