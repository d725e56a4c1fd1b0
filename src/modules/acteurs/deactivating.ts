import { sql } from 'kysely'
import type { SignedIn } from '../../platform/access/caller.ts'
import type { Database } from '../../platform/database/connect.ts'
import { uuidv7 } from '../../platform/formats/uuid.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import { type Ground, getGround } from '../grounds/grounds.ts'
import { endDeactivated, findGiven, type Why } from '../grounds/statements.ts'
import { queueMails } from './notify.ts'

type Activating = {
  active?: boolean | undefined
  ground?: string | undefined
  reason?: string | null | undefined
}
type State = { id: string; active: boolean }

/** What a decision deactivates. `ground`: null if nothing. */
export type Deactivating = { ids: string[]; ground: Ground | null; reason: Why['reason'] }

/** Finds what a decision on these acteurs deactivates; 422 if its ground is not active, whatever it does. */
export async function findDeactivating(
  tx: Database,
  { active, ground: code, reason }: Activating,
  acteurs: State[],
): Promise<Deactivating> {
  const given = await findGiven(tx, code)
  const ids = active === false ? acteurs.filter((one) => one.active).map(({ id }) => id) : []
  return { ids, ground: ids.length === 0 ? null : (given ?? (await getGround(tx, {}))), reason }
}

/**
 * Records the statements of what a decision deactivates, with their mails to the owners, or ends those of what it
 * activates. Reports that it settles read them at the end of the transaction.
 */
export async function recordActivation(
  tx: Database,
  jobs: Pick<Jobs, 'enqueue'>,
  caller: SignedIn,
  { active }: Pick<Activating, 'active'>,
  { ids, ground, reason }: Deactivating,
  acteurs: State[],
): Promise<void> {
  if (active === true)
    await endDeactivated(
      tx,
      acteurs.map(({ id }) => id),
    )
  if (ground === null) return
  const rows = ids.map((record_id) => ({ id: uuidv7(), record_id }))
  await sql`
    insert into statements (id, entity, record_id, title, restriction, ground, reason, by_report, decided_by, before)
    select s.id, 'acteur', a.id, a.nom, 'deactivated', ${JSON.stringify(ground)}::jsonb, ${reason?.trim() || null}::text,
      exists (
        select from publications p join publication_reports r on r.publication_id = p.id and r.closed_at is null
        where p.acteur_id = a.id),
      ${caller.user.id}, '{"active": true}'
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as s (id uuid, record_id uuid)
    join acteurs a on a.id = s.record_id`.execute(tx)
  await queueMails(
    tx,
    jobs,
    caller,
    rows.map(({ id }) => id),
  )
}
