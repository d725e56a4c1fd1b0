import type { Caller } from '../../../platform/access/caller.ts'
import { changeMany } from '../../../platform/change.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { auditedStatut, defibrillateur } from '../record.ts'
import { listForUpdate, type StatutRow, updateStatuts } from './queries.ts'
import type { BulkAnswer, BulkStatut } from './schema.ts'

const devices = {
  ...defibrillateur,
  lock: listForUpdate,
  write: updateStatuts,
  entries: (before: StatutRow, after: StatutRow) => [
    {
      action: 'defibrillateur.update',
      before: auditedStatut('france', before),
      after: auditedStatut('france', after),
    },
  ],
  previous: ({ statut_admin, note }: StatutRow) => ({ statut_admin, note }),
}

/** Sets the national status of up to a hundred devices. An absent note stays as it is. */
export const setStatuts = (
  db: Database,
  caller: Caller,
  { ids, versions, statut_admin, note }: BulkStatut,
): Promise<BulkAnswer> =>
  changeMany(db, caller, devices, { ids, versions }, (_tx, rows) =>
    rows.map((before) => ({
      before,
      after: { ...before, statut_admin, note: note === undefined ? before.note : note },
    })),
  )
