import type { SignedIn } from '../../platform/access/caller.ts'
import type { Database } from '../../platform/database/connect.ts'
import { findMairie, getCommune } from './editing/queries.ts'
import { mayEditFor } from './permissions.ts'

/** Returns whether the caller may change the commune, for `can`. */
export async function canEdit(db: Database, caller: SignedIn, communeId: string): Promise<boolean> {
  const [commune, mairie] = await Promise.all([getCommune(db, communeId), findMairie(db, communeId)])
  return mayEditFor(caller)(commune.mairie_actor_id, mairie?.active ?? true)
}
