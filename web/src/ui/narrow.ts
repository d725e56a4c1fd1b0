import { useSyncExternalStore } from 'react'

/** Same breakpoint as in the CSS: below it, a list fills the screen alone. */
const query = matchMedia('(width < 60rem)')

/** Whether the window is too narrow for a list and a detail side by side. */
export function useNarrow(): boolean {
  return useSyncExternalStore(
    (listener) => {
      query.addEventListener('change', listener)
      return () => query.removeEventListener('change', listener)
    },
    () => query.matches,
  )
}
