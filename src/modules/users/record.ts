import { auditedUser } from '../../platform/access/users.ts'
import type { RecordKind } from '../../platform/change.ts'
import { getUserForUpdate, type UserRow, updateUser } from './queries.ts'

/** The user with roles and memberships as an audited record. */
export const user = {
  ...auditedUser,
  lock: getUserForUpdate,
  write: (tx, { id }, values) => updateUser(tx, id, values),
} satisfies RecordKind<UserRow>
