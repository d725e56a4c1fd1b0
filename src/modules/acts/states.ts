import type { ManagedAct } from './schema.ts'

/**
 * The states of an act, and what may happen in each:
 *
 *     draft ──publish──► published ──a correction is published──► superseded ─┐
 *                            ├──archive, after two months──► archived ────────┤
 *                            └──occult──► occulted ◄──────────────occult──────┘
 *
 * The database refuses every other change of what was published (`protect_act`), and that an act is superseded without its correction
 * (`check_correction`).
 */

type Stated = Pick<ManagedAct, 'state' | 'published_at'>

/** How long an act stays on line at least (CGCT R2131-1). */
const monthsOnLine = 2

/** Returns when an act may leave the lists. As PostgreSQL adds months: to the last day of a shorter one. */
export function endOfForce(publishedAt: Date): Date {
  const end = new Date(publishedAt)
  const day = end.getUTCDate()
  end.setUTCMonth(end.getUTCMonth() + monthsOnLine)
  if (end.getUTCDate() !== day) end.setUTCDate(0)
  return end
}

/** True while an act must be on line. */
export const isInForce = ({ published_at }: Stated, now: Date): boolean =>
  published_at !== null && now < endOfForce(published_at)

const isDraft = ({ state }: Stated) => state === 'draft'

/** The conditions of what a mairie may do with an act. */
export const actActions = (now: Date) => ({
  edit: isDraft,
  delete: isDraft,
  publish: isDraft,
  archive: (act: Stated) => act.state === 'published' && !isInForce(act, now),
  occult: ({ state }: Stated) => state !== 'draft' && state !== 'occulted',
})
