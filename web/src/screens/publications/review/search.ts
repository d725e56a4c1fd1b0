import { defined, type SearchParams, textOf } from '../../../shell/lists/search-params.ts'

type ReviewSearch = { selected?: string; q?: string }

export const reviewSearch = ({ selected, q }: SearchParams): ReviewSearch =>
  defined({ selected: textOf(selected), q: textOf(q) })
