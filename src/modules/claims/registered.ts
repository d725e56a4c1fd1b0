import { sql } from 'kysely'
import type { Author } from '../../platform/audit/record.ts'
import { append } from '../../platform/change.ts'
import { columnList } from '../../platform/database/columns.ts'
import type { Database } from '../../platform/database/connect.ts'
import { type ActeurRow, updateActeur } from '../acteurs/queries.ts'
import { acteur } from '../acteurs/record.ts'
import { Acteur } from '../acteurs/schema.ts'
import type { Claim } from './schema.ts'

/**
 * An acteur that somebody has added with the claim to it follows this claim:
 *
 *   pending           → not validated: only the back-office sees it
 *   approved          → validated, with its owner
 *   rejected, expired → deleted
 *   undone            → as while the claim was pending
 *
 * One that an administrator has validated, deleted or merged meanwhile keeps that. A job need not refresh the lists: nothing of
 * an acteur that waits is in them.
 */
export async function settleRegistrations(
  tx: Database,
  author: Author,
  claimIds: string[],
  status: Claim['status'],
): Promise<void> {
  const { rows } = await sql<ActeurRow>`
    select ${columnList(Acteur.properties, 'a')}
    from registrations r join claims c on c.id = r.claim_id and c.acteur_id = r.acteur_id
    join acteurs a on a.id = r.acteur_id
    where r.claim_id = any(${claimIds}::uuid[]) and a.merged_into is null order by a.id for no key update of a`.execute(
    tx,
  )
  for (const before of rows) {
    const change = changeOf(before, status)
    if (change === null) continue
    const after = await updateActeur(tx, before.id, change.values)
    await append(tx, author, { action: change.action, kind: acteur, entityId: before.id, before, after })
  }
}

/** Returns what a status of the claim changes of its acteur; null for nothing. */
function changeOf({ valide, deleted_at }: ActeurRow, status: Claim['status']) {
  if (status === 'pending')
    return deleted_at === null
      ? { action: 'acteur.validate', values: { valide: false } }
      : { action: 'acteur.restore', values: { deleted_at: null } }
  if (valide || deleted_at !== null) return null
  return status === 'approved'
    ? { action: 'acteur.validate', values: { valide: true } }
    : { action: 'acteur.delete', values: { deleted_at: new Date() } }
}
