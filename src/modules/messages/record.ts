import type { RecordKind } from '../../platform/change.ts'
import { getThreadForUpdate, type ThreadRow, type ThreadValues, updateThread } from './queries.ts'

/** The thread as an audited record. The state of mails belongs to its messages. */
export const thread = {
  entity: 'thread',
  personal: ['subject', 'nom', 'email', 'body'],
  lock: getThreadForUpdate,
  write: (tx, { id }, values) => updateThread(tx, id, values),
} satisfies RecordKind<ThreadRow, ThreadValues>
