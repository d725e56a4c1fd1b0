import Type, { type Static } from 'typebox'
import { adminPerPage, PageWith, pagingQuery } from '../../../platform/http/listing/paging.ts'
import { Id, nullable, oneOf, titled } from '../../../platform/http/validation/schemas.ts'
import { Claim } from '../schema.ts'

export const OwnClaimsQuery = Type.Object(pagingQuery(adminPerPage))

const { id, status, reason, created_at, decided_at } = Claim.properties

export const OwnClaim = titled('OwnClaim', {
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
  missing: nullable(
    oneOf(
      ['support'],
      '`support`: approved, but several accounts have the address of the claim; the support says to which the rights go',
    ),
  ),
})
export type OwnClaim = Static<typeof OwnClaim>

export const OwnClaims = PageWith(
  'OwnClaimsMeta',
  {
    missing: nullable(
      oneOf(
        ['email', 'verified_email'],
        'Claims made without signing in are shown once the account has their address (`email`), and the identity provider has verified it (`verified_email`); null: nothing is missing',
      ),
    ),
  },
  OwnClaim,
)
