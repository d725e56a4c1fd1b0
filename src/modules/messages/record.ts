import type { RecordKind } from '../../platform/change.ts'
import { getThreadForUpdate, type ThreadRow, type ThreadValues, updateThread } from './queries.ts'

/** A thread, as it changes. What becomes of its mails is told by its messages, not by the trail. */
export const thread = {
  entity: 'thread',
  personal: ['subject', 'nom', 'email', 'body'],
  hold: getThreadForUpdate,
  write: (tx, { id }, values) => updateThread(tx, id, values),
} satisfies RecordKind<ThreadRow, ThreadValues>
