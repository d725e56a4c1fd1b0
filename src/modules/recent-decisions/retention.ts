import { deletionAfterMonths } from '../../platform/jobs/sweeps.ts'

/** Deletes old decisions, which stay in the audit log. */
export const deleteOldDecisions = deletionAfterMonths('decisions', 'decided_at')
