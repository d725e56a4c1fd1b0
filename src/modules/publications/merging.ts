import { sql } from 'kysely'
import type { Database } from '../../platform/database/connect.ts'
import type { MovesOnMerge } from '../../platform/merging.ts'
import { duplicateKey } from './writing/duplicates.ts'

type Signed = Parameters<typeof duplicateKey>[0] & { id: string }

/** Moves publications of a merged acteur and recomputes their duplicate keys, which contain the acteur. */
export const movePublications: MovesOnMerge = async (tx, _deps, { from, into }, limit) => {
  const rows = await lockPublications(tx, from, limit)
  if (rows.length === 0) return 0
  const moved = rows.map((row) => ({ id: row.id, key: duplicateKey({ ...row, acteur_id: into }) }))
  await sql`
    update publications p set acteur_id = ${into}, duplicate_key = m.key
    from jsonb_to_recordset(${JSON.stringify(moved)}::jsonb) as m (id uuid, key text) where p.id = m.id`.execute(
    tx,
  )
  return rows.length
}

async function lockPublications(tx: Database, acteurId: string, limit: number): Promise<Signed[]> {
  const { rows } = await sql<Signed>`
    select id, acteur_id, source_url, type_id, title, body, date_debut
    from publications where id = any(array(
      select id from publications where acteur_id = ${acteurId} order by created_at desc, id desc limit ${limit}))
      and acteur_id = ${acteurId}
    order by id for no key update`.execute(tx)
  return rows
}
