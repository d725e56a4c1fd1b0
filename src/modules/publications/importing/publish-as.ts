import { sql } from 'kysely'
import type { Database } from '../../../platform/database/connect.ts'
import { findActeur, findActeurForShare, listCommunesForShare } from '../writing/queries.ts'

/** Settings of an import source for its publications. */
export type ImportSource = {
  acteur_id: string | null
  commune_id: string | null
  moderation_status: string
}

/** Communes for imported publications, and why they are pending if the source asked for publication. */
export type PublishAs = { commune_id: string | null; commune_ids: string[]; whyPending: string | null }

/** Locks a live acteur in share mode until the transaction ends; false if it is not live. */
export const lockActeur = async (tx: Database, id: string): Promise<boolean> =>
  (await findActeurForShare(tx, id)) !== undefined

/** Returns the source with the target of its acteur if that was merged, and locks the acteur against a merge. */
export async function withMergeTarget<S extends ImportSource>(tx: Database, source: S): Promise<S> {
  if (source.acteur_id === null) return source
  const { rows } = await sql<{ acteur_id: string }>`
    select coalesce(merged_into, id) as acteur_id from acteurs where id = ${source.acteur_id} for share`.execute(
    tx,
  )
  return { ...source, acteur_id: rows[0]?.acteur_id ?? source.acteur_id }
}

/** Reads and locks the acteur and its communes until the transaction ends. */
export async function publishAs(tx: Database, source: ImportSource): Promise<PublishAs> {
  const { acteur_id, commune_id } = source
  const alive = acteur_id === null ? undefined : await findActeurForShare(tx, acteur_id)
  const acteur = alive ?? (acteur_id === null ? null : ((await findActeur(tx, acteur_id)) ?? null))
  const named = commune_id === null ? [] : [commune_id]
  const communes = acteur === null && commune_id === null ? [] : await listCommunesForShare(tx, named, acteur)
  const ofActeur = communes.filter(({ of_acteur }) => of_acteur).map(({ id }) => id)
  // Publishes for all members of the group, unless the source has a commune.
  const preferred = acteur?.is_of_group ? null : (acteur?.commune_id ?? ofActeur[0] ?? null)
  const first = commune_id ?? preferred
  return {
    commune_id: first,
    commune_ids: first === null ? [] : [first],
    whyPending: source.moderation_status === 'pending' ? null : whyPending(acteur_id, alive),
  }
}

function whyPending(acteurId: string | null, alive: { active: boolean } | undefined): string | null {
  if (acteurId === null) return 'waits for a decision: the source has no acteur'
  if (alive === undefined) return 'waits for a decision: the acteur is deleted'
  return alive.active ? null : 'waits for a decision: the acteur is inactive'
}
