import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'

/** Counts the decisions in progress, and when the last ones were settled. */
export function usePending() {
  const client = useQueryClient()
  const [pending, setPending] = useState(0)
  const [settled, setSettled] = useState({ count: 0, at: 0 })
  const underWay = useRef(0)
  async function countPending<Answer>(action: Promise<Answer>): Promise<Answer> {
    setPending(++underWay.current)
    try {
      return await action
    } finally {
      setPending(--underWay.current)
      setSettled(({ count }) => ({ count: count + 1, at: Date.now() }))
      // Waits for the last pending decision: figures loaded earlier would already be out of date.
      if (underWay.current === 0)
        for (const queryKey of [['dashboard'], ['decisions']]) void client.invalidateQueries({ queryKey })
    }
  }
  return { pending, settled, countPending }
}
