import { defined, oneOf, pageOf, type SearchParams, textOf } from '../../../shell/lists/search-params.ts'
import type { FilterSearch } from '../queries.ts'
import { filterSearch } from '../review/search.ts'

/** Filters of the list, as text in the URL, so that a saved view can store them unchanged. */
export type ListSearch = FilterSearch & {
  q?: string
  status?: (typeof states)[number]
  only?: (typeof marks)[number]
  sort?: (typeof sorts)[number]
  page?: number
}

export const states = ['pending', 'approved', 'published', 'rejected', 'deleted'] as const
export const marks = ['reported', 'featured', 'hidden'] as const
export const sorts = [
  'created_at_desc',
  'created_at_asc',
  'publie_le_desc',
  'date_debut_asc',
  'titre_asc',
] as const

/** Filters that the list had last, for the way back to it. */
export const latestSearch: { value: ListSearch } = { value: {} }

export const listSearch = ({ q, status, only, sort, page, ...others }: SearchParams): ListSearch =>
  defined({
    q: textOf(q),
    ...filterSearch(others),
    status: oneOf(states, status),
    only: oneOf(marks, only),
    sort: oneOf(sorts.slice(1), sort),
    page: pageOf(page),
  })
