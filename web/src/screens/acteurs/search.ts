import { defined, oneOf, type SearchParams, textOf } from '../../shell/lists/search-params.ts'

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

export const acteurTypes = [
  'association',
  'commerce',
  'mairie',
  'intercommunalite',
  'ecole',
  'service',
  'autre',
] as const
export type ActeurType = (typeof acteurTypes)[number]
export const yesNo = ['yes', 'no'] as const
type YesNo = (typeof yesNo)[number]
export const states = ['active', 'inactive', 'deleted'] as const
export const sorts = ['created_at_desc', 'created_at_asc', 'nom_asc', 'nom_desc', 'type_asc'] as const

export const acteursSearch = (search: SearchParams): ActeursSearch =>
  defined({
    q: textOf(search.q),
    type: oneOf(acteurTypes, search.type),
    commune: textOf(search.commune),
    valide: oneOf(yesNo, search.valide),
    state: oneOf(states, search.state),
    publishes: oneOf(yesNo, search.publishes),
    badge: textOf(search.badge),
    sort: oneOf(sorts.slice(1), search.sort),
  })
