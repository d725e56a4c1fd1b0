/** Filters of the list, as text in the URL, so that a saved view can store them unchanged. */
export type ActeursSearch = {
  q?: string
  type?: ActeurType
  /** Id of a commune. */
  commune?: string
  valide?: YesNo
  state?: (typeof states)[number]
  publishes?: YesNo
  badge?: string
  sort?: (typeof sorts)[number]
}

export const acteurTypes = ['association', 'commerce', 'mairie', 'ecole', 'service', 'autre'] as const
export type ActeurType = (typeof acteurTypes)[number]
export const yesNo = ['yes', 'no'] as const
type YesNo = (typeof yesNo)[number]
export const states = ['active', 'inactive', 'deleted'] as const
export const sorts = ['created_at_desc', 'created_at_asc', 'nom_asc', 'nom_desc', 'type_asc'] as const

const oneOf = <Value>(values: readonly Value[], value: unknown) => values.find((known) => known === value)
// The router parses an all-digit text as a number.
const textOf = (value: unknown) =>
  (typeof value === 'string' || typeof value === 'number') && value !== '' ? String(value) : undefined

export function acteursSearch(given: Record<string, unknown>): ActeursSearch {
  const read = {
    q: textOf(given.q),
    type: oneOf(acteurTypes, given.type),
    commune: textOf(given.commune),
    valide: oneOf(yesNo, given.valide),
    state: oneOf(states, given.state),
    publishes: oneOf(yesNo, given.publishes),
    badge: textOf(given.badge),
    sort: oneOf(sorts.slice(1), given.sort),
  }
  return Object.fromEntries(Object.entries(read).filter(([, value]) => value !== undefined))
}
