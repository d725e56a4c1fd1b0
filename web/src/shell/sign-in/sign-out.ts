import type { QueryClient } from '@tanstack/react-query'
import { signOutHere } from '../../api/auth.ts'
import { endSession } from '../../api/session.ts'
import { clearDrafts } from '../drafts.ts'

/** Ends the session and forgets what was typed. A session that has ended already is as good. */
export async function signOut(client: QueryClient): Promise<void> {
  const redirect = await signOutHere().catch(() => null)
  clearDrafts()
  endSession()
  client.clear()
  location.assign(redirect ?? '/backoffice/sign-in')
}
