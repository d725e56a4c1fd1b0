import type { RecordKind } from '../../platform/change.ts'
import { type AlerteRow, deleteAlerte, getAlerteForUpdate, updateAlerte } from './queries.ts'

export const alerte = {
  entity: 'alerte',
  personal: [],
  lock: getAlerteForUpdate,
  write: (tx, { id }, values) => updateAlerte(tx, id, values),
} satisfies RecordKind<AlerteRow>

type Deletable = AlerteRow & { isDeleted?: boolean }

/** The same record, deleted by the change: the audit log keeps what it said. */
export const deletedAlerte = {
  ...alerte,
  async write(tx, before) {
    await deleteAlerte(tx, before.id)
    return { ...before, isDeleted: true }
  },
  auditedValues: ({ isDeleted, ...row }) => (isDeleted ? {} : row),
} satisfies RecordKind<Deletable, { isDeleted: true }>
