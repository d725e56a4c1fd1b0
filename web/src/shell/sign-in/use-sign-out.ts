import { useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { signOutHere } from '../../api/auth.ts'
import { endSession } from '../../api/session.ts'
import { clearDrafts } from '../drafts.ts'
import { useFailureToast } from '../shown-failure.tsx'

/** Ends the session and deletes drafts. If that fails, everything stays, and a toast says so. */
export function useSignOut(): () => Promise<void> {
  const words = useTranslations('frame')
  const showFailure = useFailureToast()
  const client = useQueryClient()
  return async () => {
    let redirect: string | null
    try {
      redirect = await signOutHere()
    } catch (error) {
      showFailure(words('notSignedOut'), error)
      return
    }
    clearDrafts()
    endSession()
    client.clear()
    location.assign(redirect ?? '/backoffice/sign-in')
  }
}
