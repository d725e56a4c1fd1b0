import { useEffect, useEffectEvent } from 'react'

/** Calls back when somebody returns to this tab from another one. Phones report that by the visibility alone. */
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
