import type { Database } from '../../../platform/database/connect.ts'
import { findActeur, findActeurForShare, listCommunesForShare } from '../../publications/writing/queries.ts'
import type { SourceRow } from '../queries.ts'

/** Where what a source brings is shown, and why it waits for a decision, where that is not the source's own wish. */
export type PublishAs = { commune_id: string | null; commune_ids: string[]; whyPending: string | null }

/** As its acteur and the communes are now: they stay so until the transaction ends. */
export async function publishAs(tx: Database, source: SourceRow): Promise<PublishAs> {
  const { acteur_id, commune_id } = source
  const alive = acteur_id === null ? undefined : await findActeurForShare(tx, acteur_id)
  const acteur = alive ?? (acteur_id === null ? null : ((await findActeur(tx, acteur_id)) ?? null))
  const named = commune_id === null ? [] : [commune_id]
  const communes = acteur === null && commune_id === null ? [] : await listCommunesForShare(tx, named, acteur)
  const ofActeur = communes.filter(({ of_acteur }) => of_acteur).map(({ id }) => id)
  const first = commune_id ?? acteur?.commune_id ?? ofActeur[0] ?? null
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
