import { defined, oneOf, pageOf, type SearchParams, textOf } from '../../../shell/lists/search-params.ts'

export const ownStates = ['pending', 'approved', 'published', 'rejected'] as const
export type MineSearch = { q?: string; status?: (typeof ownStates)[number]; page?: number }

export const mineSearch = ({ q, status, page }: SearchParams): MineSearch =>
  defined({ q: textOf(q), status: oneOf(ownStates, status), page: pageOf(page) })
