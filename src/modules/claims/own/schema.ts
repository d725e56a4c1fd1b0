import Type, { type Static } from 'typebox'
import { adminPerPage, pagingQuery } from '../../../platform/http/paging.ts'
import { Id } from '../../../platform/http/schemas.ts'
import { Claim } from '../schema.ts'

export const OwnClaimsQuery = Type.Object(pagingQuery(adminPerPage))

const { id, status, reason, created_at, decided_at } = Claim.properties

export const OwnClaim = Type.Object(
  {
    id,
    acteur: Type.Object({
      id: Id(),
      nom: Type.String({ examples: ['Boule des Accoules'] }),
      slug: Type.String({ examples: ['boule-des-accoules'] }),
    }),
    status,
    reason,
    created_at,
    decided_at,
  },
  { title: 'OwnClaim' },
)
export type OwnClaim = Static<typeof OwnClaim>
