import { useEffect, useRef } from 'react'

/** Returns a ref for what appears because of the user's last action: it is scrolled into view if it is out of sight. */
export function useIntoView<Element extends HTMLElement>(
  isWanted: (element: Element) => boolean = () => true,
) {
  const ref = useRef<Element>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when it appears
  useEffect(() => {
    if (ref.current && isWanted(ref.current)) ref.current.scrollIntoView({ block: 'nearest' })
  }, [])
  return ref
}
