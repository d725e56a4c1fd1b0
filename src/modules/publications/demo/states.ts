import type { DemoTexte } from './form.ts'

const dayMs = 24 * 3_600_000

/** The columns of state that a text's marks mean, with times around the load. `number` makes neighbours differ. */
export function demoState({ marks, type, offset, raison }: DemoTexte, now: Date, number: number) {
  const at = (days: number) => new Date(Math.trunc(now.getTime() + days * dayMs))
  const written = atWork(at(-ageOf(type, offset, marks.has('after'), number)), now, number)
  // Read before it was shown, save by those who may publish.
  const read = marks.has('read')
    ? new Date(Math.min(written.getTime() + 20 * 3_600_000, at(0).getTime()))
    : written
  const state = marks.has('scheduled') ? coming(at(3 + (number % 9))) : settled(marks, read)
  const en_avant = ['featured', 'featured-until', 'featured-past'].some((mark) => marks.has(mark))
  const deleted_at = marks.has('deleted') ? at(-0.2 - (number % 5) * 0.1) : null
  return {
    ...state,
    moderation_reason: raison,
    decided_centrally: marks.has('central'),
    en_avant,
    featured_until: marks.has('featured-until') ? at(10) : marks.has('featured-past') ? at(-0.1) : null,
    epingle: marks.has('pinned'),
    deleted_at,
    created_at: written,
    updated_at: deleted_at ?? (state.publie_le !== null && state.publie_le < now ? state.publie_le : written),
  }
}

/** During the day, unless that is still to come. */
function atWork(day: Date, now: Date, number: number): Date {
  const hour = new Date(day)
  hour.setUTCHours(6 + (number % 11), (number * 17) % 60, 0, 0)
  return hour < now ? hour : day
}

const coming = (publie_le: Date) => ({ moderation_status: 'approved', valide: true, publie_le })

function settled(marks: Set<string>, read: Date) {
  if (marks.has('pending')) return { moderation_status: 'pending', valide: false, publie_le: null }
  if (marks.has('rejected')) return { moderation_status: 'rejected', valide: false, publie_le: null }
  if (marks.has('unscheduled')) return { moderation_status: 'approved', valide: true, publie_le: null }
  if (marks.has('approved')) return { moderation_status: 'approved', valide: true, publie_le: read }
  return { moderation_status: 'published', valide: !marks.has('invalid'), publie_le: read }
}

/** How many days ago it was written: before what it announces, or soon after what it tells of. */
function ageOf(type: string, offset: number | null, after: boolean, number: number): number {
  const hours = (number % 11) / 24
  if (offset === null || offset >= 0) return 1 + hours + ((number * 7) % 38)
  if (after) return Math.max(0.3, -offset - 1.5) + hours / 10
  return -offset + hours + (type === 'alerte' ? 0.2 : 8)
}
