import { useRef } from 'react'
import { useTranslations } from 'use-intl'
import { showToast } from '../../ui/toast.tsx'

export type Undo = ReturnType<typeof useUndo>

/** Remembers how to undo the latest action. */
export function useUndo() {
  const words = useTranslations('messages')
  const latest = useRef<(() => void) | null>(null)
  const closeToast = useRef(() => {})
  /** Id of the reply that the latest toast is about. */
  const lastSent = useRef<string | null>(null)

  function run(): void {
    const undoLatest = latest.current
    latest.current = null
    closeToast.current()
    if (undoLatest === null) showToast({ title: words('nothingToUndo') })
    else undoLatest()
  }

  return {
    run,
    /** Makes an action the latest, before it is done and offered. */
    expect(undoing: () => void) {
      latest.current = undoing
    },
    isLatest: (undoing: () => void) => latest.current === undoing,
    /** Offers to undo an action in a toast. `sent`: the reply that it is about. */
    offer(
      title: string,
      undoing: () => void,
      { detail, sent }: { detail?: string | undefined; sent?: string } = {},
    ) {
      latest.current = undoing
      lastSent.current = sent ?? null
      closeToast.current = showToast({
        title,
        ...(detail !== undefined && { detail }),
        action: { label: words('undo'), shortcut: 'u', run },
      })
    },
    /** Closes the toast of a reply that is undone in another way: it would offer the same again. */
    withdraw(sent: string) {
      if (lastSent.current !== sent) return
      latest.current = null
      closeToast.current()
    },
  }
}
