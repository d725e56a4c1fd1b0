import { deletionAfterMonths } from '../../platform/jobs/sweeps.ts'

export const deleteOldNotes = deletionAfterMonths('notes', 'created_at')
