import { useCarryOut } from './carry-out.ts'
import { useChanges } from './changes.ts'
import type { Thread } from './queries.ts'
import { useReplies } from './replies.ts'
import { useUndo } from './undo.ts'

type Options = {
  /** Called with the results of changes, to show them in the list. */
  onChanged: (...threads: Thread[]) => void
  /** Called when an undone reply is a draft again. */
  onRestored: (threadId: string) => void
}

export type Actions = ReturnType<typeof useActions>

/** Actions on threads. Remembers how to undo the latest. */
export function useActions({ onChanged, onRestored }: Options) {
  const { error, carryOut } = useCarryOut()
  const undo = useUndo()
  const { afterOwn, ...changes } = useChanges(carryOut, undo, onChanged)
  const replies = useReplies(carryOut, undo, { afterOwn, onRestored })
  return { error, undo: undo.run, ...replies, ...changes }
}
