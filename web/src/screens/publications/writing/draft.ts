import { parseDraft, useChangesElsewhere, useDraft } from '../../../shell/drafts.ts'
import { rebased } from '../../../shell/editing/part-draft.ts'
import { type Content, contentOf, namesThatDiffer } from './content.ts'

/** Draft of a change to a publication, by a moderator or a member, with the version and content on which it is based. */
type Correction = { version: number; base: Content; mine: Content; reason: string }
type Corrected = Parameters<typeof contentOf>[0] & { id: string; version: number }

/** Whether the user has unsaved changes to the publication. */
export const useHasCorrection = (id: string): boolean => useDraft(nameOf(id))[0] !== ''

/** Returns a function that discards unsaved changes. */
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
  const kept = parseDraft<Correction>(stored) ?? { version, base: newest, mine: newest, reason: '' }
  // A draft from another version of the application may lack fields.
  const draft = { ...kept, base: { ...newest, ...kept.base }, mine: { ...newest, ...kept.mine } }
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

export type CorrectionDraft = ReturnType<typeof useCorrection>

const nameOf = (id: string) => `correction.${id}`
