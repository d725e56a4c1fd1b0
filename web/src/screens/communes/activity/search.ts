import { defined, oneOf, pageOf, type SearchParams, textOf } from '../../../shell/lists/search-params.ts'
import { isDepartement } from '../search.ts'

export const sorts = [
  'last_message_at_desc',
  'last_message_at_asc',
  'subscribers_desc',
  'subscribers_asc',
  'collectes_desc',
  'collectes_asc',
  'nom_asc',
] as const
export const uses = ['some', 'never'] as const

/** `page` only counts the pages shown so far; `after` is where this one begins. */
export type ActivitySearch = {
  departement?: string
  messages?: (typeof uses)[number]
  sort?: (typeof sorts)[number]
  after?: string
  page?: number
}

export function activitySearch({ departement, messages, sort, after, page }: SearchParams): ActivitySearch {
  const code = textOf(departement)
  return defined({
    departement: code !== undefined && isDepartement(code) ? code : undefined,
    messages: oneOf(uses, messages),
    sort: oneOf(sorts, sort),
    after: textOf(after),
    page: pageOf(page),
  })
}
