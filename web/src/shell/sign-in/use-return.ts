import { useEffect, useEffectEvent } from 'react'

/** Calls `onReturn` when the user returns to this tab. Phones report that by the visibility only. */
export function useReturn(onReturn: (() => void) | null): void {
  const look = useEffectEvent(() => {
    if (document.visibilityState === 'visible') onReturn?.()
  })
  useEffect(() => {
    window.addEventListener('focus', look)
    document.addEventListener('visibilitychange', look)
    return () => {
      window.removeEventListener('focus', look)
      document.removeEventListener('visibilitychange', look)
    }
  }, [])
}
