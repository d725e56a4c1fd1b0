import { useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { signOutHere } from '../../api/auth.ts'
import { endSession } from '../../api/session.ts'
import { showToast } from '../../ui/toast.tsx'
import { clearDrafts } from '../drafts.ts'
import { useFailureText } from '../shown-failure.tsx'

/** Ends the session and deletes drafts. If that fails, everything stays, and a toast says so. */
export function useSignOut(): () => Promise<void> {
  const words = useTranslations('frame')
  const textOf = useFailureText()
  const client = useQueryClient()
  return async () => {
    let redirect: string | null
    try {
      redirect = await signOutHere()
    } catch (error) {
      showToast({ title: words('notSignedOut'), detail: textOf(error), isError: true })
      return
    }
    clearDrafts()
    endSession()
    client.clear()
    location.assign(redirect ?? '/backoffice/sign-in')
  }
}
