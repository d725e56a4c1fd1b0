import { checkoutKind, finalStatuses, subscriptionKinds } from '../kinds.ts'

/** Position of an event in the order: its time, then its kind, then its id. */
export type Place = { at: Date; rank: number; by: string }

const [created, ...later] = subscriptionKinds
/** Precedence within one second: created, paid, changed, ended. */
const ranks: readonly string[] = [created, checkoutKind, ...later]

export const placeOf = (event: { id: string; type: string; occurred_at: Date }): Place => ({
  at: event.occurred_at,
  rank: ranks.indexOf(event.type),
  by: event.id,
})

export function isAfter(one: Place, other: Place): boolean {
  const apart = one.at.getTime() - other.at.getTime() || one.rank - other.rank
  return apart === 0 ? one.by > other.by : apart > 0
}

type StatusAtPlace = { status: string; place: Place }

/**
 * Decides whether a stated status replaces the known one. The later one wins, but a final status wins over
 * all others, and of two final ones the earlier wins, so that the order of arrival does not matter.
 */
export function stands(reported: StatusAtPlace, known: StatusAtPlace | null): boolean {
  if (known === null) return true
  const [isFinal, wasFinal] = [reported, known].map(({ status }) => finalStatuses.includes(status))
  if (isFinal !== wasFinal) return isFinal === true
  return isFinal ? isAfter(known.place, reported.place) : isAfter(reported.place, known.place)
}
