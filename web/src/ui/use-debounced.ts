import { useEffect, useState } from 'react'

/** Returns the value once it has not changed for this time. Values are compared by their content as JSON. */
export function useDebounced<Value>(value: Value, debounceMs: number): Value {
  const [debounced, setDebounced] = useState(value)
  const content = JSON.stringify(value)
  const isCurrent = JSON.stringify(debounced) === content
  // biome-ignore lint/correctness/useExhaustiveDependencies: an object may be built again for each render
  useEffect(() => {
    if (isCurrent) return
    const timer = setTimeout(() => setDebounced(value), debounceMs)
    return () => clearTimeout(timer)
  }, [content, isCurrent, debounceMs])
  return debounced
}
