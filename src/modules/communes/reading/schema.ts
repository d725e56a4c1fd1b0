import Type, { type Static } from 'typebox'
import { pagingQuery, publicPerPage } from '../../../platform/http/paging.ts'
import { text } from '../../../platform/http/schemas.ts'
import { CommuneListed, CommuneSlug } from '../schema.ts'

export const BySlug = Type.Object({ slug: CommuneSlug })

export const CommunesQuery = Type.Object({
  ...pagingQuery(publicPerPage),
  q: Type.Optional(
    text(200, {
      description:
        'Beginning of the name or of a word of it, whatever its accents and case; or of a postal code',
      examples: ['chambe'],
    }),
  ),
  departement: Type.Optional(
    Type.String({ pattern: '^[0-9][0-9AB][0-9]?$', description: 'Code of a département', examples: ['73'] }),
  ),
})
export type CommunesQuery = Static<typeof CommunesQuery>

export const CommunePage = Type.Object({
  data: Type.Array(CommuneListed),
  meta: Type.Object({
    page: Type.Integer({ examples: [1] }),
    per_page: Type.Integer({ examples: [publicPerPage] }),
  }),
})
