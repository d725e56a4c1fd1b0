import { checkoutKind, finalStatuses, subscriptionKinds } from '../kinds.ts'

/** The place of an event in the order: when it happened, then its kind, then its id. */
export type Place = { at: Date; rank: number; by: string }

const [created, ...later] = subscriptionKinds
/** What happens within one second: made, then paid for, then changed, then ended. */
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

type Known = { status: string; place: Place }

/**
 * Whether what an event says of a status stands against what is known. The later one does; but a final status stands
 * against all others, and of two final ones the earlier, so that it does not matter which comes first.
 */
export function stands(said: Known, known: Known | null): boolean {
  if (known === null) return true
  const [isFinal, wasFinal] = [said, known].map(({ status }) => finalStatuses.includes(status))
  if (isFinal !== wasFinal) return isFinal === true
  return isFinal ? isAfter(known.place, said.place) : isAfter(said.place, known.place)
}
