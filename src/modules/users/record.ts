import { auditedUser } from '../../platform/access/users.ts'
import type { RecordKind } from '../../platform/change.ts'
import { getUserForUpdate, type UserRow, updateUser } from './queries.ts'

/** A user, as it changes: its roles and memberships are part of it. */
export const user = {
  ...auditedUser,
  hold: getUserForUpdate,
  write: (tx, { id }, values) => updateUser(tx, id, values),
} satisfies RecordKind<UserRow>
