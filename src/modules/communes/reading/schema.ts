import Type, { type Static } from 'typebox'
import { CursorMeta, updatedQuery } from '../../../platform/http/listing/cursor.ts'
import { pagingQuery, publicPerPage } from '../../../platform/http/listing/paging.ts'
import { IdOrSlug, titled } from '../../../platform/http/validation/schemas.ts'
import { CommuneListed, communeFilters } from '../schema.ts'

export const BySlug = Type.Object({ slug: IdOrSlug('Slug of the commune, or its identifier', 'chambery') })

export const CommunesQuery = Type.Object({
  ...pagingQuery(publicPerPage),
  ...updatedQuery,
  ...communeFilters,
})
export type CommunesQuery = Static<typeof CommunesQuery>

export const CommunePage = Type.Object({
  data: Type.Array(CommuneListed),
  meta: Type.Union([
    titled('CommunePageMeta', {
      page: Type.Integer({ examples: [1] }),
      per_page: Type.Integer({ examples: [publicPerPage] }),
    }),
    CursorMeta,
  ]),
})
