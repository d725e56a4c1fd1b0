import { useTranslations } from 'use-intl'
import { isStatus } from '../api/failure.ts'
import { showToast, type Toast } from '../ui/toast.tsx'
import { useFailureToast } from './shown-failure.tsx'

/** Closes the toast that offers to restore a record, by its id, while it is open. */
const closers = new Map<string, () => void>()

/** Closes the toast that offers to restore a record which was restored in another way. */
export const closeDeletedToast = (id: string): void => closers.get(id)?.()

/**
 * Returns a function that says what was deleted, with an action that brings it back, even after the screen was left. If
 * that fails, it can be tried again, unless the record is gone or was restored meanwhile. `id`: of a record that a list of
 * what was deleted can restore too.
 */
export function useDeletedToast() {
  const words = useTranslations('deleted')
  const showFailure = useFailureToast()
  return (title: string, restore: () => Promise<unknown>, id?: string) => {
    const offer = (label: string, show: (toast: Pick<Toast, 'action' | 'onClose'>) => () => void) => {
      const close = show({
        action: { label, run: () => void restore().catch(fail) },
        onClose: () => {
          if (id !== undefined && closers.get(id) === close) closers.delete(id)
        },
      })
      if (id !== undefined) closers.set(id, close)
    }
    const fail = (error: unknown) => {
      if (isStatus(error, 403, 404, 409)) showFailure(words('failed'), error)
      else offer(words('retry'), (more) => showFailure(words('failed'), error, more))
    }
    offer(words('bringBack'), (more) => showToast({ title, ...more }))
  }
}
