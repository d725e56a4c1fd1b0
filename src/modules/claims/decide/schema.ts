import Type, { type Static } from 'typebox'
import { roles } from '../../../platform/access/areas.ts'
import { idsQuery, several, sortQuery } from '../../../platform/http/lists.ts'
import { listQuery } from '../../../platform/http/paging.ts'
import { EmailVerified, Id, nullable, oneOf, text } from '../../../platform/http/schemas.ts'
import { DecisionId } from '../../decisions/schema.ts'
import { withPresence } from '../../presence/schema.ts'
import { Claim, person, statuses } from '../schema.ts'

export const ClaimsQuery = Type.Object({
  ...listQuery,
  sort: sortQuery(['created_at', 'decided_at', 'status'], 'created_at_desc'),
  ids: idsQuery,
  status: several(oneOf(statuses), 'In one of these states, separated by commas'),
  acteur_id: Type.Optional(Id('Claims on this acteur')),
  q: Type.Optional(
    text(200, {
      description:
        "Beginnings of words of the claimant's name, contacts or message, or of a word of the acteur's name",
      examples: ['vauquelin'],
    }),
  ),
})
export type ClaimsQuery = Static<typeof ClaimsQuery>

export const ById = Type.Object({ id: Id() })

const MatchingUser = Type.Object(
  {
    id: Id(),
    nom: person('Odile Vauquelin'),
    email: person('odile.vauquelin@example.org'),
    email_verified: EmailVerified,
    roles: Type.Array(oneOf(roles), { examples: [[]] }),
  },
  { title: 'ClaimMatchingUser' },
)
export type MatchingUser = Static<typeof MatchingUser>

export const ClaimRead = withPresence(
  {
    ...Claim.properties,
    matching_users: Type.Array(MatchingUser, {
      description: "Users of the claim's address, those to whom it verifiably belongs first",
    }),
  },
  'ClaimRead',
)

/** A claim after a decision. */
export const DecidedClaim = Type.Object(
  { ...Claim.properties, decision_id: DecisionId },
  { title: 'DecidedClaim' },
)
export type DecidedClaim = Static<typeof DecidedClaim>

export const Decision = Type.Object(
  {
    status: oneOf(['approved', 'rejected']),
    reason: Type.Optional(
      nullable(
        text(1_000, {
          description: 'Told to the claimant when it is rejected',
          examples: ['Le club nous a indiqué un autre contact.'],
        }),
      ),
    ),
    user_id: Type.Optional(
      Id(
        "Who becomes owner, where the claim was not made by somebody signed in: named by an administrator, unless the claim's address is verifiably theirs",
      ),
    ),
  },
  { additionalProperties: false },
)
export type Decision = Static<typeof Decision>
