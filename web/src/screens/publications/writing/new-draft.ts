import type { ActeurChoice } from '../../../shell/choices/choices.ts'
import type { Choice } from '../../../ui/combo.tsx'
import { type Content, emptyContent } from './content.ts'

/** Draft of a new publication. */
export type NewDraft = {
  /** Idempotency key, kept across retries. */
  key: string
  content: Content
  /** Chosen by administrators; members write for the acteur of the screen. */
  acteur: ActeurChoice | null
  commune: Choice | null
  /** Value of the field for the time of publication. */
  at: string
}

export const emptyDraft = (): NewDraft => ({
  key: crypto.randomUUID(),
  content: emptyContent,
  ...{ acteur: null, commune: null, at: '' },
})

/** Name of the draft of an acteur; null: of an administrator, who chooses the acteur. */
export const draftNameOf = (acteurId: string | null) =>
  acteurId === null ? 'publication' : `publication.${acteurId}`
