import { defined, oneOf, pageOf, type SearchParams, textOf } from '../../shell/lists/search-params.ts'

export const ownStates = ['pending', 'approved', 'published', 'rejected'] as const
export type OwnSearch = { q?: string; status?: (typeof ownStates)[number]; page?: number }

export const ownSearch = ({ q, status, page }: SearchParams): OwnSearch =>
  defined({ q: textOf(q), status: oneOf(ownStates, status), page: pageOf(page) })
