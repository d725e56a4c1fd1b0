import { sql } from 'kysely'
import type { Database } from '../../../platform/database/connect.ts'
import { raise } from '../../../platform/errors.ts'
import type { StoredPublication } from '../queries.ts'
import type { State } from './states.ts'
import { supervisedBy } from './supervision.ts'

/** What a decision reads and writes. */
export type DecisionRow = State & Pick<StoredPublication, 'id' | 'moderation_reason' | 'decided_centrally'>

/** In the order of their ids: two who lock several wait for each other, never in a circle. */
export async function listForUpdate(tx: Database, ids: string[]): Promise<DecisionRow[]> {
  const { rows } = await sql<DecisionRow>`
    select id, moderation_status, moderation_reason, decided_centrally, valide, publie_le, en_avant, featured_until,
      deleted_at
    from publications where id = any(${ids}::uuid[]) order by id for no key update`.execute(tx)
  return rows
}

/** What decisions of moderation change, all in one statement, however many. */
export async function updateDecisions(tx: Database, rows: DecisionRow[]): Promise<void> {
  await sql`
    update publications p set moderation_status = d.moderation_status, moderation_reason = d.moderation_reason,
      decided_centrally = d.decided_centrally, valide = d.valide, publie_le = d.publie_le
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as d (
      id uuid, moderation_status text, moderation_reason text, decided_centrally boolean, valide boolean,
      publie_le timestamptz)
    where p.id = d.id`.execute(tx)
}

/** The time, once the publications are locked; and how many of their open reports were closed at it, by publication. */
export async function closeReports(
  tx: Database,
  ids: string[],
): Promise<{ now: Date; closed: Map<string, number> }> {
  const { rows } = await sql<{ now: Date; publication_id: string | null; closed: number }>`
    with closed as (
      update publication_reports set closed_at = now()
      where publication_id = any(${ids}::uuid[]) and closed_at is null returning publication_id)
    select date_trunc('milliseconds', clock_timestamp()) as now, publication_id, count(*)::int as closed
    from (values (true)) one left join closed on true group by publication_id`.execute(tx)
  const closed = rows.flatMap(({ publication_id, closed }): [string, number][] =>
    publication_id === null ? [] : [[publication_id, closed]],
  )
  return { now: rows[0]?.now ?? raise(new Error('no time')), closed: new Map(closed) }
}

type MairieRow = { id: string; can_publish: boolean }

/** Those of these acteurs that are mairies, and may supervise the publication or have written it. */
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
