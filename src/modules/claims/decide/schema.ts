import Type, { type Static } from 'typebox'
import { idsQuery, listQuery, several, sortQuery } from '../../../platform/http/listing/paging.ts'
import { Id, nullable, oneOf, strictObject, text, titled } from '../../../platform/http/validation/schemas.ts'
import { DecisionId } from '../../recent-decisions/schema.ts'
import { Claim, statuses } from '../schema.ts'

export const ClaimsQuery = Type.Object({
  ...listQuery,
  sort: sortQuery(['created_at', 'decided_at', 'status'], 'created_at_desc'),
  ids: idsQuery,
  status: several(oneOf(statuses), 'In one of these states, separated by commas'),
  acteur_id: Type.Optional(Id('Claims on this acteur')),
  q: Type.Optional(
    text(200, {
      description:
        "Beginnings of words of the claimant's name, contacts or message, or of a word of the acteur's name; or the whole reference",
      examples: ['vauquelin'],
    }),
  ),
})
export type ClaimsQuery = Static<typeof ClaimsQuery>

/** A claim after a decision. */
export const DecidedClaim = titled('DecidedClaim', { ...Claim.properties, decision_id: DecisionId })
export type DecidedClaim = Static<typeof DecidedClaim>

export const Decision = strictObject({
  status: oneOf(['approved', 'rejected']),
  reason: Type.Optional(
    nullable(
      text(1_000, {
        description: 'Sent to the claimant when it is rejected',
        examples: ['Le club nous a indiqué un autre contact.'],
      }),
    ),
  ),
  user_id: Type.Optional(
    Id(
      "Who becomes owner, where the claim was not made by somebody signed in: named by an administrator, unless the claim's address is verifiably theirs. Required where the claim has neither account nor address",
    ),
  ),
})
export type Decision = Static<typeof Decision>
