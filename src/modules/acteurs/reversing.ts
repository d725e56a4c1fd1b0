import { sql } from 'kysely'
import type { SignedIn } from '../../platform/access/caller.ts'
import { append } from '../../platform/change.ts'
import type { Database } from '../../platform/database/connect.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import { endDeactivated } from '../grounds/statements.ts'
import { findActeurForUpdate } from './queries.ts'
import { acteur } from './record.ts'
import { hidingActeur } from './refresh-lists.ts'
import { isLive } from './schema.ts'

/** `gone`: the acteur was deleted, or merged into another. */
type Effect = 'restored' | 'already_lifted' | 'changed_since' | 'gone'

/**
 * Activates an acteur again, if this statement is still why it is not active: the lock waits for whoever activates or
 * deactivates it.
 */
export async function reverseDeactivation(
  tx: Database,
  jobs: Pick<Jobs, 'enqueue'>,
  caller: SignedIn,
  { statementId, acteurId }: { statementId: string; acteurId: string },
): Promise<Effect> {
  const before = await findActeurForUpdate(tx, acteurId)
  if (before === null || !isLive(before)) return 'gone'
  if (before.active) return 'already_lifted'
  const { rows } = await sql`
    select from statements where id = ${statementId} and ended_at is null`.execute(tx)
  if (rows.length === 0) return 'changed_since'
  const after = await hidingActeur(jobs).write(tx, before, { active: true })
  await endDeactivated(tx, [acteurId])
  await append(tx, caller, {
    action: 'acteur.active',
    kind: acteur,
    entityId: acteurId,
    before: { active: before.active },
    after: { active: after.active },
  })
  return 'restored'
}
