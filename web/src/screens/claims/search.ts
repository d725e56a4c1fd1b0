import { defined, oneOf, pageOf, type SearchParams, textOf } from '../../shell/lists/search-params.ts'

export const statuses = ['pending', 'approved', 'rejected', 'expired'] as const
/** Without a status the list shows pending claims. */
export type ClaimsSearch = { q?: string; status?: (typeof statuses)[number] | 'all'; page?: number }

export const claimsSearch = ({ q, status, page }: SearchParams): ClaimsSearch =>
  defined({
    q: textOf(q),
    status: oneOf([...statuses.slice(1), 'all' as const], status),
    page: pageOf(page),
  })
