import { updateGroup } from '../src/modules/groups/queries.ts'
import type { Database } from '../src/platform/database/connect.ts'
import { mapIds, readData } from './data.ts'

type DemoGroup = {
  /** Number of a group that the load of intercommunalities has created. */
  siren: string
  /** Slug of the acteur that publishes for it. */
  acteur: string
}

/** Names the acteurs of groups that exist. */
export async function insertDemoGroups(db: Database): Promise<void> {
  const groups = await mapIds(db, 'groups', 'siren')
  const acteurs = await mapIds(db, 'acteurs', 'slug')
  for (const { siren, acteur } of await readData<DemoGroup[]>('content/groups.json')) {
    const [id, acteur_id] = [groups.get(siren), acteurs.get(acteur)]
    if (id !== undefined && acteur_id !== undefined) await updateGroup(db, id, { acteur_id })
  }
}
