import { useTranslations } from 'use-intl'
import { showToast } from '../ui/toast.tsx'
import { useFailureText } from './shown-failure.tsx'

/**
 * Returns a function that says what was deleted, with an action that brings it back, even after the screen was left. If
 * that fails, it can be tried again.
 */
export function useDeletedToast() {
  const words = useTranslations('deleted')
  const textOf = useFailureText()
  return (title: string, restore: () => Promise<unknown>) => {
    const bringBack = () => void restore().catch(fail)
    const fail = (error: unknown) => {
      const action = { label: words('retry'), run: bringBack }
      showToast({ title: words('failed'), detail: textOf(error), isError: true, action })
    }
    showToast({ title, action: { label: words('bringBack'), run: bringBack } })
  }
}
