import { sql } from 'kysely'
import type { Database } from '../../../platform/database/connect.ts'
import { notFound, raise } from '../../../platform/errors.ts'
import type { State } from './states.ts'

/** What a decision reads and writes. */
export type LockedPublication = State & {
  id: string
  version: number
  acteur_id: string | null
  moderation_reason: string | null
  decided_centrally: boolean
}

const locked = sql`id, version, acteur_id, moderation_status, moderation_reason, decided_centrally, valide,
  publie_le, en_avant, featured_until, deleted_at`

export async function getPublicationForUpdate(tx: Database, id: string): Promise<LockedPublication> {
  const [row] = await lockPublications(tx, [id])
  return row ?? raise(notFound())
}

/** In the order of their ids: two who lock several wait for each other, never in a circle. */
export async function lockPublications(tx: Database, ids: string[]): Promise<LockedPublication[]> {
  const { rows } = await sql<LockedPublication>`
    select ${locked} from publications where id = any(${ids}::uuid[]) order by id for no key update
  `.execute(tx)
  return rows
}

/** The time by the clock that visibility goes by, as precise as it is stored. Asked for once the rows are held. */
export async function readNow(tx: Database): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`
    select date_trunc('milliseconds', clock_timestamp()) as now
  `.execute(tx)
  return rows[0]?.now ?? raise(new Error('no time'))
}

/** All in one statement, however many. */
export async function updateStates(tx: Database, states: LockedPublication[]): Promise<void> {
  await sql`
    update publications p set
      moderation_status = n.moderation_status, moderation_reason = n.moderation_reason, valide = n.valide,
      decided_centrally = n.decided_centrally, publie_le = n.publie_le, en_avant = n.en_avant,
      featured_until = n.featured_until, deleted_at = n.deleted_at
    from jsonb_to_recordset(${JSON.stringify(states)}::jsonb) as n (
      id uuid, moderation_status text, moderation_reason text, valide boolean, decided_centrally boolean,
      publie_le timestamptz, en_avant boolean, featured_until timestamptz, deleted_at timestamptz)
    where p.id = n.id
  `.execute(tx)
}

/** How many open reports were closed, by publication. */
export async function closeReports(tx: Database, ids: string[]): Promise<Map<string, number>> {
  const { rows } = await sql<{ publication_id: string; closed: number }>`
    with closed as (
      update publication_reports set closed_at = now()
      where publication_id = any(${ids}::uuid[]) and closed_at is null returning publication_id)
    select publication_id, count(*)::int as closed from closed group by publication_id
  `.execute(tx)
  return new Map(rows.map(({ publication_id, closed }) => [publication_id, closed]))
}
