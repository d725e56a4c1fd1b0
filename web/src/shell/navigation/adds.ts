import { useLocation, useNavigate } from '@tanstack/react-router'
import { useEffect, useEffectEvent } from 'react'

declare module '@tanstack/history' {
  interface HistoryState {
    /** The palette asks the screen to open its form for a new record. */
    adds?: boolean
  }
}

/** Opens the form of a screen when the palette asks for it, once. */
export function useAdds(open: () => void): void {
  const navigate = useNavigate()
  const adds = useLocation({ select: ({ state }) => state.adds === true })
  const answer = useEffectEvent(() => {
    open()
    // A reload or Back shows the screen alone.
    void navigate({ to: '.', search: true, state: {}, replace: true })
  })
  useEffect(() => {
    if (adds) answer()
  }, [adds])
}
