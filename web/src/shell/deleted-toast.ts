import { useTranslations } from 'use-intl'
import { showToast } from '../ui/toast.tsx'
import { useFailureToast } from './shown-failure.tsx'

/** Closes the toasts that offer to restore a record, by its id. */
const closers = new Map<string, () => void>()

/** Closes the toast that offers to restore a record which was restored in another way. */
export function closeDeletedToast(id: string): void {
  closers.get(id)?.()
  closers.delete(id)
}

/**
 * Returns a function that says what was deleted, with an action that brings it back, even after the screen was left. If
 * that fails, it can be tried again. `id`: of a record that a list of what was deleted can restore too.
 */
export function useDeletedToast() {
  const words = useTranslations('deleted')
  const showFailure = useFailureToast()
  return (title: string, restore: () => Promise<unknown>, id?: string) => {
    const bringBack = () => void restore().catch(fail)
    const fail = (error: unknown) =>
      showFailure(words('failed'), error, { action: { label: words('retry'), run: bringBack } })
    const close = showToast({ title, action: { label: words('bringBack'), run: bringBack } })
    if (id !== undefined) closers.set(id, close)
  }
}
