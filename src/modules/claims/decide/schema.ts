import Type, { type Static } from 'typebox'
import { adminPerPage, pagingQuery } from '../../../platform/http/paging.ts'
import { Id, nullable, oneOf, text } from '../../../platform/http/schemas.ts'
import { statuses } from '../schema.ts'

export const ClaimsQuery = Type.Object({
  ...pagingQuery(adminPerPage),
  status: Type.Optional(oneOf(statuses)),
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
    user_id: Type.Optional(Id('Who becomes owner, where the claim was not made by somebody signed in')),
  },
  { additionalProperties: false },
)
export type Decision = Static<typeof Decision>
