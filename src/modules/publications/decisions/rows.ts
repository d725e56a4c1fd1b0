import { sql } from 'kysely'
import type { Database } from '../../../platform/database/connect.ts'
import type { StoredPublication } from '../queries.ts'
import { type State, stateOf } from './states.ts'

/** The fields that decisions read and write. */
export type DecisionRow = State &
  Pick<StoredPublication, 'id' | 'version' | 'moderation_reason' | 'resubmitted' | 'decided_centrally'>

export const decisionRowOf = (publication: DecisionRow): DecisionRow => ({
  ...stateOf(publication),
  id: publication.id,
  version: publication.version,
  moderation_reason: publication.moderation_reason,
  resubmitted: publication.resubmitted,
  decided_centrally: publication.decided_centrally,
})

/** Locks publications in id order, so that concurrent callers wait for each other instead of deadlocking. */
export async function listForUpdate(tx: Database, ids: string[]): Promise<DecisionRow[]> {
  const { rows } = await sql<DecisionRow>`
    select id, version, moderation_status, moderation_reason, resubmitted, decided_centrally, valide, publie_le, en_avant, featured_until,
      deleted_at
    from publications where id = any(${ids}::uuid[]) order by id for no key update`.execute(tx)
  return rows
}

/** Updates the state of publications in one statement. Returns their versions. */
export async function updateDecisions(tx: Database, rows: DecisionRow[]): Promise<Map<string, number>> {
  if (rows.length === 0) return new Map()
  const { rows: written } = await sql<Pick<DecisionRow, 'id' | 'version'>>`
    update publications p set moderation_status = d.moderation_status, moderation_reason = d.moderation_reason,
      resubmitted = d.resubmitted, decided_centrally = d.decided_centrally, valide = d.valide, publie_le = d.publie_le, en_avant = d.en_avant,
      featured_until = d.featured_until, deleted_at = d.deleted_at
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as d (
      id uuid, moderation_status text, moderation_reason text, resubmitted boolean, decided_centrally boolean, valide boolean,
      publie_le timestamptz, en_avant boolean, featured_until timestamptz, deleted_at timestamptz)
    where p.id = d.id returning p.id, p.version`.execute(tx)
  return new Map(written.map(({ id, version }) => [id, version]))
}
