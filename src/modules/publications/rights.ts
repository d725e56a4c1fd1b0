import { isAdmin, type Permission, type User } from '../../platform/access/caller.ts'
import { type Right, rightOver } from '../../platform/access/rights.ts'
import type { Database } from '../../platform/database/connect.ts'
import { isActeurDeleted } from './queries.ts'

/** What the central resolver says of its acteur; but for a deleted one nobody acts save administrators. */
export async function rightOverPublication(
  db: Database,
  user: User,
  { acteur_id }: { acteur_id: string | null },
  needs: readonly Permission[],
): Promise<Right> {
  const right = rightOver(user, acteur_id, needs)
  if (right === 'foreign' || acteur_id === null || isAdmin(user)) return right
  return (await isActeurDeleted(db, acteur_id)) ? 'foreign' : right
}
