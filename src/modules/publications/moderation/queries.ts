import { sql } from 'kysely'
import type { Database } from '../../../platform/database/connect.ts'
import { raise } from '../../../platform/errors.ts'
import type { Ground } from '../../grounds/grounds.ts'
import { supervisedBy } from './supervision.ts'

/** Closes the open reports of locked publications, and says why, and by which ground they were examined. Returns the time, and the report ids by publication. */
export async function closeReports(
  tx: Database,
  ids: string[],
  closedAs: 'decided' | 'unfounded',
  ground: Ground | undefined,
): Promise<{ now: Date; closed: Map<string, string[]> }> {
  const { rows } = await sql<{ now: Date; publication_id: string | null; closed: string[] }>`
    with closed as (
      update publication_reports set closed_at = now(), closed_as = ${closedAs},
        closed_ground = ${ground === undefined ? null : JSON.stringify(ground)}::jsonb
      where publication_id = any(${ids}::uuid[]) and closed_at is null returning publication_id, id)
    select date_trunc('milliseconds', clock_timestamp()) as now, publication_id, array_agg(id) as closed
    from (values (true)) one left join closed on true group by publication_id`.execute(tx)
  const closed = rows.flatMap(({ publication_id, closed }): [string, string[]][] =>
    publication_id === null ? [] : [[publication_id, closed]],
  )
  return { now: rows[0]?.now ?? raise(new Error('no time')), closed: new Map(closed) }
}

type MairieRow = { id: string; can_publish: boolean }

/** Returns those of these acteurs that are mairies and that supervise or wrote the publication. */
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
