import { sql } from 'kysely'
import type { Database } from '../../../platform/database/connect.ts'
import { raise } from '../../../platform/errors.ts'
import type { StoredPublication } from '../queries.ts'
import { type State, stateOf } from './states.ts'
import { supervisedBy } from './supervision.ts'

/** The fields that decisions read and write. */
export type DecisionRow = State &
  Pick<StoredPublication, 'id' | 'version' | 'moderation_reason' | 'decided_centrally'>

export const decisionRowOf = (publication: DecisionRow): DecisionRow => ({
  ...stateOf(publication),
  id: publication.id,
  version: publication.version,
  moderation_reason: publication.moderation_reason,
  decided_centrally: publication.decided_centrally,
})

/** Locks publications in the order of their ids, so that two callers wait for each other instead of deadlocking. */
export async function listForUpdate(tx: Database, ids: string[]): Promise<DecisionRow[]> {
  const { rows } = await sql<DecisionRow>`
    select id, version, moderation_status, moderation_reason, decided_centrally, valide, publie_le, en_avant, featured_until,
      deleted_at
    from publications where id = any(${ids}::uuid[]) order by id for no key update`.execute(tx)
  return rows
}

/** Writes the state of publications, all in one statement. Returns their versions. */
export async function updateDecisions(tx: Database, rows: DecisionRow[]): Promise<Map<string, number>> {
  if (rows.length === 0) return new Map()
  const { rows: written } = await sql<Pick<DecisionRow, 'id' | 'version'>>`
    update publications p set moderation_status = d.moderation_status, moderation_reason = d.moderation_reason,
      decided_centrally = d.decided_centrally, valide = d.valide, publie_le = d.publie_le, en_avant = d.en_avant,
      featured_until = d.featured_until, deleted_at = d.deleted_at
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as d (
      id uuid, moderation_status text, moderation_reason text, decided_centrally boolean, valide boolean,
      publie_le timestamptz, en_avant boolean, featured_until timestamptz, deleted_at timestamptz)
    where p.id = d.id returning p.id, p.version`.execute(tx)
  return new Map(written.map(({ id, version }) => [id, version]))
}

/** Closes the open reports of locked publications. Returns the time, and the ids of the reports by publication. */
export async function closeReports(
  tx: Database,
  ids: string[],
): Promise<{ now: Date; closed: Map<string, string[]> }> {
  const { rows } = await sql<{ now: Date; publication_id: string | null; closed: string[] }>`
    with closed as (
      update publication_reports set closed_at = now()
      where publication_id = any(${ids}::uuid[]) and closed_at is null returning publication_id, id)
    select date_trunc('milliseconds', clock_timestamp()) as now, publication_id, array_agg(id) as closed
    from (values (true)) one left join closed on true group by publication_id`.execute(tx)
  const closed = rows.flatMap(({ publication_id, closed }): [string, string[]][] =>
    publication_id === null ? [] : [[publication_id, closed]],
  )
  return { now: rows[0]?.now ?? raise(new Error('no time')), closed: new Map(closed) }
}

type MairieRow = { id: string; can_publish: boolean }

/** Of these acteurs returns the mairies that supervise the publication or wrote it. */
export async function listMairiesConcerned(
  tx: Database,
  id: string,
  acteurIds: string[],
): Promise<MairieRow[]> {
  const { rows } = await sql<MairieRow>`
    select m.id, m.can_publish from publications p, acteurs m
    where p.id = ${id} and m.id = any(${acteurIds}::uuid[]) and m.active and m.deleted_at is null
      and exists (select from communes c where c.mairie_actor_id = m.id)
      and (p.acteur_id = m.id or ${supervisedBy(sql<string>`m.id`)})`.execute(tx)
  return rows
}
