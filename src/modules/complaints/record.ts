import type { RecordKind } from '../../platform/change.ts'
import { getComplaintForUpdate, type Outcome, type StoredComplaint, updateComplaint } from './queries.ts'

/** A complaint as an audited record. Its values do not name a reporter, and texts are of people. */
export const complaint = {
  entity: 'complaint',
  personal: ['text', 'answer', 'title'],
  lock: getComplaintForUpdate,
  write: (tx, { id }, values) => updateComplaint(tx, id, values),
  auditedValues: ({ reporter_id: _, version: __, created_at: ___, decided_at: ____, ...row }) => ({
    ...row,
    user_id: row.case_id === null ? row.user_id : null,
  }),
} satisfies RecordKind<StoredComplaint, Outcome>
