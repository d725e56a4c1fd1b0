import { useDraft } from '../../../shell/drafts.ts'
import { same } from '../queries.ts'

/**
 * Keeps what the user typed of a part of a commune, with the stored value on which it is based:
 * untouched (as stored) → typed → saved or discarded; typed → behind (a colleague changed the same part) →
 * typed on the newest value, or discarded.
 */
export function usePartDraft<Value>(name: string, stored: Value) {
  const [text, store, clear] = useDraft(`commune.${name}`)
  const draft = read<{ base: Value; mine: Value }>(text) ?? { base: stored, mine: stored }
  return {
    ...draft,
    stored,
    isChanged: !same(draft.mine, draft.base),
    isBehind: !same(stored, draft.base),
    change: (mine: Value) => (same(mine, draft.base) ? clear() : store(JSON.stringify({ ...draft, mine }))),
    keepMine: () => store(JSON.stringify({ base: stored, mine: draft.mine })),
    clear,
  }
}

/** Parses a draft; null if it is invalid, for example from another version of the application. */
function read<Value>(text: string): Value | null {
  try {
    return text === '' ? null : (JSON.parse(text) as Value)
  } catch {
    return null
  }
}
