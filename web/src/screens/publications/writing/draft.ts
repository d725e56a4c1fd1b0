import { useDraft } from '../../../shell/drafts.ts'
import { type Content, contentOf, namesThatDiffer, rebased } from './content.ts'

/** What is typed of a correction, and the version it was begun on. */
type Correction = { version: number; base: Content; mine: Content; reason: string }
type Corrected = Parameters<typeof contentOf>[0] & { id: string; version: number }

/** Whether somebody has begun to correct it. */
export const useHasCorrection = (id: string): boolean => useDraft(nameOf(id))[0] !== ''

/** Forgets a correction that was begun. */
export const useDroppedCorrection = (id: string): (() => void) => useDraft(nameOf(id))[2]

/**
 * untouched (as stored) → begun, by typing → saved or dropped
 * begun → behind (the service has another content by now) → begun on the newest, with one's own text or without
 */
export function useCorrection(publication: Corrected) {
  const [stored, store, clear] = useDraft(nameOf(publication.id))
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
    isBehind,
    isChanged: namesThatDiffer(draft.mine, draft.base).length > 0,
    /** A decision in between leaves the content alone: it is no reason to ask. */
    seen: isBehind ? draft.version : version,
    change: (changed: Partial<Content>) => put({ ...draft, mine: { ...draft.mine, ...changed } }),
    giveReason: (reason: string) => put({ ...draft, reason }),
    keepMine: () => put({ ...draft, version, base: newest, mine: rebased(draft.mine, draft.base, newest) }),
    takeNewest: () => put({ ...draft, version, base: newest, mine: newest }),
    clear,
  }
}

/** What an application of another version has left may be something else. */
export function read<Value>(stored: string): Value | null {
  try {
    return stored === '' ? null : (JSON.parse(stored) as Value)
  } catch {
    return null
  }
}

const nameOf = (id: string) => `correction.${id}`
