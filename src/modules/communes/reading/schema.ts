import Type, { type Static } from 'typebox'
import { pagingQuery, publicPerPage } from '../../../platform/http/paging.ts'
import { IdOrSlug } from '../../../platform/http/schemas.ts'
import { CommuneListed, communeFilters } from '../schema.ts'

export const BySlug = Type.Object({ slug: IdOrSlug('Slug of the commune, or its identifier', 'chambery') })

export const CommunesQuery = Type.Object({ ...pagingQuery(publicPerPage), ...communeFilters })
export type CommunesQuery = Static<typeof CommunesQuery>

export const CommunePage = Type.Object({
  data: Type.Array(CommuneListed),
  meta: Type.Object({
    page: Type.Integer({ examples: [1] }),
    per_page: Type.Integer({ examples: [publicPerPage] }),
  }),
})
