import type { RecordKind } from '../../platform/change.ts'
import { type AlerteRow, getAlerteForUpdate, updateAlerte } from './queries.ts'

export const alerte = {
  entity: 'alerte',
  personal: [],
  lock: getAlerteForUpdate,
  write: (tx, { id }, values) => updateAlerte(tx, id, values),
} satisfies RecordKind<AlerteRow>

type Deletable = AlerteRow & { isDeleted?: boolean }

/** Audited record whose change deletes the alert; the audit entry keeps its former values. */
export const deletedAlerte = {
  ...alerte,
  write: async (_tx, before) => ({ ...before, isDeleted: true }),
  auditedValues: ({ isDeleted, ...row }) => (isDeleted ? {} : row),
} satisfies RecordKind<Deletable, { isDeleted: true }>
