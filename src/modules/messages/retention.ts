import { deletionAfterMonths } from '../../platform/jobs/sweeps.ts'

/** Deletes old closed threads with their messages. */
export const deleteClosedThreads = deletionAfterMonths('support_threads', 'closed_at')
