import { withCanOf } from '../../../platform/access/rules.ts'
import type { Problem } from '../../../platform/errors.ts'
import type { ModerationStatus } from '../schema.ts'

/** The fields that determine the visibility of a publication. */
export type State = {
  moderation_status: ModerationStatus
  valide: boolean
  publie_le: Date | null
  en_avant: boolean
  featured_until: Date | null
  deleted_at: Date | null
}

export const stateOf = (publication: State): State => {
  const { moderation_status, valide, publie_le, en_avant, featured_until, deleted_at } = publication
  return { moderation_status, valide, publie_le, en_avant, featured_until, deleted_at }
}

export const isLive = ({ deleted_at }: Pick<State, 'deleted_at'>): boolean => deleted_at === null

type ReportedState = Pick<State, 'deleted_at'> & { reports_open: number }

/** Actions that each state allows in the back-office. A deleted publication can only be read and restored. */
export const publicationActions = {
  edit: isLive,
  moderate: isLive,
  valide: isLive,
  feature: isLive,
  keep: isLive,
  close: (publication: ReportedState) => isLive(publication) && publication.reports_open > 0,
  delete: isLive,
  restore: (publication: ReportedState) => !isLive(publication),
}

/** Adds what the caller may do with a publication. */
export const withCan = withCanOf(publicationActions)

export type Trigger =
  /** Only `approved` accepts `publie_le`; null removes the schedule. */
  | { do: 'moderate'; moderation_status: ModerationStatus; publie_le?: Date | null }
  /** Toggles if `valide` is absent. */
  | { do: 'valide'; valide?: boolean }
  | { do: 'feature'; en_avant: boolean; featured_until?: Date | null }
  /** The reports are unfounded: closes them without a decision. */
  | { do: 'close_reports' }
  /** Links, reports and featuring stay for a restore. */
  | { do: 'delete' }
  | { do: 'restore' }

/**
 * `deleted`: a deleted publication cannot be decided. `time_passed`: a past publication time cannot change.
 */
export type Refusal = 'deleted' | 'time_passed'
export type Outcome = { next: State; refused?: never } | { refused: Refusal; next?: never }

/** The state table. Deleting a deleted publication and restoring a live one change nothing. */
export function transition(state: State, trigger: Trigger, now: Date): Outcome {
  if (trigger.do === 'delete') return { next: { ...state, deleted_at: state.deleted_at ?? now } }
  if (trigger.do === 'restore') return { next: { ...state, deleted_at: null } }
  if (!isLive(state)) return { refused: 'deleted' }
  switch (trigger.do) {
    case 'moderate':
      return moderate(state, trigger, now)
    case 'valide':
      return { next: (trigger.valide ?? !state.valide) ? published(state, now) : { ...state, valide: false } }
    case 'feature': {
      const { en_avant, featured_until = null } = trigger
      return { next: { ...state, en_avant, featured_until: en_avant ? featured_until : null } }
    }
    case 'close_reports':
      return { next: state }
  }
}

/** Validates a trigger regardless of the state. */
export function problemOf(trigger: Trigger, now: Date): Problem | null {
  const { do: action } = trigger
  if (action === 'moderate' && trigger.publie_le !== undefined) {
    if (trigger.moderation_status !== 'approved') return { field: 'publie_le', message: messages.stray }
    if (trigger.publie_le !== null && !(trigger.publie_le > now)) return past('publie_le')
  }
  if (action === 'feature' && trigger.en_avant && trigger.featured_until && !(trigger.featured_until > now))
    return past('featured_until')
  return null
}

function moderate(state: State, trigger: Trigger & { do: 'moderate' }, now: Date): Outcome {
  const { moderation_status, publie_le } = trigger
  switch (moderation_status) {
    case 'published':
      return { next: published(state, now) }
    case 'approved':
      if (publie_le === undefined) return { next: { ...state, moderation_status, valide: true } }
      if (state.publie_le !== null && state.publie_le <= now) return { refused: 'time_passed' }
      return { next: { ...state, moderation_status, valide: true, publie_le } }
    case 'rejected':
    case 'pending':
      return { next: { ...state, moderation_status, valide: false } }
  }
}

/** Publishes; sets a missing publication time to now and keeps any other, even a future one. */
const published = (state: State, now: Date): State => ({
  ...state,
  moderation_status: 'published',
  valide: true,
  publie_le: state.publie_le ?? now,
})

// An invalid date compares false with everything, so it gets this message too.
const past = (field: string): Problem => ({ field, message: messages.past })

const messages = {
  stray: { en: 'is only allowed with approved', fr: 'n’est possible qu’avec approved' },
  past: { en: 'must be in the future', fr: 'doit être dans le futur' },
}
