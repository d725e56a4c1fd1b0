import { confirmation } from '../api/confirmation.ts'
import { later } from './later.tsx'

const Asking = later(async () => (await import('./sign-in/confirmation-dialog.tsx')).ConfirmationDialog)

/** Asks the user to confirm their identity, when a request needs it. */
export const ConfirmationDialog = () => confirmation.use() === 'asked' && <Asking />
