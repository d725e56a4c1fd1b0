import { defined, oneOf, type SearchParams, textOf } from '../../../shell/lists/search-params.ts'
import { type FilterSearch, type ReviewFilter, reviewOrders } from '../queries.ts'

type ReviewSearch = ReviewFilter & { selected?: string }

export const filterSearch = ({ commune, acteur, type, source }: SearchParams): FilterSearch =>
  defined({ commune: textOf(commune), acteur: textOf(acteur), type: textOf(type), source: textOf(source) })

export const reviewSearch = ({ selected, q, sort, ...filters }: SearchParams): ReviewSearch => ({
  ...filterSearch(filters),
  ...defined({ selected: textOf(selected), q: textOf(q), sort: oneOf(reviewOrders, sort) }),
})

/** What narrows a review: the URL, and the user's own order if the URL has none. */
export const reviewFilter = ({ sort, ...filters }: ReviewFilter, oldestFirst: boolean): ReviewFilter => ({
  ...filters,
  ...defined({ sort: sort ?? (oldestFirst ? ('created_at_asc' as const) : undefined) }),
})

export const hasFilters = ({ sort: _, ...filters }: ReviewFilter): boolean => Object.keys(filters).length > 0
