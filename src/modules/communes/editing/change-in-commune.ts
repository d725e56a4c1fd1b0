import { sql } from 'kysely'
import type { SignedIn } from '../../../platform/access/caller.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { notFound, raise } from '../../../platform/errors.ts'
import { onlyOnce } from '../../../platform/idempotency.ts'
import { requireInScope, requireStillTheirs } from '../permissions.ts'

/** Changes what a commune shows of others. Holds the commune, so that another mairie waits, or has been waited for. */
export function changeInCommune<T extends object>(
  db: Database,
  caller: SignedIn,
  communeId: string,
  work: (tx: Database, communeId: string) => Promise<T>,
): Promise<T> {
  requireInScope(caller, communeId)
  return db.transaction().execute((tx) =>
    onlyOnce(tx, caller, async () => {
      requireStillTheirs(caller, await lockMairie(tx, communeId))
      return work(tx, communeId.toLowerCase())
    }),
  )
}

async function lockMairie(tx: Database, communeId: string): Promise<string | null> {
  const { rows } = await sql<{ mairie_id: string | null }>`
    select mairie_actor_id as mairie_id from communes where id = ${communeId} for share`.execute(tx)
  return (rows[0] ?? raise(notFound())).mairie_id
}
