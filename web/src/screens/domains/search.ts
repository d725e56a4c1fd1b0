import { defined, pageOf, type SearchParams } from '../../shell/lists/search-params.ts'

export type DomainsSearch = { page?: number }

export const domainsSearch = ({ page }: SearchParams): DomainsSearch => defined({ page: pageOf(page) })
