import { defined, oneOf, pageOf, type SearchParams } from '../../../shell/lists/search-params.ts'

export const states = ['open', 'upheld', 'reversed'] as const
/** Without a state the list shows open complaints. */
export type ComplaintsSearch = { state?: (typeof states)[number] | 'all'; page?: number }

export const complaintsSearch = ({ state, page }: SearchParams): ComplaintsSearch =>
  defined({ state: oneOf([...states.slice(1), 'all' as const], state), page: pageOf(page) })
