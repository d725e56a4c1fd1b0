import { useChangesElsewhere, useDraft } from '../../../shell/drafts.ts'
import { rebased } from '../../../shell/editing/part-draft.ts'
import { type Content, contentOf, namesThatDiffer } from './content.ts'

/** Draft of a correction, with the version and content on which it is based. */
type Correction = { version: number; base: Content; mine: Content; reason: string }
type Corrected = Parameters<typeof contentOf>[0] & { id: string; version: number }

/** Whether the user has an unsaved correction of the publication. */
export const useHasCorrection = (id: string): boolean => useDraft(nameOf(id))[0] !== ''

/** Returns a function that discards an unsaved correction. */
export const useDroppedCorrection = (id: string): (() => void) => useDraft(nameOf(id))[2]

/**
 * untouched (as stored) → started, by typing → saved or discarded
 * started → behind (the stored content has changed) → started on the newest version, keeping the draft or not
 */
export function useCorrection(publication: Corrected) {
  const [stored, store, clear] = useDraft(nameOf(publication.id))
  const changesElsewhere = useChangesElsewhere(nameOf(publication.id))
  const newest = contentOf(publication)
  const { version } = publication
  const draft = read<Correction>(stored) ?? { version, base: newest, mine: newest, reason: '' }
  const put = (next: Correction) => {
    const isEmpty = namesThatDiffer(next.mine, next.base).length === 0 && next.reason === ''
    if (isEmpty) clear()
    else store(JSON.stringify(next))
  }
  const isBehind = namesThatDiffer(newest, draft.base).length > 0
  return {
    ...draft,
    newest,
    changesElsewhere,
    isBehind,
    isChanged: namesThatDiffer(draft.mine, draft.base).length > 0,
    /** Version for `If-Match`. A newer version with the same content, as after a decision, is no conflict. */
    seen: isBehind ? draft.version : version,
    change: (changed: Partial<Content>) => put({ ...draft, mine: { ...draft.mine, ...changed } }),
    giveReason: (reason: string) => put({ ...draft, reason }),
    keepMine: () => put({ ...draft, version, base: newest, mine: rebased(draft.mine, draft.base, newest) }),
    takeNewest: () => put({ ...draft, version, base: newest, mine: newest }),
    clear,
  }
}

/** Parses a stored draft; null if it is invalid, for example from another version of the application. */
export function read<Value>(stored: string): Value | null {
  try {
    return stored === '' ? null : (JSON.parse(stored) as Value)
  } catch {
    return null
  }
}

const nameOf = (id: string) => `correction.${id}`
