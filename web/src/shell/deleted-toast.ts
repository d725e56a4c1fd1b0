import { useTranslations } from 'use-intl'
import { showToast } from '../ui/toast.tsx'
import { useFailureToast } from './shown-failure.tsx'

/**
 * Returns a function that says what was deleted, with an action that brings it back, even after the screen was left. If
 * that fails, it can be tried again.
 */
export function useDeletedToast() {
  const words = useTranslations('deleted')
  const showFailure = useFailureToast()
  return (title: string, restore: () => Promise<unknown>) => {
    const bringBack = () => void restore().catch(fail)
    const fail = (error: unknown) =>
      showFailure(words('failed'), error, { action: { label: words('retry'), run: bringBack } })
    showToast({ title, action: { label: words('bringBack'), run: bringBack } })
  }
}
