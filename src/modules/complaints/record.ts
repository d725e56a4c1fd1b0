import type { RecordKind } from '../../platform/change.ts'
import { getComplaintForUpdate, type Outcome, type StoredComplaint, updateComplaint } from './queries.ts'

/** A complaint as an audited record. A reporter is not named, and texts are of people. */
export const complaint = {
  entity: 'complaint',
  personal: ['text', 'answer', 'title'],
  lock: getComplaintForUpdate,
  write: (tx, { id }, values) => updateComplaint(tx, id, values),
  auditedValues: ({ reporter_id: _, version: __, created_at: ___, decided_at: ____, ...row }) => row,
} satisfies RecordKind<StoredComplaint, Outcome>
