import { sql } from 'kysely'
import type { MovesOnMerge } from '../../platform/merging.ts'

/** Moves the notes about a merged acteur, which have no foreign key to it. */
export const moveNotes: MovesOnMerge = async (tx, _deps, { from, into }, limit) => {
  const { rows } = await sql`
    update notes set record_id = ${into} where id = any(array(
      select id from notes where kind = 'acteur' and record_id = ${from} order by id desc limit ${limit}
      for no key update))
    returning id`.execute(tx)
  return rows.length
}
