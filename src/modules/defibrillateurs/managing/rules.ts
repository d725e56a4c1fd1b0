import type { Caller } from '../../../platform/access/caller.ts'
import { change } from '../../../platform/change.ts'
import type { Database } from '../../../platform/database/connect.ts'
import type { Level } from '../queries.ts'
import { defibrillateurOf } from '../record.ts'
import type { StatutBody } from '../schema.ts'

/** Sets the status of one level; keeps the note if the body has none. */
export function setStatut(db: Database, caller: Caller, level: Level, id: string, body: StatutBody) {
  const action = 'defibrillateur.update'
  return change(db, caller, defibrillateurOf(level), { id, action }, (_tx, before) => ({
    statut_admin: body.statut_admin,
    note: body.note === undefined ? before.note : body.note,
  }))
}
