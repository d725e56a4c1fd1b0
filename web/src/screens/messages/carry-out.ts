import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { oneByOne } from '../../shell/deciding/one-by-one.ts'

export type CarryOut = (threadIds: readonly string[], action: () => Promise<void>) => Promise<void>

/** Carries out actions on a thread one after another, and reads again what they may have changed. */
export function useCarryOut(): { error: unknown; carryOut: CarryOut } {
  const client = useQueryClient()
  const [error, setError] = useState<unknown>(null)
  const carryOut: CarryOut = async (ids, action) => {
    setError(null)
    try {
      await oneByOne(ids, action)
    } catch (failure) {
      setError(failure)
    }
    // Also after a failure, because another user may have changed the thread.
    for (const queryKey of [
      ['threads', 'newest-list'],
      ['threads', 'one'],
      ['threads', 'messages'],
      ['dashboard'],
    ])
      void client.invalidateQueries({ queryKey })
  }
  return { error, carryOut }
}
