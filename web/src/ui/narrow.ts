import { useSyncExternalStore } from 'react'

/** As the styles of screens have it: less than this and a list stands alone. */
const query = matchMedia('(width < 60rem)')

/** Whether there is room for one thing beside the other. */
export function useNarrow(): boolean {
  return useSyncExternalStore(
    (listener) => {
      query.addEventListener('change', listener)
      return () => query.removeEventListener('change', listener)
    },
    () => query.matches,
  )
}
