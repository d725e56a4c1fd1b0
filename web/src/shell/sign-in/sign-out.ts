import type { QueryClient } from '@tanstack/react-query'
import { signOutHere } from '../../api/auth.ts'
import { endSession } from '../../api/session.ts'
import { clearDrafts } from '../drafts.ts'

/** Ends the session and deletes drafts. Ignores a failure, such as a session that has already ended. */
export async function signOut(client: QueryClient): Promise<void> {
  const redirect = await signOutHere().catch(() => null)
  clearDrafts()
  endSession()
  client.clear()
  location.assign(redirect ?? '/backoffice/sign-in')
}
